"""Calendar intervals: days, weekends, weeks, months, seasons and years, and how a person writes them.

Weeks run from Monday to Sunday (ISO 8601), a weekend is the Saturday and Sunday of such a week, and seasons are the
meteorological ones of the northern hemisphere.
"""

from datetime import date, timedelta
from typing import NamedTuple

from dateutil.relativedelta import MO, SA, relativedelta

from langrecall.records import Granularity

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
"""English whatever the locale, which `strftime` is not."""

_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The month each season begins with; winter runs into the next year."""


class Interval(NamedTuple):
    """Days from `first` to `last`, both included, and the unit they were named in."""

    first: date
    last: date
    granularity: Granularity

    @property
    def days(self) -> int:
        """How many days it holds."""
        return (self.last - self.first).days + 1

    def overlap(self, other: "Interval") -> int:
        """How many days two intervals share."""
        return max(0, (min(self.last, other.last) - max(self.first, other.first)).days + 1)

    def label(self) -> str:
        """As a person writes it: `7 May 2023`, `the week of 1 May 2023`, `April 2023`, `summer 2022`, `2018-2021`."""
        match self.granularity:
            case "weekend" if self.days == 2:
                return f"the weekend of {_day_range(self)}"
            case "week" if self == week(self.first):
                return f"the week of {_day(self.first)}"
            case "month":
                return _month_range(self)
            case "season":
                return _season(self)
            case "year" | "years":
                return _joined(str(self.first.year), str(self.last.year))
            case _:
                return _day_range(self)


def day(at: date, shift: int = 0) -> Interval:
    """The day `shift` days from `at`."""
    there = at + timedelta(days=shift)
    return Interval(there, there, "day")


def week(at: date, shift: int = 0) -> Interval:
    """The calendar week `shift` weeks from the one of `at`."""
    monday = at + relativedelta(weeks=shift, weekday=MO(-1))
    return Interval(monday, monday + timedelta(days=6), "week")


def weekend(at: date, shift: int = 0) -> Interval:
    """The weekend of the calendar week `shift` weeks from the one of `at`."""
    monday = week(at, shift).first
    return Interval(monday + timedelta(days=5), monday + timedelta(days=6), "weekend")


def month(at: date, shift: int = 0) -> Interval:
    """The calendar month `shift` months from the one of `at`."""
    there = at + relativedelta(months=shift)
    return Interval(there.replace(day=1), there + relativedelta(day=31), "month")


def year(at: date, shift: int = 0) -> Interval:
    """The calendar year `shift` years from the one of `at`."""
    return Interval(date(at.year + shift, 1, 1), date(at.year + shift, 12, 31), "year")


def season(name: str, of_year: int) -> Interval:
    """The season that begins in `of_year`."""
    first = date(of_year, _SEASONS[name], 1)
    return Interval(first, first + relativedelta(months=2, day=31), "season")


UNITS = {"day": day, "week": week, "weekend": weekend, "month": month, "year": year}
"""How to count in each unit: `UNITS["week"](at, -2)` is the week before last."""


def spanning(one: Interval, other: Interval) -> Interval:
    """From the earlier beginning to the later end, in the unit of `one`; several years are `years`."""
    granularity = "years" if one.granularity == "year" and one != other else one.granularity
    return Interval(min(one.first, other.first), max(one.last, other.last), granularity)


def nth_week(of_month: Interval, nth: int) -> Interval:
    """The first week of a month (nth 0) is its days 1 to 7, the last (nth -1) its last seven."""
    first = of_month.first + timedelta(weeks=nth) if nth >= 0 else of_month.last - timedelta(days=6)
    return Interval(first, first + timedelta(days=6), "week")


def nth_weekend(of_month: Interval, nth: int) -> Interval:
    """The first weekend of a month (nth 0) is that of its first Saturday; -1 is the last."""
    first, last = of_month.first + relativedelta(weeks=nth, weekday=SA), of_month.last + relativedelta(weekday=SA(-1))
    return weekend(first if nth >= 0 else last)


def weekday_before(at: date, weekday: int) -> date:
    """The latest such weekday (Monday is 0) before `at`."""
    return at + relativedelta(weeks=-1, weekday=weekday)


def weekday_after(at: date, weekday: int) -> date:
    """The earliest such weekday (Monday is 0) after `at`."""
    return at + relativedelta(days=1, weekday=weekday)


def _joined(one: str, other: str) -> str:
    return one if one == other else f"{one}-{other}"


def _month(at: date) -> str:
    return MONTHS[at.month - 1]


def _day(at: date) -> str:
    return f"{at.day} {_month(at)} {at.year}"


def _day_range(when: Interval) -> str:
    first, last = when.first, when.last
    if first == last:
        return _day(last)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}-{_day(last)}"
    if first.year == last.year:
        return f"{first.day} {_month(first)}-{_day(last)}"
    return f"{_day(first)}-{_day(last)}"


def _month_range(when: Interval) -> str:
    first, last = when.first, when.last
    if first.year == last.year:
        return f"{_joined(_month(first), _month(last))} {last.year}"
    return f"{_month(first)} {first.year}-{_month(last)} {last.year}"


def _season(when: Interval) -> str:
    name = next(name for name, begins in _SEASONS.items() if begins == when.first.month)
    until = f"-{when.last.year % 100:02}" if when.last.year != when.first.year else ""
    return f"{name} {when.first.year}{until}"
