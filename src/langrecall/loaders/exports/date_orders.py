"""Dates written in numbers: which of them is the day, a whole file can tell where a single date cannot."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Literal

Order = Literal["year", "day", "month"]
"""What a date begins with."""

_FOUR_DIGITS = 1000


@dataclass(frozen=True, slots=True)
class WrittenTime:
    """A date as it stands, three numbers with a sign between them, and its time of day: hour (of 24), minute, second."""

    date: str
    clock: tuple[int, int, int]

    @property
    def style(self) -> tuple[str, bool]:
        """Times of one style were written by one program."""
        return self._between, self._numbers[0] >= _FOUR_DIGITS

    def readings(self) -> dict[Order, datetime]:
        """What it can mean. A year comes last, or first with four digits; where dots stand between, the day is before the month."""
        first, second, third = self._numbers
        year = third if third >= _FOUR_DIGITS else 2000 + third
        dates: dict[Order, tuple[int, int, int]] = {"day": (year, second, first), "month": (year, first, second)}
        if first >= _FOUR_DIGITS:
            dates = {"year": (first, second, third)}
        elif self._between == ".":
            del dates["month"]
        times = {order: _time(date, self.clock) for order, date in dates.items()}
        return {order: time for order, time in times.items() if time}

    @property
    def _between(self) -> str:
        return next(sign for sign in self.date if not sign.isdecimal())

    @property
    def _numbers(self) -> tuple[int, int, int]:
        first, second, third = map(int, self.date.split(self._between))
        return first, second, third


def read_alike(written: Sequence[WrittenTime], *, day_first: bool | None) -> list[datetime] | WrittenTime:
    """What the times of one file mean, or the first of them that could mean two things.

    Those of one style are read alike: in an order that all of them allow, and of two such orders in the one that goes less often
    back in time. Where neither tells, `day_first` does. Each must have a reading.
    """
    found: list[datetime | None] = [None] * len(written)
    for style in {one.style for one in written}:
        places = [location for location, one in enumerate(written) if one.style == style]
        readings = [written[location].readings() for location in places]
        order = _order(readings, day_first)
        for location, can_mean in zip(places, readings, strict=True):
            alone = set(can_mean.values())
            found[location] = can_mean.get(order) if order in can_mean else alone.pop() if len(alone) == 1 else None
    doubtful = next((one for one, time in zip(written, found, strict=True) if time is None), None)
    return doubtful or [time for time in found if time]


def _order(readings: Sequence[dict[Order, datetime]], day_first: bool | None) -> Order | None:
    """None where a single date has to tell by itself."""
    orders: tuple[Order, ...] = ("year", "day", "month")
    fitting = [order for order in orders if all(order in can_mean for can_mean in readings)]
    backward = {order: _steps_back([can_mean[order] for can_mean in readings]) for order in fitting}
    best = [order for order in fitting if backward[order] == min(backward.values())]
    if len(best) == 1:
        return best[0]
    return None if day_first is None else "day" if day_first else "month"


def _steps_back(times: Sequence[datetime]) -> int:
    return sum(later < earlier for earlier, later in pairwise(times))


def _time(date: tuple[int, int, int], clock: tuple[int, int, int]) -> datetime | None:
    try:
        return datetime(*date, *clock)
    except ValueError:
        return None
