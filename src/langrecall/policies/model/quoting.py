"""Put a model's quotes and ids right against the turns it was shown: small models shorten, re-case and misnumber."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

from langrecall.citations.naming import turns_meant
from langrecall.citations.quotes import LEAST_WORDS, locate
from langrecall.grounding.text import strip
from langrecall.policies.base import Line
from langrecall.records import Turn

WORD = re.compile(r"\w+")
MOST_WORDS = 300
"""Words of a quote that are looked for; more of them would take a time that grows with both texts."""


@dataclass(frozen=True)
class Quote:
    """Words of a turn as they stand there."""

    turn: str
    text: str


def put_right(line: Line, ids: Collection[str], turns: Sequence[Turn]) -> Line:
    """The line with its sources as turn ids and its quote as the turn has it; what cannot be found is left as it was given.

    `ids` are those that the model was shown, `turns` what it may quote.
    """
    sources = list(dict.fromkeys(turn_id for source in line.sources for turn_id in turns_meant(source, ids)))
    named = [turn for turn in turns if turn.id in sources]
    quote = _as_given(line.quote, [*named, *turns]) or _nearest(line.quote, named) or _nearest(line.text, named)
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


def _run(wanted: Sequence[str], turn: Turn) -> tuple[int, Quote | None]:
    words = list(WORD.finditer(turn.text))
    spoken = [word.group().casefold() for word in words]
    match = SequenceMatcher(None, wanted, spoken, autojunk=False).find_longest_match()
    if not match.size:
        return 0, None
    first, last = words[match.b], words[match.b + match.size - 1]
    return match.size, Quote(turn.id, turn.text[first.start() : last.end()])
