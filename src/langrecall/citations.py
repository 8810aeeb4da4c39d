"""Check that a memory line rests on the turn it names: the quote is there, and so is every number, date and name it claims."""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from langrecall.grounding import ground, strip
from langrecall.intervals import Interval
from langrecall.intervals import day as day_of
from langrecall.numerals import Number, numbers
from langrecall.records import Turn
from langrecall.specifics import NAMES_AND_WORDS, PartialDate, names, partial_dates, words

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
_INSERTION = re.compile(r" \[= ([^\]]*)\]")
_IMAGE_NOTE = re.compile(r"\[image: ([^\]]*?)(?:; text in it:([^\]]*))?\]")
_MAY = PartialDate(0, 3, "May", month=5)
_ONE = ("a", "an", "one", "another", "single", "only", "my", "our")
_CLOCK = re.compile(r"\b(?P<hour>\d\d?):(?P<minute>\d\d)(?:\s?(?P<half>[ap])\.?m\b\.?)?", re.IGNORECASE)


class Check(NamedTuple):
    """What became of one line: the turn that holds its quote, if any, and why the line is verified or not."""

    verified: bool
    turn: Turn | None
    reason: str


def verify(text: str, quote: str, turns: Sequence[Turn]) -> Check:
    """Check the line `text`, which is said to rest on `quote` of one of `turns`.

    The quote is a whole turn or at least five words of one, word for word but for white space and quotation marks; it runs from the text
    into a caption only where it shows that a picture begins. Every number, date and proper name of the line is in that turn (captions
    and text of its pictures included), or is its speaker, or the date of its session; a date may also be what the turn's own time
    expressions were grounded to, in any rendering. More is out of reach: a line that negates or twists its quote but names nothing new
    passes.
    """
    holding = [_Evidence(turn) for turn in _holding(quote, turns)]
    if not holding:
        return Check(verified=False, turn=None, reason=_why_not_found(quote, turns))
    failures = [
        (evidence, _unsupported(_without_own_insertions(text, evidence.turn), evidence)) for evidence in holding
    ]
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
        self.text = f"{turn.speaker}: {' '.join(_parts(turn))}"
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


def _parts(turn: Turn) -> list[str]:
    """The text of a turn, the captions of its pictures and the text in them."""
    shown = [part for image in turn.images for part in (image.caption, image.ocr)]
    return [part for part in (turn.text, *shown) if part]


def _normal(*parts: str | None) -> str:
    """The parts without differences of white space and quotation marks, a line each."""
    lines = [" ".join(part.translate(_QUOTES).split()) for part in parts if part]
    return "\n".join(filter(None, lines))


def _core(normal: str) -> str:
    """A normal form without punctuation around it, unless nothing else is there."""
    return normal.strip(_EDGES) or normal


def _forms(quote: str, turn: Turn) -> list[str]:
    """The quote as given, and as it would read in the raw turn if it was copied from a shown one."""
    lead = re.compile(rf"^\s*(?:\[{re.escape(turn.id)}\]\s*)?(?:{re.escape(turn.speaker)}(?: \(\w+\))?:\s+)?")
    raw = _without_own_insertions(lead.sub("", quote, count=1), turn)
    end = raw.rfind("]") + 1  # beyond it no note closes, however many begin
    *pieces, last = _IMAGE_NOTE.split(raw[:end])
    forms = (_core(_normal(quote)), _core(_normal(*pieces, f"{last}{raw[end:]}")))
    return [form for form in dict.fromkeys(forms) if form]


def _without_own_insertions(shown: str, turn: Turn) -> str:
    """The raw text behind a shown one; an insertion that the turn's time expressions do not bear out stays, and is checked as text."""
    if "[=" not in shown:
        return shown
    own = {found.label() for found in ground(turn.text, turn.time)}
    end = shown.rfind("]") + 1  # beyond it none closes, however many begin
    kept = _INSERTION.sub(lambda note: "" if note[1] in own else _as_text(note[0]), shown[:end])
    return strip(f"{kept}{_as_text(shown[end:])}")


def _as_text(insertions: str) -> str:
    """With one equals sign more, as a mark is shown that the text has of its own."""
    return insertions.replace("[= ", "[== ")


def _occurs(form: str, turn: Turn) -> bool:
    before, after = ("" if _UNSPACED.match(edge) or not edge.isalnum() else r"\b" for edge in (form[0], form[-1]))
    return re.search(f"{before}{re.escape(form)}{after}", _normal(*_parts(turn))) is not None


def _is_whole(form: str, turn: Turn) -> bool:
    whole = (*map(_normal, _parts(turn)), _normal(*_parts(turn)))
    return form in map(_core, whole)


def _is_long(form: str) -> bool:
    return len(words(form)) >= LEAST_WORDS or len(_UNSPACED.findall(form)) >= LEAST_CHARACTERS
