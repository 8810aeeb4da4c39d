"""Check that a memory line rests on the turn it names: the quote is there, and so is every number, date and name it claims."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from langrecall.grounding import ground, strip
from langrecall.intervals import Interval
from langrecall.intervals import day as day_of
from langrecall.records import Turn
from langrecall.specifics import PartialDate, names, numbers, partial_dates, words

LEAST_WORDS = 5
"""A quote shorter than the whole turn has at least so many words."""

LEAST_CHARACTERS = 8
"""The same for scripts that put no blanks between words, in characters."""

_QUOTES = str.maketrans(
    dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"') | dict.fromkeys("\u2018\u2019\u201a\u0060\u00b4", "'")
)
_EDGES = " \"'.,;:!?\u2026\u3002\uff0c\uff01\uff1f"
# Thai, Lao, Burmese, Khmer, kana, Han and hangul.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_IMAGE_NOTE = re.compile(r"\[image: ([^\]]*?)(?:; text in it:([^\]]*))?\]")
_CLOCK = re.compile(r"\b(?P<hour>\d\d?):(?P<minute>\d\d)(?:\s?(?P<half>[ap])\.?m\b\.?)?", re.IGNORECASE)


class Check(NamedTuple):
    """What became of one line: the turn that holds its quote, if any, and why the line is verified or not."""

    verified: bool
    turn: Turn | None
    reason: str


def verify(text: str, quote: str, turns: Sequence[Turn]) -> Check:
    """Check the line `text`, which is said to rest on `quote` of one of `turns`.

    The quote is a whole turn or at least five words of one, word for word but for white space and quotation marks. Every number, date
    and proper name of the line is in that turn (captions and text of its pictures included), or is its speaker, or the date of its
    session; a date may also be what the turn's own time expressions were grounded to, in any rendering. More is out of reach: a line
    that negates or twists its quote but names nothing new passes.
    """
    holding = [_Evidence(turn) for turn in _holding(quote, turns)]
    if not holding:
        return Check(verified=False, turn=None, reason=_why_not_found(quote, turns))
    failures = [(evidence, _unsupported(strip(text), evidence)) for evidence in holding]
    evidence, failure = next((pair for pair in failures if pair[1] is None), failures[0])
    if failure:
        return Check(verified=False, turn=evidence.turn, reason=f"{failure} is not in {evidence.turn.id}")
    return Check(verified=True, turn=evidence.turn, reason=f"quote, numbers, dates and names are in {evidence.turn.id}")


def locate(quote: str, turns: Sequence[Turn]) -> Turn | None:
    """The first turn of which `quote` is the whole or at least five words; None where it is too short or nowhere."""
    return next(_holding(quote, turns), None)


class _Evidence:
    """What a turn offers to check a line against."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.text = f"{turn.speaker}: {_said(turn)}"
        session = [day_of(turn.time.date())] if turn.time else []
        self.intervals = [*session, *(found.interval for found in ground(turn.text, turn.time))]

    @cached_property
    def spoken(self) -> str:
        """Its words in a row, a blank on either side of each."""
        return f" {' '.join(words(self.text))} "

    @cached_property
    def dates(self) -> list[PartialDate]:
        """The dates written in it."""
        return list(partial_dates(self.text))

    def has_words(self, phrase: str) -> bool:
        """Whether these words stand there in a row."""
        return f" {' '.join(words(phrase))} " in self.spoken

    def has_name(self, name: str) -> bool:
        """Whether a name stands there, or each of its parts with its capital: a first name may be the speaker's, the last in the text."""
        return self.has_words(name) or all(re.search(rf"\b{re.escape(part)}\b", self.text) for part in name.split())

    def has_date(self, claimed: PartialDate, line: str) -> bool:
        """Whether a date is that of the session or of a time expression, or is written in the text or in a label the line repeats."""
        labels = [when.label() for when in self.intervals if when.label() in line]
        return (
            any(claimed.holds(when) or _bounds(claimed, when) for when in self.intervals)
            or any(claimed.is_part_of(date) for date in self.dates)
            or any(claimed.text in label for label in labels)
            or (claimed.text.isdecimal() and (Decimal(claimed.text), False) in self.figures)
        )

    def has_time(self, claimed: Interval, phrase: str) -> bool:
        """Whether a time expression of the line holds one of the turn's times, or is the turn's own."""
        return self.has_words(phrase) or any(
            claimed.first <= when.first and when.last <= claimed.last for when in self.intervals
        )

    def has_clock(self, clock: re.Match[str]) -> bool:
        """Whether a time of day is that of the session."""
        hour = int(clock["hour"])
        if half := (clock["half"] or "").lower():
            hour = hour % 12 + 12 * (half == "p")
        at = self.turn.time
        return at is not None and (at.hour, at.minute) == (hour, int(clock["minute"]))

    @cached_property
    def figures(self) -> set[tuple[Decimal, bool]]:
        """The numbers in it, each with whether it is an ordinal; the day of a grounded date counts as one, as in `on the 7th`."""
        days = {(Decimal(when.first.day), True) for when in self.intervals if when.days == 1}
        return days | {(number.value, number.ordinal) for number in numbers(self.text)}


