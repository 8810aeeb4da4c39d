"""What of a line can be checked word by word, besides its numbers: its dates and its proper names."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from langrecall.grounding.intervals import MONTHS, Interval
from langrecall.language.numerals import WORD_AFTER
from langrecall.language.ordinary_words import ORDINARY_WORDS
from langrecall.language.sentences import statement_starts
from langrecall.language.tense import clause_tense

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH = rf"(?:{'|'.join(MONTHS)}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_DAYS = r"(?P<day{0}>\d{{1,2}})(?:st|nd|rd|th)?(?:\s?[-\u2013]\s?(?P<last{0}>\d{{1,2}})(?:st|nd|rd|th)?)?"
_YEAR = r"(?:19|20)\d\d"
_DATE = re.compile(
    rf"\b(?:(?P<year1>{_YEAR})-(?P<number>\d\d?)-(?P<day1>\d\d?)"
    rf"|{_DAYS.format(2)}\s+(?:of\s+)?(?P<month2>{_MONTH})(?:,?\s+(?P<year2>{_YEAR}))?"
    rf"|(?P<month3>{_MONTH})\s+{_DAYS.format(3)}(?:,?\s+(?P<year3>{_YEAR}))?"
    rf"|(?P<month4>{_MONTH})(?:,?\s+(?:of\s+)?(?P<year4>{_YEAR}))?"
    rf"|(?P<year5>{_YEAR})|(?P<weekday>{'|'.join(_WEEKDAYS)}))(?!\w)",
    re.IGNORECASE,
)

_TOKEN = re.compile(r"(?<!\w)[^\W\d_]\w*(?:['\u2019]\w+)*")
_SUFFIX = re.compile(r"['\u2019](?:s|m|re|ve|ll|d)?$", re.IGNORECASE)
_NEVER_NAMES = {"i", "am", "pm", "ok", "okay"}
NAMES_AND_WORDS = {"will", "may"}
"""Ordinary words that are names as well."""
_SAID_OF_SOMEBODY = {"and", "is", "has", "does", "says", "will", "would", "can", "could", "should"}


class PartialDate(NamedTuple):
    """A date of a line as far as it is given: `May`, `7 May`, `May 2023`, `Friday`."""

    start: int
    end: int
    text: str
    year: int | None = None
    month: int | None = None
    days: tuple[int, int] | None = None
    weekday: int | None = None

    def holds(self, when: Interval) -> bool:
        """Whether all of an interval is what the date says, as `May 2023` says of 7 May 2023."""
        first, last = when.first, when.last
        return (
            self.year in (None, first.year)
            and self.year in (None, last.year)
            and (self.month is None or (first.year == last.year and first.month == last.month == self.month))
            and (self.days is None or self.days[0] <= first.day <= last.day <= self.days[1])
            and (self.weekday is None or (first == last and first.weekday() == self.weekday))
        )

    def is_part_of(self, fuller: "PartialDate") -> bool:
        """Whether `fuller` says all that this date says."""
        return all(mine in (None, theirs) for mine, theirs in zip(self[3:], fuller[3:], strict=True))


def partial_dates(text: str) -> Iterator[PartialDate]:
    """The dates of a text. `may` and `march` are taken for months where a year is with them or a capital, though not the sentence's."""
    starts = statement_starts(text)
    for found in _DATE.finditer(text):
        parts = {name.rstrip("12345"): value for name, value in found.groupdict().items() if value}
        month = parts.get("month", "")
        alone = parts.keys() == {"month"}
        verb = month in ("may", "march") or (alone and month in ("May", "March") and found.start() in starts)
        if "year" in parts or not (verb or (alone and month.islower())):
            yield PartialDate(found.start(), found.end(), found[0], *_fields(parts))


def names(text: str) -> list[str]:
    """Runs of capitalised words, without a possessive ending; a sentence's first word only if it is no ordinary one.

    Scripts without capitals have no names that could be told so.
    """
    runs: list[tuple[int, list[str]]] = []
    for found in _capitalised(text):
        word = _SUFFIX.sub("", found[0])
        if runs and text[runs[-1][0] : found.start()].strip(" -&") == "" and runs[-1][0] < found.start():
            runs[-1][1].append(word)
            runs[-1] = (found.end(), runs[-1][1])
        else:
            runs.append((found.end(), [word]))
    return [" ".join(words) for _, words in runs]


def words(text: str) -> list[str]:
    """The words of a text in lower case, without a possessive ending."""
    straight = text.replace("\u2019", "'")
    return [_SUFFIX.sub("", found[0]).casefold() for found in re.finditer(r"\w+(?:'\w+)*", straight)]


def _fields(parts: dict[str, str]) -> tuple[int | None, int | None, tuple[int, int] | None, int | None]:
    year = int(parts["year"]) if "year" in parts else None
    month = int(parts["number"]) if "number" in parts else None
    if "month" in parts:
        month = next(number for number, name in enumerate(MONTHS, 1) if name[:3].lower() == parts["month"][:3].lower())
    first = int(parts["day"]) if "day" in parts else None
    days = (first, int(parts.get("last", first))) if first is not None else None
    return year, month, days, _WEEKDAYS.index(parts["weekday"].lower()) if "weekday" in parts else None


def _capitalised(text: str) -> Iterator[re.Match[str]]:
    found = [
        one
        for one in _TOKEN.finditer(text)
        if one[0] != one[0].lower() and _SUFFIX.sub("", one[0]).lower() not in _NEVER_NAMES
    ]
    starts = statement_starts(text)
    inside = {one[0].lower() for one in found if one.start() not in starts}
    for one in found:
        word = _SUFFIX.sub("", one[0].lower())
        ordinary = word in ORDINARY_WORDS or word.endswith(("n't", "n\u2019t"))
        opens = one.start() in starts and one[0].lower() not in inside
        if not (ordinary and opens) or _is_somebody(word, text, one):
            yield one


def _is_somebody(word: str, text: str, found: re.Match[str]) -> bool:
    """Whether a `Will` or `May` owns something or does what no question could go on with: `Will's dog`, `May adopted`."""
    if word not in NAMES_AND_WORDS:
        return False
    following = WORD_AFTER.match(text, found.end())
    does = following[1] if following else ""
    if word == "may" and does in ("is", "was"):  # which can be said of the month
        return False
    return found[0].lower() != word or does in _SAID_OF_SOMEBODY or clause_tense(does, 0, len(does)) == "past"
