"""Resolve time expressions against the date they were said on, without a model; what is ambiguous stays unresolved.

A raw text is never changed: `annotate` shows the days beside the words, and `strip` takes them out again.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple

from langrecall.grounding.expressions import EXPRESSIONS, OPENING, SIGNS
from langrecall.grounding.intervals import Interval
from langrecall.grounding.mentions import Mention
from langrecall.records import Granularity, TimeCue, Turn

VERSION = 1
"""Raised whenever some text is read differently: stored histories of another version are ingested anew."""

_INSERTION = re.compile(r" \[= [^\]]*\]")
# A text that holds a mark like ours of its own is shown with one equals sign more, so that `strip` can tell them apart.
_OWN_MARK = re.compile(r"\[(=+ )")
_SHIELDED_MARK = re.compile(r"\[=(=+ )")
_GROUP_NAME = re.compile(r"\?P<\w+>")


def _compiled(pattern: str) -> re.Pattern[str]:
    spaced = pattern.replace(" ", r"\s+").replace("'", r"['\u2019]")
    # ASCII, or else case folding lets the long s of old prints pass for an s.
    return re.compile(rf"\b{OPENING}(?:{spaced})(?:['\u2019]s)?(?!\w)", re.IGNORECASE | re.ASCII)


_NAMED = [_compiled(expression.pattern) if expression.reading else None for expression in EXPRESSIONS]
# One search for all, whose groups are the rows of the table; the row found is matched again for its named groups.
_ANY_EXPRESSION = _compiled("|".join(f"({_GROUP_NAME.sub('?:', expression.pattern)})" for expression in EXPRESSIONS))


class Grounded(NamedTuple):
    """A time expression at `text[start:end]` and the days it means, both ends included."""

    start: int
    end: int
    text: str
    first: date
    last: date
    granularity: Granularity

    @property
    def interval(self) -> Interval:
        """The days it means."""
        return Interval(self.first, self.last, self.granularity)

    def label(self) -> str:
        """The days as a person writes them: `7 May 2023`, `the week of 1 May 2023`, `April 2023`, `2022`."""
        return self.interval.label()


def ground(text: str, said: datetime | None) -> list[Grounded]:
    """The expressions that mean certain days, in order; without a date only those that need none, such as `May 2021`.

    "last week" is the calendar week before, "last Friday" the latest Friday before, and "in March" or "on Friday" go by tense.
    """
    return list(_grounded(text, said.date() if said else None))


def annotate(text: str, said: datetime | None) -> str:
    """`yesterday` said on 8 May 2023 becomes `yesterday [= 7 May 2023]`; what names its year already is left as it is."""
    pieces, shown = [], 0
    for one in ground(text, said):
        note = "" if str(one.first.year) in one.text else f" [= {one.label()}]"
        pieces += [_shield(text[shown : one.end]), note]
        shown = one.end
    return "".join([*pieces, _shield(text[shown:])])


def strip(annotated: str) -> str:
    """The raw text behind an annotated one."""
    return _SHIELDED_MARK.sub(r"[\1", _INSERTION.sub("", annotated))


def time_cues(turn: Turn) -> tuple[TimeCue, ...]:
    """The time expressions of a turn, against its own time."""
    return tuple(
        TimeCue(text=one.text, turn=turn.index, start=one.first, end=one.last, granularity=one.granularity)
        for one in ground(turn.text, turn.time)
    )


def _shield(raw: str) -> str:
    return _OWN_MARK.sub(r"[=\1", raw)


def _grounded(text: str, said: date | None) -> Iterator[Grounded]:
    lowered = text.lower()
    if not any(sign in lowered for sign in SIGNS):
        return
    for found in _ANY_EXPRESSION.finditer(text):
        when = _read(text, found, said)
        if when and not _is_title(text, found):
            yield Grounded(*found.span(), found[0], when.first, when.last, when.granularity)


def _read(text: str, found: re.Match[str], said: date | None) -> Interval | None:
    row = (found.lastindex or 1) - 1
    named, reading = _NAMED[row], EXPRESSIONS[row].reading
    again = named.match(text, found.start()) if named else None
    if reading is None or again is None:
        return None
    try:
        return reading(Mention(again, said))
    except (ValueError, OverflowError):  # no such day, or nothing to count from
        return None


def _is_title(text: str, found: re.Match[str]) -> bool:
    """Whether quotation marks hold nothing else, as around a film called "Yesterday"."""
    before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
    return before in ('"', "\u201c") and after in ('"', "\u201d")
