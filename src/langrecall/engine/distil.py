"""From the lines that a policy proposes to those that the memory takes: new, resting on turns it can know of, and checked."""

import re
from collections.abc import Collection, Iterable, Sequence

from langrecall.citations.verify import checked
from langrecall.engine.observations import looked_at
from langrecall.engine.run import Run
from langrecall.engine.turns import turns_read
from langrecall.policies.base import Line
from langrecall.records import Turn
from langrecall.state import MemoryLine, RecallState

STRETCH = 10
"""Turns of a stretch named as one source that are taken for sources; a line that needs more says too much."""
_STRETCH = re.compile(r"(?P<session>.+):(?P<first>\d{1,6})\s*[-\u2013]\s*(?P<last>\d{1,6})")


async def distil(lines: Sequence[Line], state: RecallState, run: Run) -> tuple[list[MemoryLine], str]:
    """The lines that are new, resting on turns that the policy can know of; and a note on what else they name."""
    shown = set(looked_at(state["observation"]))
    named = [[turn_id for source in line.sources for turn_id in _turn_ids(source)] for line in lines]
    ids = {turn_id for turn_ids in named for turn_id in turn_ids}
    known = {turn_id for turn_id in ids if turn_id in shown or _is_of(turn_id, state["seen"])}
    turns: list[Turn] = []
    if run.settings.raw_data:
        turns = await turns_read(sorted(known), state, run)
        known = {turn.id for turn in turns}
    rest_on = [[turn_id for turn_id in turn_ids if turn_id in known] for turn_ids in named]
    dropped = dict.fromkeys(turn_id for turn_ids in named for turn_id in turn_ids if turn_id not in known)
    note = f"dropped unknown ids: {', '.join(dropped)}" if dropped else ""
    return _new_lines(zip(lines, rest_on, strict=True), turns, state), note


def _new_lines(lines: Iterable[tuple[Line, list[str]]], turns: Sequence[Turn], state: RecallState) -> list[MemoryLine]:
    """The lines that say something not in memory yet, each checked against the turns it rests on."""
    texts = {line["text"] for line in state["memory"]}
    made: list[MemoryLine] = []
    for line, sources in lines:
        text = line.text.strip()
        if text and text not in texts:
            texts.add(text)
            key = f"{state['step'] + 1}.{len(made) + 1}"
            quote = line.quote.strip() or text
            made.append(checked(MemoryLine(id=key, text=text, sources=sources, quote=quote, verified=False), turns))
    return made


def _turn_ids(source: str) -> list[str]:
    """The ids that a source names: itself, or each turn of a stretch such as `s1:3-5`, of which models are fond."""
    name = source.strip()
    name = name[1:-1] if name.startswith("[") and name.endswith("]") else name
    stretch = _STRETCH.fullmatch(name)
    if not stretch:
        return [name]
    first, last = int(stretch["first"]), int(stretch["last"])
    return [f"{stretch['session']}:{index}" for index in range(first, last + 1)][:STRETCH]


def _is_of(name: str, seen: Collection[str]) -> bool:
    """Whether this is the id of a turn of a session whose entry was seen."""
    session_id, _, index = name.rpartition(":")
    return index.isdecimal() and session_id in seen
