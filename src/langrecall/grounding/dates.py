"""Readings of expressions that name a date or a part of a year: `5 May 2021`, `in March`, `last summer`, `on the 5th`."""

from calendar import monthrange
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from langrecall.grounding.intervals import UNITS, Interval, day, month, nth_week, nth_weekend, season, spanning, year
from langrecall.grounding.mentions import Mention

HOLIDAYS = {
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "new year's": (1, 1),
    "valentine's day": (2, 14),
    "fourth of july": (7, 4),
    "halloween": (10, 31),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "boxing day": (12, 26),
}
"""Month and day of the holidays whose date is the same every year and everywhere."""

NTH = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}
_NEAR = timedelta(days=90)
"""A date this near is what comes to mind first: without a tense it is taken, and a tense that points past it makes the date ambiguous."""


def dated(mention: Mention) -> Interval | None:
    """`5 May 2021`, `May 5-7`; without a year by tense, else the nearest, if it is near enough."""
    which = mention.number("day" if mention.word("day") else "day2")
    if mention.word("year"):
        first = date(mention.number("year"), mention.month, which)
        return _through(day(first), mention)
    days = _days((of, mention.month, which) for of in _years(mention))
    chosen = _yearly(days, mention) if mention.choice != "present" else _near(days, mention.said)
    return _through(chosen, mention) if chosen else None


def unit_of_date(mention: Mention) -> Interval | None:
    """`the week of 5 May`, `the weekend of May 6`."""
    inner = dated(mention)
    return UNITS[mention.unit](inner.first) if inner else None


def nth_of_month(mention: Mention) -> Interval | None:
    """`on the 5th`: the latest or the earliest, by tense."""
    months = [month(mention.said, shift).first for shift in (-1, 0, 1)]
    return _pick(_days((first.year, first.month, mention.number("day")) for first in months), mention)


def numeric(mention: Mention) -> Interval | None:
    """`2023-05-07`, `5/17/2023`; what could be read with month and day the other way round stays unresolved."""
    one, other = mention.number("one"), mention.number("other")
    year_first = mention.found.start("year") < mention.found.start("one")
    if not year_first and max(one, other) <= 12 and one != other:
        return None
    day_last = year_first or other > 12
    return day(date(mention.number("year"), *((one, other) if day_last else (other, one))))


def month_of_year(mention: Mention) -> Interval:
    """`May 2021`."""
    return month(date(mention.number("year"), mention.month, 1))


def nth_in_month(mention: Mention) -> Interval | None:
    """`the first week of August`, `the last weekend of May 2021`."""
    inner = month_of_year(mention) if mention.word("year") else month_named(mention)
    nth = nth_week if mention.unit == "week" else nth_weekend
    return nth(inner, NTH[mention.word("nth")]) if inner else None


def season_of_year(mention: Mention) -> Interval | None:
    """`summer 2022`; the winter of a year could be either of two."""
    name = mention.word("season")
    return season(name, mention.number("year")) if name != "winter" else None


def year_named(mention: Mention) -> Interval:
    """`in 2019`."""
    return year(date(mention.number("year"), 1, 1))


def month_named(mention: Mention) -> Interval | None:
    """`last March` is the latest that is over; `in March` goes by tense, and without one only this month is certain."""
    return _yearly([month(date(of, mention.month, 1)) for of in _years(mention)], mention)


def season_named(mention: Mention) -> Interval | None:
    """`last summer` is the latest that is over; `this winter` goes by tense, else it is the one going on."""
    return _yearly([season(mention.word("season"), of) for of in _years(mention)], mention)


def holiday(mention: Mention) -> Interval | None:
    """`last Christmas`, `on New Year's Eve`."""
    return _yearly([day(date(of, *HOLIDAYS[mention.word("holiday")])) for of in _years(mention)], mention)


def _years(mention: Mention) -> range:
    return range(mention.said.year - 1, mention.said.year + 2)


def _days(dates: Iterable[tuple[int, int, int]]) -> list[Interval]:
    """Those of the dates that exist."""
    return [day(date(*parts)) for parts in dates if parts[2] <= monthrange(*parts[:2])[1]]


def _through(first: Interval, mention: Mention) -> Interval:
    """To the end of a range such as `May 5-7`."""
    last = mention.word("to")
    return spanning(first, day(first.first.replace(day=int(last)))) if last else first


def _yearly(candidates: Sequence[Interval], mention: Mention) -> Interval | None:
    """What the words pick, unless a nearer candidate is close at hand, or `next summer` comes so soon that it may be called this one."""
    at, chosen = mention.said, _pick(candidates, mention)
    near = _near(candidates, at)
    if chosen and mention.choice in ("past", "future"):
        return chosen if near in (chosen, None) else None
    if chosen and mention.word("shift") == "next" and chosen.first.year == at.year:
        return chosen if _distance(chosen, at) > _NEAR else None
    return chosen


def _pick(candidates: Sequence[Interval], mention: Mention) -> Interval | None:
    at = mention.said
    match mention.choice:
        case "over":
            return max((one for one in candidates if one.last < at), default=None)
        case "past":
            return max((one for one in candidates if one.first <= at), default=None)
        case "future":
            return min((one for one in candidates if one.last >= at), default=None)
        case "ahead":
            return min((one for one in candidates if one.first > at), default=None)
        case "present":
            return _present(candidates, mention)


def _present(candidates: Sequence[Interval], mention: Mention) -> Interval | None:
    """The one going on; `this March` is otherwise the one of this year."""
    at, this = mention.said, mention.word("shift") == "this"
    going_on = (one for one in candidates if one.first <= at <= one.last)
    of_year = (one for one in candidates if this and one.first.year == at.year)
    return next(going_on, None) or next(of_year, None)


def _near(candidates: Sequence[Interval], at: date) -> Interval | None:
    nearest = min(candidates, key=lambda one: _distance(one, at), default=None)
    return nearest if nearest and _distance(nearest, at) <= _NEAR else None


def _distance(one: Interval, at: date) -> timedelta:
    return max(one.first - at, at - one.last, timedelta(0))
