"""Read the date of a session or turn; what cannot be read for certain is no date, and never today's."""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache

from dateutil import parser

_SECONDS = (1e8, 1e11)
"""Bounds of an epoch in seconds, 1973 to 5138; a thousand times that is read as milliseconds. Zero is a date nobody set."""
_DEFAULTS = (datetime(2000, 1, 1), datetime(2004, 2, 2))
"""dateutil fills what a text leaves out from a default: under two of them a part that was not written shows as a difference."""

_BRACKETED = re.compile(r"\([^)]*\)")  # the weekday of LongMemEval, the zone's name in JavaScript
_EPOCH = re.compile(r"\d{10}(?:\d{3})?(?:\.\d+)?")
_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?")
_ISO = re.compile(r"\d{4}-?\d{2}-?\d{2}(?:[T ].*)?")
_ZONE_BEFORE_OFFSET = re.compile(r"\b(?:GMT|UTC)(?=[+-]\d)")


def parse_date(value: object) -> datetime | None:
    """Read a written date, an ISO time (its offset is kept) or an epoch in seconds or milliseconds.

    Text must name year, month and day; `05/08/2023` is None because it is two days at once.
    """
    match value:
        case bool():
            return None
        case datetime():
            return value
        case date():
            return datetime.combine(value, time.min)
        case int() | float():
            return _from_epoch(value)
        case str():
            return _from_text(value)
        case _:
            return None


def _from_epoch(number: float) -> datetime | None:
    low, high = _SECONDS
    if low <= number < high:
        return datetime.fromtimestamp(number, UTC)
    if low * 1000 <= number < high * 1000:
        return datetime.fromtimestamp(number / 1000, UTC)
    return None


@lru_cache(maxsize=4096)
def _from_text(text: str) -> datetime | None:
    plain = " ".join(_BRACKETED.sub(" ", text).split())
    if _EPOCH.fullmatch(plain):
        return _from_epoch(float(plain))
    try:
        if numbers := _YEAR_FIRST.fullmatch(plain):
            year, month, day, hour, minute, second = map(int, numbers.groups(default="0"))
            return datetime(year, month, day, hour, minute, second)
        if _ISO.fullmatch(plain):
            return datetime.fromisoformat(plain)
        return _written(_ZONE_BEFORE_OFFSET.sub("", plain))
    except (ValueError, OverflowError):
        return None


def _written(text: str) -> datetime | None:
    readings = {
        parser.parse(text, default=default, dayfirst=day_first, tzinfos=_zone)
        for default in _DEFAULTS
        for day_first in (False, True)
    }
    return readings.pop() if len(readings) == 1 else None


def _zone(_name: str | None, offset: int | None) -> timezone | None:
    """Only a written offset counts: a zone's short name means different offsets to different people."""
    return None if offset is None else timezone(timedelta(seconds=offset))
