"""Which turns or session words name: a model's sources, an action's argument, the brackets of an answer."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from langrecall.records import TurnId

STRETCH = 10
"""Turns of a stretch such as `s1:3-5`, of which models are fond, that are taken as named; who needs more says too much."""

_EDGES = " \t\r\n[](){}\"'`."
_BESIDE = r"\s,;\[\](){}\"'`"
"""What may stand beside an id among other words."""
_TURNS = r":[ ]?(?P<first>\d{1,6})(?:\s*[-\u2013]\s*(?P<last>\d{1,6}))?"
_IN_FORM = re.compile(r"\S+:\d+")


class Named(NamedTuple):
    """What words name."""

    ids: list[str]
    """Turns of known sessions, whether or not there are such turns, in the order named."""
    others: list[str]
    """What else stands there, in pieces between commas."""

    @property
    def unknown(self) -> list[str]:
        """Pieces that were meant for an id: by their form, or any where nothing else is named."""
        words = [word.strip(_EDGES) for piece in self.others for word in piece.split()] if self.ids else self.others
        return [word for word in words if not self.ids or has_form(word)]


def turns_named(words: str, sessions: Collection[str]) -> Named:
    """The turns of these sessions that words name, one by one or by a stretch; a session's id may itself hold what parts ids."""
    named_at: list[tuple[int, TurnId]] = []
    rest = words
    for session in sorted((each for each in sessions if each in words), key=len, reverse=True):
        named = re.compile(rf"(?<![^{_BESIDE}]){re.escape(session)}{_TURNS}(?=\.?(?:[{_BESIDE}]|$))")
        for match in named.finditer(rest):
            named_at += [(match.start(), TurnId(session, index)) for index in _stretch(match)]
        rest = named.sub(lambda match: "," * len(match[0]), rest)
    ids = [str(turn) for _, turn in sorted(named_at, key=lambda each: each[0])]
    pieces = (piece.strip(_EDGES) for piece in re.split(r"[,;\n]", rest))
    return Named(list(dict.fromkeys(ids)), [piece for piece in pieces if piece])


def session_named(words: str, sessions: Collection[str]) -> str | None:
    """The session whose id words are, as they stand or within brackets and quotes; else that of the first turn they name."""
    for name in (words, words.strip(_EDGES)):  # an id may itself have brackets
        if name in sessions:
            return name
    turns = turns_named(words, sessions).ids
    return TurnId.parse(turns[0]).session_id if turns else None


def turn_named(words: str) -> TurnId:
    """The turn whose id words are, as they stand or within brackets and quotes; raises `ValueError` where they are none."""
    name = words.strip()
    return TurnId.parse(name if name[-1:].isdecimal() else name.strip(_EDGES))


def turns_meant(words: str, shown: Collection[str]) -> list[str]:
    """The turns that words mean which are nothing but ids, among those shown or of their sessions.

    `1:3` may be meant for `session_1:3`, and `3` where one session is shown. What means none is left as it is, for somebody to report.
    """
    named = turns_named(words, sessions_of(shown))
    respelled = {piece: _respelled(piece, shown) for piece in named.others}
    return [*named.ids, *(turn or piece for piece, turn in respelled.items() if turn or piece in named.unknown)]


def sessions_of(turn_ids: Iterable[str]) -> set[str]:
    """The sessions of turns."""
    return {TurnId.parse(turn_id).session_id for turn_id in turn_ids}


def has_form(word: str) -> bool:
    """Whether a word looks like the id of a turn."""
    return _IN_FORM.fullmatch(word) is not None


def _stretch(match: re.Match[str]) -> Iterable[int]:
    first = int(match["first"])
    last = max(int(match["last"] or first), first)
    return range(first, last + 1)[:STRETCH]


def _respelled(piece: str, shown: Collection[str]) -> str | None:
    sessions = sessions_of(shown)
    if piece.isdecimal() and len(sessions) == 1:
        return f"{sessions.pop()}:{piece}"
    numbers = re.findall(r"\d+", piece)
    alike = [turn_id for turn_id in shown if re.findall(r"\d+", turn_id) == numbers]
    return alike[0] if len(alike) == 1 else None
