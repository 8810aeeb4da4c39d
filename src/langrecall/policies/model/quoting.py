"""Put a model's quotes and ids right against the turns it was shown: small models shorten, re-case and misnumber."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

from langrecall.citations.quotes import LEAST_WORDS, locate
from langrecall.grounding.text import strip
from langrecall.policies.base import Line
from langrecall.records import Turn, TurnId

WORD = re.compile(r"\w+")
AROUND = "[](){}\"'` "
MOST_WORDS = 300
"""Words of a quote that are looked for; more of them would take a time that grows with both texts."""


@dataclass(frozen=True)
class Shown:
    """What a reason step was shown: the ids it may name, and the turns it may quote."""

    ids: Sequence[str]
    turns: Sequence[Turn]


@dataclass(frozen=True)
class Quote:
    """Words of a turn as they stand there."""

    turn: str
    text: str


def put_right(line: Line, shown: Shown) -> Line:
    """The line with its sources as turn ids and its quote as the turn has it; what cannot be found is left as it was given."""
    sources = turn_ids(line.sources, shown.ids)
    named = [turn for turn in shown.turns if turn.id in sources]
    quote = _as_given(line.quote, [*named, *shown.turns]) or _nearest(line.quote, named) or _nearest(line.text, named)
    if quote is None:
        return line.model_copy(update={"sources": sources})
    return Line(text=line.text, sources=list(dict.fromkeys([quote.turn, *sources])), quote=quote.text)


def _as_given(quote: str, turns: Sequence[Turn]) -> Quote | None:
    turn = locate(quote, turns) if quote.strip() else None
    return Quote(turn.id, quote) if turn else None


def _nearest(text: str, turns: Iterable[Turn]) -> Quote | None:
    """The longest run of the text's words that one of the turns holds, if it is long enough to be a quote."""
    wanted = [word.group().casefold() for word in islice(WORD.finditer(strip(text)), MOST_WORDS)]
    runs = [_run(wanted, turn) for turn in turns]
    size, quote = max(runs, key=lambda run: run[0], default=(0, None))
    return quote if size >= LEAST_WORDS else None


def turn_ids(given: Iterable[str], shown: Sequence[str]) -> list[str]:
    """Turn ids out of `"[s1:3]"`, `"s1:3, s1:4"`, `"s1: 3"`, another spelling of a shown id, or `"3"` where one session is shown."""
    names: list[str] = []
    for each in given:
        whole = each.strip(AROUND)
        pieces = [whole] if whole in shown else re.split("[,;]", whole)
        names += [_turn_id(piece.strip().strip(AROUND), shown) for piece in pieces]
    return list(dict.fromkeys(filter(None, names)))


def _run(wanted: Sequence[str], turn: Turn) -> tuple[int, Quote | None]:
    words = list(WORD.finditer(turn.text))
    spoken = [word.group().casefold() for word in words]
    match = SequenceMatcher(None, wanted, spoken, autojunk=False).find_longest_match()
    if not match.size:
        return 0, None
    first, last = words[match.b], words[match.b + match.size - 1]
    return match.size, Quote(turn.id, turn.text[first.start() : last.end()])


def _turn_id(name: str, shown: Sequence[str]) -> str:
    if name in shown or not name:
        return name
    sessions = {TurnId.parse(turn).session_id for turn in shown}
    if name.isdecimal() and len(sessions) == 1:
        return f"{sessions.pop()}:{name}"
    numbers = re.findall(r"\d+", name)
    alike = [turn for turn in shown if re.findall(r"\d+", turn) == numbers]
    return alike[0] if len(alike) == 1 else name
