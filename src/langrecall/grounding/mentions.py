"""A time expression found in a text, and what its words say."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from langrecall.grounding.intervals import MONTHS, Interval
from langrecall.language.tense import Tense, clause_tense, tense

_NUMBERS = {
    **{word: number for number, word in enumerate(("two", "three", "four", "five", "six", "seven"), 2)},
    **{word: number for number, word in enumerate(("eight", "nine", "ten", "eleven", "twelve"), 8)},
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
}
COUNTS = {
    **dict.fromkeys(("a", "an", "one"), (1, 1)),
    **{word: (number, number) for word, number in _NUMBERS.items()},
    **dict.fromkeys(("a couple of", "a couple", "couple of"), (2, 3)),
    **dict.fromkeys(("a few", "few"), (2, 5)),
    "several": (3, 7),
}
"""The least and the most that a counting word stands for."""

SHIFTS = {"last": -1, "this past": -1, "the past": -1, "this": 0, "next": 1, "this coming": 1, "the coming": 1}
"""How many units a word moves away from the current one."""

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_UNIT_NAMES = {"night": "day", "yr": "year", "wk": "week"}

Choice = Literal["over", "past", "present", "future", "ahead"]
"""Which of several dates is meant: the latest that is over or has begun, the one going on, the earliest still to end or to begin."""

_PERFECT = re.compile(r"(?:\b(?:have|has|haven't|hasn't)\b(?! to\b)|'ve\b|'s been\b)[^.!?;]*$", re.IGNORECASE)
_REACH = 80  # characters before a duration in which its auxiliary verb is looked for


class UndatedError(ValueError):
    """A relative expression in a text nobody knows the date of."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An expression found in a text, and the day it was said, if known."""

    found: re.Match[str]
    at: date | None

    @property
    def said(self) -> date:
        """The day it was said; raises `UndatedError`, which leaves the mention unresolved."""
        if self.at is None:
            raise UndatedError
        return self.at

    @property
    def tense(self) -> Tense:
        """The tense of the clause around it."""
        return tense(self.found.string, *self.found.span())

    @property
    def foretold(self) -> bool:
        """Whether its own clause is about the future."""
        return clause_tense(self.found.string, *self.found.span()) == "future"

    @property
    def perfect(self) -> bool:
        """Whether a present perfect leads up to it: `I have had them for`."""
        before = self.found.string[max(0, self.found.start() - _REACH) : self.found.start()]
        return bool(_PERFECT.search(before.replace("\u2019", "'")))

    @property
    def choice(self) -> Choice:
        """Which of several dates its words mean; `present` where neither they nor the tense say."""
        if shift := self.shift:
            return "over" if shift < 0 else "ahead"
        tense = "past" if self.word("since") else self.tense
        return tense if tense != "unknown" else "present"

    def word(self, name: str) -> str:
        """What that group matched, in lower case with single spaces and straight quotes; nothing where it took no part."""
        words = self.found.groupdict().get(name) or ""
        return " ".join(words.lower().replace("\u2019", "'").split())

    def number(self, name: str) -> int:
        """The number in that group, without its ordinal ending."""
        return int(self.word(name).rstrip("stndrh"))

    @property
    def shift(self) -> int:
        """How many units `last`, `this` or `next` moves; 0 without such a word."""
        return SHIFTS.get(self.word("shift"), 0)

    @property
    def unit(self) -> str:
        """The calendar unit it names, in the singular."""
        name = self.word("unit").rstrip("s")
        return _UNIT_NAMES.get(name, name)

    @property
    def weekday(self) -> int:
        """The weekday it names, Monday being 0."""
        return _WEEKDAYS.index(self.word("weekday")[:3])

    @property
    def month(self) -> int:
        """The month it names, 1 to 12."""
        name = (self.word("month") or self.word("month2"))[:3]
        return next(number for number, month in enumerate(MONTHS, 1) if month[:3].lower() == name)

    @property
    def counts(self) -> tuple[int, int]:
        """The least and the most units it speaks of."""
        word = self.word("count")
        return COUNTS.get(word) or (int(word), int(word))


Reading = Callable[[Mention], Interval | None]
"""The days a mention means, None where it stays ambiguous; raises `ValueError` or `OverflowError` where no calendar has them."""
