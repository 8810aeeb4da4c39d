"""LoCoMo's evidence strings, read tolerantly: `D8:6; D9:17`, `D9:1 D4:4`, `D30:05`, `D:11:26`, lists of them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from langrecall.records import Session

_TURN = re.compile(r"D:?(\d+):(\d+)")


class Evidence(NamedTuple):
    """The turn ids that evidence names, without repeats in the order given, and what names none."""

    turns: tuple[str, ...]
    unresolved: tuple[str, ...]


def turn_ids(sessions: Iterable[Session]) -> dict[str, str]:
    """Each turn's own id by the id its file gave it."""
    return {turn.source_id: turn.id for session in sessions for turn in session.turns if turn.source_id}


def resolve(evidence: Iterable[object], ids: Mapping[str, str]) -> Evidence:
    """Look evidence up among the turns there are."""
    turns: dict[str, None] = {}
    unresolved: dict[str, None] = {}
    for name in _names(evidence):
        if (turn := ids.get(name)) is not None:
            turns[turn] = None
        else:
            unresolved[name] = None
    return Evidence(tuple(turns), tuple(unresolved))


def _names(evidence: Iterable[object]) -> Iterator[str]:
    for item in evidence:
        if isinstance(item, list):
            yield from _names(item)
        elif found := _TURN.findall(str(item)):
            yield from (f"D{int(session)}:{int(turn)}" for session, turn in found)
        else:
            yield str(item)
