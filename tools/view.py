"""View: read the pictures of a window as one page (MemCoT 4.2, panoramic view)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langchain_core.tools import BaseTool

from langrecall.citations.naming import turn_named, turns_named
from langrecall.effects import call
from langrecall.engine.budgets import within_budget
from langrecall.engine.gather import question_of
from langrecall.engine.observations import looked_at, notice, observe_turns, readings_of
from langrecall.engine.run import Run
from langrecall.engine.turns import cued_turns
from langrecall.errors import UnknownIdError
from langrecall.pictures.cues import has_image_cue
from langrecall.pictures.reader import Reader, Sight
from langrecall.policies.base import PageRequest, Reply
from langrecall.records import Image, Turn
from langrecall.rendering import CUT, indented, render_turns, text_tokens
from langrecall.settings import Settings
from langrecall.state import Observation, RecallState, sources_of
from langrecall.stores.base import HistoryStore
from langrecall.tools.factory import make_tool

_NOTHING_TO_VIEW = "No picture here that was not viewed before."
_NOTHING_READ = "No picture here could be read."
_READ_FROM_PICTURES = "Read from the pictures:"


async def view(state: RecallState, run: Run) -> dict[str, Any]:
    """Observe what the pictures show that are cued in the latest observation, or without zoom-out in the kept turns."""
    turns = await _cued(state, run)
    reader = replace(run.reader, page_pixels=run.settings.page_pixels)
    sight = await call(reader.read, turns)
    reply = await _reading(state, run, sight)
    settings = within_budget(run, state["observation"]).settings
    cued = [turn.id for turn in turns if has_image_cue(turn)]
    observation = _observe(sight, reply.value, settings, step=state["step"])
    observation["readings"] = {name: [] for name in cued} | observation.get("readings", {})
    return {
        "observation": [observation],
        "trajectory": run.record_observation(observation, ", ".join(cued), reply=reply, note="; ".join(sight.notes)),
    }


async def _cued(state: RecallState, run: Run) -> list[Turn]:
    """Turns with an image cue that no page has shown yet, and with zoom-out what stands around them, the cues first.

    They are looked for in what came back last, and where that has none in the kept turns, which a window is around.
    """
    cued = await cued_turns(_latest(state), state, run) if run.settings.zoom_out else []
    cued = cued or await cued_turns(sources_of(reversed(state["memory"])), state, run)
    ids = turns_named(state["argument"], {turn.session_id for turn in cued}).ids
    named = [turn for turn in cued if turn.id in ids]
    turns = {turn.id: turn for turn in named or cued}
    if run.settings.zoom_out:
        for turn in list(turns.values()):
            window = await call(run.history.window, turn.session_id, turn.index, 1)
            turns |= {near.id: near for near in window if near.id not in turns}
    return list(turns.values())


def _latest(state: RecallState) -> list[str]:
    """Ids of the turns that came back last; the reason step since then has already been counted."""
    last = max((seen["step"] for seen in state["observation"]), default=0)
    return looked_at([seen for seen in state["observation"] if seen["step"] == last])


async def _reading(state: RecallState, run: Run, sight: Sight) -> Reply[str]:
    if sight.page is None and not sight.ocr:
        return Reply("", "store")
    request = PageRequest(question_of(state, run), sight.page, sight.turns, sight.ocr)
    return await call(run.policy.read_page, request)


def _observe(sight: Sight, reading: str, settings: Settings, *, step: int) -> Observation:
    if not sight.ocr and not reading.strip():
        return notice("view", "\n".join([_NOTHING_READ, *sight.notes]) if sight.turns else _NOTHING_TO_VIEW, step=step)
    below = _below(sight, reading, settings.observation_tokens)
    cap = settings.observation_tokens and settings.observation_tokens - text_tokens(below)
    turns = _shortened(sight.turns, cap)
    shown = observe_turns("view", turns, settings, step=step, cap=cap)
    readings = readings_of(turn for turn in turns if turn.id in shown["turns"])
    text = "\n\n".join(filter(None, [shown["text"], below]))
    tokens = shown["tokens"] + text_tokens(below)
    return shown | {"kind": "page", "text": text, "tokens": tokens, "readings": readings}


def _below(sight: Sight, reading: str, cap: int | None) -> str:
    """A model's reading, which belongs to no single turn, and what could not be opened; half of the cap at most."""
    in_words = "" if reading.strip() in ("", sight.ocr) else f"{_READ_FROM_PICTURES} {indented(reading.strip())}"
    text = "\n".join(filter(None, [in_words, *sight.notes]))
    return text if cap is None else _cut(text, 2 * cap)


def _shortened(turns: Sequence[Turn], cap: int | None) -> list[Turn]:
    """The turns with each picture's text cut to its share of three quarters of the cap."""
    if cap is None:
        return list(turns)
    room = 3 * cap // max(sum(len(turn.images) for turn in turns), 1)
    return [
        turn.model_copy(update={"images": tuple(_ocr_within(image, room) for image in turn.images)}) for turn in turns
    ]


def _ocr_within(image: Image, characters: int) -> Image:
    return image.model_copy(update={"ocr": _cut(image.ocr, characters)}) if image.ocr else image


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else text[:characters] + CUT


def create_view_tool(history: HistoryStore, *, reader: Reader | None = None) -> BaseTool:
    """`view` for an agent with its own loop, by OCR; the history is bound, never chosen by the model."""

    async def view(turn_id: str) -> str:
        """Look at the pictures of a turn of the conversation history, by the id that leads the turn: returns the text in them."""
        turns = await call(history.turns, [str(turn_named(turn_id))])
        if not turns:
            raise UnknownIdError(f"no turn {turn_id!r} in this history")
        sight = await call((reader or Reader()).read, turns)
        return "\n".join([render_turns(sight.turns), *sight.notes])

    return make_tool(view)
