"""Check that a memory line rests on the turn it names: the quote is there, and so is every number, date and name it claims."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from langrecall.citations.quotes import holding, quotable, why_not_found, without_own_insertions
from langrecall.citations.specifics import NAMES_AND_WORDS, PartialDate, names, partial_dates, words
from langrecall.grounding.intervals import Interval
from langrecall.grounding.intervals import day as day_of
from langrecall.grounding.text import ground
from langrecall.language.numerals import Number, numbers
from langrecall.records import Turn
from langrecall.state import MemoryLine

_MAY = PartialDate(0, 3, "May", month=5)
_ONE = ("a", "an", "one", "another", "single", "only", "my", "our")
_CLOCK = re.compile(r"\b(?P<hour>\d\d?):(?P<minute>\d\d)(?:\s?(?P<half>[ap])\.?m\b\.?)?", re.IGNORECASE)


class Check(NamedTuple):
    """What became of one line: the turn that holds its quote, if any, and why the line is verified or not."""

    verified: bool
    turn: Turn | None
    reason: str


def checked(line: MemoryLine, turns: Sequence[Turn]) -> MemoryLine:
    """The line as the turns among its sources bear it out, the turn that holds its quote first."""
    by_id = {turn.id: turn for turn in turns}
    check = verify(line["text"], line["quote"], [by_id[source] for source in line["sources"] if source in by_id])
    first = [check.turn.id] if check.turn else []
    return line | {"sources": list(dict.fromkeys([*first, *line["sources"]])), "verified": check.verified}


def verify(text: str, quote: str, turns: Sequence[Turn]) -> Check:
    """Check the line `text`, which is said to rest on `quote` of one of `turns`.

    The quote is a whole turn or at least five words of one, word for word but for white space and quotation marks; it runs from the text
    into a caption only where it shows that a picture begins. Every number, date and proper name of the line is in that turn (captions
    and text of its pictures included), or is its speaker, or the date of its session; a date may also be what the turn's own time
    expressions were grounded to, in any rendering. More is out of reach: a line that negates or twists its quote but names nothing new
    passes.
    """
    offered = [_Evidence(turn) for turn in holding(quote, turns)]
    if not offered:
        return Check(verified=False, turn=None, reason=why_not_found(quote, turns))
    failures = [(evidence, _unsupported(without_own_insertions(text, evidence.turn), evidence)) for evidence in offered]
    evidence, failure = next((pair for pair in failures if pair[1] is None), failures[0])
    if failure:
        return Check(verified=False, turn=evidence.turn, reason=f"{failure} is not in {evidence.turn.id}")
    return Check(verified=True, turn=evidence.turn, reason=f"quote, numbers, dates and names are in {evidence.turn.id}")


class _Evidence:
    """What a turn offers to check a line against."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.text = f"{turn.speaker}: {' '.join(quotable(turn))}"
        session = [day_of(turn.time.date())] if turn.time else []
        grounded = (found.interval for found in ground(turn.text, turn.time))
        self.intervals = list(dict.fromkeys([*session, *grounded]))

    @cached_property
    def spoken(self) -> str:
        """Its words in a row, a blank on either side of each."""
        return f" {' '.join(words(self.text))} "

    @cached_property
    def vocabulary(self) -> set[str]:
        """Its words."""
        return set(self.spoken.split())

    @cached_property
    def dates(self) -> list[PartialDate]:
        """The dates written in it, each once."""
        return _distinct(partial_dates(self.text))

    @cached_property
    def labels(self) -> list[str]:
        """How its intervals are written."""
        return [when.label() for when in self.intervals]

    def has_words(self, phrase: str) -> bool:
        """Whether these words stand there in a row."""
        wanted = words(phrase)
        return self.vocabulary.issuperset(wanted) and f" {' '.join(wanted)} " in self.spoken

    def has_name(self, name: str) -> bool:
        """Whether a name stands there, or each of its parts with its capital: a first name may be the speaker's, the last in the text."""
        in_any_case = name.lower() not in NAMES_AND_WORDS and self.has_words(name)
        with_capitals = in_any_case or all(re.search(rf"\b{re.escape(part)}\b", self.text) for part in name.split())
        return with_capitals or (name == _MAY.text and self.has_date(_MAY))

    def has_date(self, claimed: PartialDate, line: str = "") -> bool:
        """Whether a date is that of the session or of a time expression, or is written in the text or in a label the line repeats."""
        return (
            any(claimed.is_part_of(date) for date in self.dates)
            or any(claimed.holds(when) or _bounds(claimed, when) for when in self.intervals)
            or any(claimed.text in label and label in line for label in self.labels)
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

    def has_number(self, number: Number) -> bool:
        """Whether a number stands there in any spelling; `one` also as an article or a possessive."""
        return (number.value, number.ordinal) in self.figures or (number.text.lower() == "one" and self.has_one)

    @cached_property
    def has_one(self) -> bool:
        """Whether it speaks of one thing: `a dog`, `my dog`."""
        return any(map(self.has_words, _ONE))

    @cached_property
    def figures(self) -> set[tuple[Decimal, bool]]:
        """The numbers in it, each with whether it is an ordinal; the day of a grounded date counts as one, as in `on the 7th`."""
        days = {(Decimal(when.first.day), True) for when in self.intervals if when.days == 1}
        halves = {(Decimal("0.5"), False)} if self.has_words("half") else set()
        return days | halves | {(number.value, number.ordinal) for number in numbers(self.text)}


def _unsupported(line: str, evidence: _Evidence) -> str | None:
    """The first date, number or name of a line that the evidence lacks, as a phrase."""
    dates = list(partial_dates(line))
    for date in _distinct(dates):
        if not evidence.has_date(date, line):
            return f"the date {date.text!r}"
    rest = _without(line, [(date.start, date.end) for date in dates])
    times = ground(rest, evidence.turn.time)
    for time in {(time.text, time.interval): time for time in times}.values():
        if not evidence.has_time(time.interval, time.text):
            return f"the time {time.text!r}"
    clocks = [clock.span() for clock in _CLOCK.finditer(rest) if evidence.has_clock(clock)]
    return _unsupported_words(_without(rest, [*((time.start, time.end) for time in times), *clocks]), evidence)


def _distinct(dates: Iterable[PartialDate]) -> list[PartialDate]:
    """The dates, each once however often it is written the same way."""
    return list({date[2:]: date for date in dates}.values())


def _unsupported_words(line: str, evidence: _Evidence) -> str | None:
    for number in numbers(line):
        if not evidence.has_number(number):
            return f"the number {number.text!r}"
    return next((f"the name {name!r}" for name in dict.fromkeys(names(line)) if not evidence.has_name(name)), None)


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
