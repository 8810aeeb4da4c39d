"""Zoom-out: the turns around what was kept (MemCoT 4.2)."""

from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.tools import BaseTool

from langrecall.citations.naming import Named, has_form, sessions_of, turn_named, turns_named
from langrecall.effects import call
from langrecall.engine.budgets import within_budget
from langrecall.engine.observations import notice, observe_turns, shown_turns
from langrecall.engine.run import Run
from langrecall.records import Turn, TurnId
from langrecall.rendering import render_turns
from langrecall.state import RecallState, sources_of
from langrecall.stores.base import HistoryStore
from langrecall.tools.factory import make_tool

_NOTHING_AROUND = "Everything around the kept turns has been shown."


async def zoom_out(state: RecallState, run: Run) -> dict[str, Any]:
    """Observe the window around each kept turn, nearest turns first, without the turns shown before."""
    settings = within_budget(run, state["observation"]).settings
    kept, shown = sources_of(reversed(state["memory"])), shown_turns(state["observation"])
    named = turns_named(state["argument"], sessions_of([*kept, *shown]))
    centres = [turn_id for turn_id in kept if turn_id in named.ids] or kept
    turns = await _windows(run.history, centres, settings.window)
    fresh = [turn for turn in turns if turn.id not in shown]
    observation = (
        observe_turns(
            "zoom_out", fresh, settings, step=state["step"], cap=settings.observation_tokens, query=state["query"]
        )
        if fresh
        else notice("zoom_out", _NOTHING_AROUND, step=state["step"])
    )
    return {
        "observation": [observation],
        "trajectory": run.record_observation(
            observation, ", ".join(centres), note=_note(named, kept, shown, asked_for=run.settings.walk == "free")
        ),
    }


def _note(named: Named, kept: Sequence[str], shown: Sequence[str], *, asked_for: bool) -> str:
    """What the argument names besides kept turns; where a cycle leads here it may be words that were meant for another action."""
    others = [turn_id for turn_id in named.ids if turn_id not in kept]
    others += [words for words in named.unknown if asked_for or has_form(words)]
    unknown, not_kept = (", ".join(name for name in others if (name in shown) == known) for known in (False, True))
    return "; ".join(
        f"{what}: {names}" for what, names in (("dropped unknown ids", unknown), ("not kept", not_kept)) if names
    )


async def _windows(history: HistoryStore, centres: Iterable[str], width: int) -> list[Turn]:
    near: dict[str, tuple[int, Turn]] = {}
    for centre in map(TurnId.parse, centres):
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
        centre = turn_named(turn_id)
        return render_turns(await call(history.window, centre.session_id, centre.index, width))

    return make_tool(zoom_out)
