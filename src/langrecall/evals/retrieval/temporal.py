"""Whether grounded time expressions agree with a benchmark's gold times: `The sunday before 25 May 2023`, `June, 2023`, `2022`.

The reading of gold answers is written apart from `langrecall.grounding.text`, whose work it measures; both count from
`langrecall.grounding.intervals`.
"""

import re
from collections.abc import Callable, Iterable
from datetime import date
from difflib import get_close_matches
from typing import Literal

from langrecall.grounding.intervals import (
    MONTHS,
    UNITS,
    Interval,
    day,
    month,
    nth_week,
    nth_weekend,
    season,
    spanning,
    weekday_after,
    weekday_before,
    weekend,
    year,
)

Agreement = Literal["right", "wrong", "unresolved"]

_WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH_NAMES = tuple(name.lower() for name in MONTHS)
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORDS = {"a": 1, "an": 1, "the": 1} | {word: number for number, word in enumerate(_NUMBERS, 1)}
_FEW = {"a couple of": (2, 3), "a few": (2, 5), "few": (2, 5), "several": (3, 7)}
_NTH = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}
_PARTS = {
    **dict.fromkeys(("early", "beginning of", "start of"), (1, 10)),
    **dict.fromkeys(("mid", "middle of"), (11, 20)),
    **dict.fromkeys(("late", "end of"), (21, 31)),
}

_WEEKDAY = "|".join(_WEEKDAY_NAMES)
_MONTH = r"(?P<month>[a-z]{3,})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:\W*(?P<year>\d{4}))?"
_DATES = (
    rf"{_DAY}\W*(?:of )?{_MONTH}{_YEAR}",
    rf"{_MONTH}\W*{_DAY}(?:\W+(?P<year>\d{{4}}))?",
    rf"{_MONTH}{_YEAR}",
)
_UNIT = "day|weekend|week|month|year"
_COUNT = rf"\d+|{'|'.join([*_FEW, *_WORDS])}"

EXPRESSIONS = (
    r"yesterday|today|tonight|tomorrow|last night|the other day",
    rf"(?:last|this|next)(?: past| coming)? (?:day|weekend|week|month|year|spring|summer|fall|autumn|winter|{_WEEKDAY}"
    r"|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)",
    rf"{_WEEKDAY}",
    rf"(?:{_COUNT}|couple of) (?:{_UNIT}|{_WEEKDAY})s? ago",
    r"(?-i:January|February|March|April|May|June|July|August|September|October|November|December)",
)
"""The relative expressions by which the questions that measure grounding are chosen: one of them stands in an evidence turn."""

_ANY_EXPRESSION = re.compile(rf"\b(?:{'|'.join(EXPRESSIONS)})\b", re.IGNORECASE)


def holds_expression(text: str) -> bool:
    """Whether a turn holds one of `EXPRESSIONS`."""
    return _ANY_EXPRESSION.search(text) is not None


def agreement(grounded: Iterable[Interval], gold: Interval) -> Agreement:
    """Compare what the evidence was grounded to with the gold time; the expression that agrees best decides.

    Right: at least half of its days are gold days, so it is as fine as the gold and within it. Wrong: none is, for any expression.
    Unresolved: nothing was grounded, or only to something coarser that holds the gold time, as `2023` holds `May 2023`.
    """
    shares = [one.overlap(gold) / one.days for one in grounded]
    if not shares:
        return "unresolved"
    best = max(shares)
    return "right" if best >= 0.5 else "unresolved" if best > 0 else "wrong"


def parse_gold(text: str, said: date | None = None) -> Interval | None:
    """Read a gold answer that is a time; None for any other answer, durations among them.

    `10 years ago` and `13 August` are counted from `said`, the day of the evidence. Misspelt months and stray punctuation are tolerated.
    """
    words = " ".join(re.sub(r"\(.*?\)|[`'\u2019]", "", text.lower()).split())
    words = re.sub(r"^(?:(?:in|on|at|since|around|about|approximately|during|by|the)\b\W*)+|[\W]+$", "", words)
    try:
        return next(filter(None, (form(words, said) for form in _FORMS)), None)
    except (ValueError, OverflowError):  # no such day
        return None


def _ago(words: str, said: date | None) -> Interval | None:
    """`10 years ago`."""
    found = re.fullmatch(rf"(?P<count>{_COUNT}) (?P<unit>{_UNIT})s? ago", words)
    return _shifted(found["count"], found["unit"], said, -1) if found and said else None


