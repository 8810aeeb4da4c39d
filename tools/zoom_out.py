"""Zoom-out: the turns around what was kept (MemCoT 4.2)."""

import re
from collections.abc import Iterable
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException

from langrecall.budgets import within_budget
from langrecall.effects import Effects, arun, call, run
from langrecall.errors import UnknownIdError
from langrecall.observations import notice, observe_turns, shown_turns
from langrecall.records import Turn, TurnId
from langrecall.rendering import render_turns
from langrecall.run import Run
from langrecall.state import MemoryLine, RecallState
from langrecall.stores.base import HistoryStore

NOTHING_AROUND = "Everything around the kept turns has been shown."


def zoom_out(state: RecallState, run: Run) -> Effects[dict[str, Any]]:
    """Observe the window around each kept turn, nearest turns first, without the turns shown before."""
    since = run.now()
    settings = within_budget(run, state["observation"]).settings
    kept = kept_turns(state["memory"], state["argument"])
    turns = yield from _windows(run.history, kept, settings.window)
    shown = set(shown_turns(state["observation"]))
    fresh = [turn for turn in turns if turn.id not in shown]
    observation = (
        observe_turns(
            "zoom_out", fresh, settings, step=state["step"], cap=settings.observation_tokens, query=state["query"]
        )
        if fresh
        else notice("zoom_out", NOTHING_AROUND, step=state["step"])
    )
    return {
        "observation": [observation],
        "trajectory": run.record(
            "zoom_out",
            key=observation["id"],
            step=state["step"],
            action="zoom_out",
            argument=", ".join(kept),
            observed=[*observation["turns"], *observation["clipped"]],
            tokens=observation["tokens"],
            since=since,
        ),
    }


def kept_turns(memory: Iterable[MemoryLine], argument: str) -> list[str]:
    """The turns to widen: the one the argument names if it was kept, else all the memory rests on, newest line first."""
    kept = list(dict.fromkeys(source for line in reversed(list(memory)) for source in line["sources"]))
    wanted = set(re.split(r"[\s,;\[\]]+", argument))
    named = [turn for turn in kept if turn in wanted]
    return named or kept


def _windows(history: HistoryStore, kept: Iterable[str], width: int) -> Effects[list[Turn]]:
    near: dict[str, tuple[int, Turn]] = {}
    for turn_id in kept:
        centre = TurnId.parse(turn_id)
        window = yield from call(history.window, centre.session_id, centre.index, width)
        for turn in window:
            distance = abs(turn.index - centre.index)
            if turn.id not in near or distance < near[turn.id][0]:
                near[turn.id] = (distance, turn)
    return [turn for _, turn in sorted(near.values(), key=lambda pair: pair[0])]


def create_zoom_out_tool(history: HistoryStore) -> BaseTool:
    """`zoom_out` for an agent with its own loop; the history is bound, never chosen by the model."""

    def body(turn_id: str, width: int) -> Effects[list[Turn]]:
        centre = TurnId.parse(turn_id)
        window = yield from call(history.window, centre.session_id, centre.index, width)
        return window

    def zoom_out(turn_id: str, width: int = 4) -> str:
        """Read what was said around a turn of the conversation history, by the id that leads the turn."""
        try:
            return render_turns(run(body(turn_id, width)))
        except (UnknownIdError, ValueError) as error:
            raise ToolException(str(error)) from None

    async def azoom_out(turn_id: str, width: int = 4) -> str:
        try:
            return render_turns(await arun(body(turn_id, width)))
        except (UnknownIdError, ValueError) as error:
            raise ToolException(str(error)) from None

    return StructuredTool.from_function(zoom_out, coroutine=azoom_out, handle_tool_error=True)
