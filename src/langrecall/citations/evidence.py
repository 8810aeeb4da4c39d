"""What turns offer to check words against: every date, time, number and name of a line is looked up in them."""

import re
from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from functools import cached_property

from dateutil.relativedelta import relativedelta

from langrecall.citations.quotes import quotable
from langrecall.citations.specifics import NAMES_AND_WORDS, PartialDate, names, partial_dates, words
from langrecall.grounding.intervals import Interval
from langrecall.grounding.intervals import day as day_of
from langrecall.grounding.text import ground
from langrecall.language.numerals import Number, numbers
from langrecall.records import Turn

_MAY = PartialDate(0, 3, "May", month=5)
_ONE = ("a", "an", "one", "another", "single", "only", "my", "our")
_YOU = {"you", "your", "yours", "yourself", "u", "ur"}
_SPAN = re.compile(r"\b(?P<count>\d{1,3})\s+(?P<unit>day|week|month|year)s?\b", re.IGNORECASE)
_LEAST_MISSPELT = 6
"""Letters of a word that may be a slip of another: in short ones a letter makes another name."""
_CLOCK = re.compile(r"\b(?P<hour>\d\d?):(?P<minute>\d\d)(?:\s?(?P<half>[ap])\.?m\b\.?)?", re.IGNORECASE)


class Evidence:
    """What a turn offers to check a line against."""

    def __init__(self, turn: Turn, people: Collection[str] = ()) -> None:
        self.turn = turn
        self._people = people
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
        if in_any_case or all(re.search(rf"\b{re.escape(part)}\b", self.text) for part in name.split()):
            return True
        return (name == _MAY.text and self.has_date(_MAY)) or name in self.addressed or self._has_slip_of(name)

    @cached_property
    def addressed(self) -> set[str]:
        """Who may be meant by its `you`: the names of those who speak in its session besides its speaker, whole and in part."""
        others = [name for name in self._people if name != self.turn.speaker]
        return {part for name in others for part in (name, *name.split())} if self.vocabulary & _YOU else set()

    def _has_slip_of(self, name: str) -> bool:
        """Whether each part of a name stands there with one letter more, one less, or two that changed places."""
        parts = [part.casefold() for part in name.split() if part.casefold() not in NAMES_AND_WORDS]
        return bool(parts) and all(any(_is_slip(part, word) for word in self.vocabulary) for part in parts)

    def has_date(self, claimed: PartialDate, line: str = "") -> bool:
        """Whether a date is that of the session or of a time expression, or is written in the text or in a label the line repeats."""
        return (
            any(claimed.is_part_of(date) for date in self.dates)
            or any(claimed.holds(when) or _bounds(claimed, when) for when in self.intervals)
            or any(claimed.text in label and label in line for label in self.labels)
            or (claimed.text.isdecimal() and (Decimal(claimed.text), False) in self.figures)
            or any(claimed.holds(when) for when in self.reckoned)
        )

    @cached_property
    def reckoned(self) -> list[Interval]:
        """The days that lie as far from one of its own as it counts: `three days after the 5th`."""
        spans = [(int(span["count"]), f"{span['unit'].lower()}s") for span in _SPAN.finditer(self.text)]
        days = [when.first for when in self.intervals if when.days == 1] if spans else []
        steps = [relativedelta(**{unit: count}) for count, unit in spans]  # type: ignore[arg-type]  # units are named by the pattern
        return [day_of(start + sign * step) for start in days for step in steps for sign in (1, -1)]

    def has_time(self, claimed: Interval, phrase: str) -> bool:
        """Whether a time expression of the line holds one of the turn's times, or is the turn's own; one that counts has to be equal."""
        if self.has_words(phrase) or claimed in self.intervals:
            return True
        counts = any(numbers(phrase))
        return not counts and any(claimed.first <= when.first and when.last <= claimed.last for when in self.intervals)

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


def lacking(line: str, held: Sequence[Evidence]) -> str | None:
    """The first date, time, number or name of a line that none of the evidence holds, as a phrase; None where all is borne out."""
    dates = list(partial_dates(line))
    for date in _distinct(dates):
        if not any(evidence.has_date(date, line) for evidence in held):
            return f"the date {date.text!r}"
    rest = _without(line, [(date.start, date.end) for date in dates])
    times = [(evidence, time) for evidence in held for time in ground(rest, evidence.turn.time)]
    borne_out = {time.text for evidence, time in times if evidence.has_time(time.interval, time.text)}
    if absent := next((time.text for _, time in times if time.text not in borne_out), None):
        return f"the time {absent!r}"
    clocks = [clock.span() for clock in _CLOCK.finditer(rest) if any(evidence.has_clock(clock) for evidence in held)]
    rest = _without(rest, [*((time.start, time.end) for _, time in times), *clocks])
    for number in numbers(rest):
        if not any(evidence.has_number(number) for evidence in held):
            return f"the number {number.text!r}"
    named = (name for name in dict.fromkeys(names(rest)) if not any(evidence.has_name(name) for evidence in held))
    return next((f"the name {name!r}" for name in named), None)


def _is_slip(word: str, other: str) -> bool:
    """Whether two words differ by one letter that is missing in one of them, or by two neighbours that changed places."""
    if word == other:
        return True
    short, long = sorted((word, other), key=len)
    if len(long) < _LEAST_MISSPELT or len(long) - len(short) > 1:
        return False
    place = next((at for at, (one, two) in enumerate(zip(short, long, strict=False)) if one != two), len(short))
    if len(short) < len(long):
        return short[place:] == long[place + 1 :]
    swapped = short[:place] + short[place + 1 : place + 2] + short[place : place + 1] + short[place + 2 :]
    return swapped == long


def _distinct(dates: Iterable[PartialDate]) -> list[PartialDate]:
    """The dates, each once however often it is written the same way."""
    return list({date[2:]: date for date in dates}.values())


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
