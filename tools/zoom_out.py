"""Zoom-out: the turns around what was kept (MemCoT 4.2)."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.tools import BaseTool

from langrecall.effects import call
from langrecall.engine.budgets import within_budget
from langrecall.engine.observations import notice, observe_turns, shown_turns
from langrecall.engine.run import Run
from langrecall.records import Turn, TurnId
from langrecall.rendering import render_turns
from langrecall.state import MemoryLine, RecallState
from langrecall.stores.base import HistoryStore
from langrecall.tools.factory import make_tool

NOTHING_AROUND = "Everything around the kept turns has been shown."

_AROUND = r"\s,;\[\](){}\"'`"
"""What may stand beside an id in an argument."""
_EDGES = " \t\r\n[](){}\"'`."
_ID = re.compile(r"\S+:\d+")


async def zoom_out(state: RecallState, run: Run) -> dict[str, Any]:
    """Observe the window around each kept turn, nearest turns first, without the turns shown before."""
    settings = within_budget(run, state["observation"]).settings
    kept = kept_turns(state["memory"], state["argument"])
    note = _note(state, asked_for=run.settings.walk == "free")
    turns = await _windows(run.history, kept, settings.window)
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
        "trajectory": run.record_observation(observation, ", ".join(kept), note=note),
    }


def kept_turns(memory: Iterable[MemoryLine], argument: str) -> list[str]:
    """The turns to widen: those the argument names if they were kept, else all the memory rests on, newest line first."""
    kept = _sources(memory)
    return _named(argument, kept)[0] or kept


def _sources(memory: Iterable[MemoryLine]) -> list[str]:
    return list(dict.fromkeys(source for line in reversed(list(memory)) for source in line["sources"]))


def _named(argument: str, kept: Sequence[str]) -> tuple[list[str], str]:
    """Those of the turns that an argument names, and the rest of it; an id may hold blanks, commas and brackets."""
    named: set[str] = set()
    rest = argument
    for turn in sorted(kept, key=len, reverse=True):
        rest, found = re.subn(rf"(?<![^{_AROUND}]){re.escape(turn)}(?=\.?(?:[{_AROUND}]|$))", ",", rest)
        if found:
            named.add(turn)
    return [turn for turn in kept if turn in named], rest


def _note(state: RecallState, *, asked_for: bool) -> str:
    """What the argument names besides kept turns; where a cycle leads here it may be words that were meant for another action."""
    named, rest = _named(state["argument"], _sources(state["memory"]))
    pieces = [piece.strip(_EDGES) for piece in re.split(r"[,;\s]" if named else r"[,;\n]", rest)]
    others = [piece for piece in pieces if _ID.fullmatch(piece) or (asked_for and not named and piece)]
    shown = set(shown_turns(state["observation"]))
    unknown, not_kept = (", ".join(name for name in others if (name in shown) == known) for known in (False, True))
    return "; ".join(
        f"{what}: {names}" for what, names in (("dropped unknown ids", unknown), ("not kept", not_kept)) if names
    )


async def _windows(history: HistoryStore, kept: Iterable[str], width: int) -> list[Turn]:
    near: dict[str, tuple[int, Turn]] = {}
    for turn_id in kept:
        centre = TurnId.parse(turn_id)
        window = await call(history.window, centre.session_id, centre.index, width)
        for turn in window:
            distance = abs(turn.index - centre.index)
            if turn.id not in near or distance < near[turn.id][0]:
                near[turn.id] = (distance, turn)
    return [turn for _, turn in sorted(near.values(), key=lambda pair: pair[0])]


def create_zoom_out_tool(history: HistoryStore) -> BaseTool:
    """`zoom_out` for an agent with its own loop; the history is bound, never chosen by the model."""

    async def zoom_out(turn_id: str, width: int = 4) -> str:
        """Read what was said around a turn of the conversation history, by the id that leads the turn."""
        centre = TurnId.parse(turn_id)
        return render_turns(await call(history.window, centre.session_id, centre.index, width))

    return make_tool(zoom_out)