def _unsupported(line: str, evidence: _Evidence) -> str | None:
    """The first date, number or name of a line that the evidence lacks, as a phrase."""
    for date in (dates := list(partial_dates(line))):
        if not evidence.has_date(date, line):
            return f"the date {date.text!r}"
    rest = _without(line, [(date.start, date.end) for date in dates])
    times = ground(rest, evidence.turn.time)
    for time in times:
        if not evidence.has_time(time.interval, time.text):
            return f"the time {time.text!r}"
    clocks = [clock.span() for clock in _CLOCK.finditer(rest) if evidence.has_clock(clock)]
    return _unsupported_words(_without(rest, [*((time.start, time.end) for time in times), *clocks]), evidence)


def _unsupported_words(line: str, evidence: _Evidence) -> str | None:
    for number in numbers(line):
        if (number.value, number.ordinal) not in evidence.figures:
            return f"the number {number.text!r}"
    return next((f"the name {name!r}" for name in names(line) if not evidence.has_name(name)), None)


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with commas in place of what was checked already: they part what stands on either side."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = "," * (end - start)
    return "".join(characters)


def _bounds(claimed: PartialDate, when: Interval) -> bool:
    """Whether a year is the first or the last of several: `since 2016` of 2016-2023."""
    alone = claimed.year is not None and claimed.month is None
    return alone and when.granularity == "years" and claimed.year in (when.first.year, when.last.year)


def _holding(quote: str, turns: Sequence[Turn]) -> Iterator[Turn]:
    for turn in turns:
        for form in _forms(quote, turn):
            if _occurs(form, turn) and (_is_whole(form, turn) or _is_long(form)):
                yield turn
                break


def _why_not_found(quote: str, turns: Sequence[Turn]) -> str:
    if not turns:
        return "no turn is named"
    if any(_occurs(form, turn) for turn in turns for form in _forms(quote, turn)):
        return f"the quote is too short: it takes a whole turn or {LEAST_WORDS} words of it"
    return f"the quote is not in {', '.join(turn.id for turn in turns)}"


def _said(turn: Turn) -> str:
    """The text of a turn with the captions of its pictures and the text in them."""
    shown = [part for image in turn.images for part in (image.caption, image.ocr)]
    return " ".join(part for part in (turn.text, *shown) if part)


def _normal(text: str) -> str:
    return " ".join(text.translate(_QUOTES).split())


def _core(text: str) -> str:
    """The normal form without punctuation around it, unless nothing else is there."""
    normal = _normal(text)
    return normal.strip(_EDGES) or normal


def _forms(quote: str, turn: Turn) -> list[str]:
    """The quote as given, and as it would read in the raw turn if it was copied from a shown one."""
    lead = re.compile(rf"^\s*(?:\[{re.escape(turn.id)}\]\s*)?(?:{re.escape(turn.speaker)}(?: \(\w+\))?:\s+)?")
    raw = _IMAGE_NOTE.sub(lambda note: " ".join(filter(None, note.groups())), strip(lead.sub("", quote, count=1)))
    return [form for form in dict.fromkeys((_core(quote), _core(raw))) if form]


def _occurs(form: str, turn: Turn) -> bool:
    before, after = ("" if _UNSPACED.match(edge) or not edge.isalnum() else r"\b" for edge in (form[0], form[-1]))
    return re.search(f"{before}{re.escape(form)}{after}", _normal(_said(turn))) is not None


def _is_whole(form: str, turn: Turn) -> bool:
    return form in (_core(turn.text), _core(_said(turn)))


def _is_long(form: str) -> bool:
    return len(words(form)) >= LEAST_WORDS or len(_UNSPACED.findall(form)) >= LEAST_CHARACTERS