def _relative(words: str, said: date | None) -> Interval | None:
    """`sunday before 25 May 2023`, `two weekends before 17 July`, `week of 23 August`."""
    found = re.fullmatch(
        rf"(?:(?P<count>{_COUNT}) )?(?P<unit>{_UNIT}|{_WEEKDAY})s? (?P<relation>before|after|of) (?P<date>.+)", words
    )
    anchor = found and _date(found["date"].removeprefix("the "), said)
    if not found or not anchor:
        return None
    count, unit, sign = found["count"] or "the", found["unit"], {"before": -1, "of": 0, "after": 1}[found["relation"]]
    if unit in _WEEKDAY_NAMES:
        return _weekday(unit, anchor.first, sign, _WORDS.get(count, 1))
    if unit == "weekend" and sign > 0:
        return weekend(weekday_after(anchor.first, 5), _WORDS.get(count, 1) - 1)
    return _shifted(count, unit, anchor.first, sign)


def _weekday(name: str, anchor: date, sign: int, count: int) -> Interval:
    nearest = (weekday_before if sign < 0 else weekday_after)(anchor, _WEEKDAY_NAMES.index(name))
    return day(nearest, 7 * sign * (count - 1))


def _shifted(count: str, unit: str, anchor: date, sign: int) -> Interval:
    number = _WORDS.get(count) or int(count) if count not in _FEW else 0
    least, most = _FEW.get(count, (number, number))
    return spanning(UNITS[unit](anchor, sign * least), UNITS[unit](anchor, sign * most))


def _part(words: str, said: date | None) -> Interval | None:
    """`first weekend of August 2023`, `early August`, `end of June 2023`."""
    found = re.fullmatch(r"(?P<part>[a-z]+(?: week| weekend)?(?: of| in)?)[ -](?:the )?(?P<month>.+)", words)
    whole = found and _date(found["month"], said)
    if not found or not whole or whole.granularity != "month":
        return None
    nth, _, unit = found["part"].removesuffix(" of").removesuffix(" in").partition(" ")
    if unit in ("week", "weekend") and nth in _NTH:
        return (nth_week if unit == "week" else nth_weekend)(whole, _NTH[nth])
    if found["part"] not in _PARTS:
        return None
    first, last = _PARTS[found["part"]]
    return Interval(whole.first.replace(day=first), whole.first.replace(day=min(last, whole.last.day)), "week")


def _between(words: str, said: date | None) -> Interval | None:
    """`between 2 and 4 August 2023`, `August 11 to August 15 2023`; the first may leave to the second what they share."""
    found = re.fullmatch(r"(?:between |from )?(?P<one>.+?)(?: and | to |\s?[-\u2013]\s?)(?P<other>.+)", words)
    last = found and _date(found["other"], said)
    if not found or not last:
        return None
    if found["one"].isdecimal():
        return spanning(day(last.first.replace(day=int(found["one"]))), last)
    first = _date(found["one"], last.first)
    return spanning(first, last) if first else None


def _date(words: str, said: date | None) -> Interval | None:
    """`7 May 2023`, `May 7th, 2023`, `June, 2023`, `summer of 2022`, `2022`; without a year the nearest to `said`."""
    if found := re.fullmatch(r"(?:(?P<season>spring|summer|fall|autumn|winter) (?:of )?)?(?P<year>\d{4})", words):
        of = int(found["year"])
        return season(found["season"], of) if found["season"] else year(date(of, 1, 1))
    for pattern in _DATES:
        if found := re.fullmatch(pattern, words):
            return _in_year(found.groupdict(), said)
    return None


def _in_year(parts: dict[str, str | None], said: date | None) -> Interval | None:
    at, of = parts.get("day"), parts["year"]
    number = _month_number(parts["month"] or "", tolerant=bool(at or of))
    if number is None or not (of or said):
        return None
    years = [int(of)] if of else [said.year + shift for shift in (-1, 0, 1)] if said else []
    candidates = [(day if at else month)(date(each, number, int(at or 1))) for each in years]
    return min(candidates, key=lambda one: abs(one.first - (said or one.first)))


def _month_number(name: str, *, tolerant: bool) -> int | None:
    """The number of a month, its name in full or cut short; also misspelt, where a day or a year shows that it is one."""
    short = [full for full in _MONTH_NAMES if full.startswith(name)]
    close = get_close_matches(name, _MONTH_NAMES, n=1, cutoff=0.8) if tolerant else []
    return next((_MONTH_NAMES.index(full) + 1 for full in (*short[:1], *close)), None)


_FORMS: tuple[Callable[[str, date | None], Interval | None], ...] = (_date, _relative, _part, _between, _ago)
