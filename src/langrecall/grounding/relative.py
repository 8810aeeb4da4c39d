"""Readings of expressions that count from the day they were said: `yesterday`, `two weeks ago`, `last Friday`."""

from datetime import timedelta
from functools import partial

from langrecall.grounding.intervals import (
    UNITS,
    Interval,
    day,
    month,
    spanning,
    week,
    weekday_after,
    weekday_before,
    weekend,
)
from langrecall.grounding.mentions import Mention

DAYS = {
    "the day before yesterday": -2,
    "the night before last": -2,
    "yesterday": -1,
    "last night": -1,
    "last evening": -1,
    "today": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "tonight": 0,
    "tomorrow": 1,
    "the day after tomorrow": 2,
}


def named_day(mention: Mention) -> Interval:
    """`yesterday`, `tonight`, `the day after tomorrow`."""
    return day(mention.said, DAYS[mention.word("day_word")])


def counted(mention: Mention, *, sign: int) -> Interval:
    """`two weeks ago` (sign -1) is the calendar week before last, `a few years ago` the calendar years two to five back."""
    least, most = mention.counts
    unit = partial(UNITS[mention.unit], mention.said)
    return spanning(unit(sign * least), unit(sign * most))


def counted_ahead(mention: Mention) -> Interval | None:
    """`in two weeks`, where the clause is about the future: `I read it in two weeks` is a duration, and so is `in a day`."""
    a_day = mention.unit == "day" and mention.counts == (1, 1)
    return counted(mention, sign=1) if mention.foretold and not a_day else None


def lasting(mention: Mention) -> Interval | None:
    """`three years now`, `I have had them for three years`: from the beginning to the day it was said."""
    least, most = mention.counts
    if least != most or not (mention.word("now") or mention.perfect):
        return None
    unit = partial(UNITS[mention.unit], mention.said)
    return spanning(unit(-most), unit(0))._replace(last=mention.said)


def weeks_ago_today(mention: Mention) -> Interval:
    """`two weeks ago today`."""
    return day(mention.said, -7 * mention.counts[0])


def weekdays_ago(mention: Mention) -> Interval:
    """`two Fridays ago`; `the Friday before last` counts two as well."""
    back = mention.counts[0] if mention.word("count") else 2
    return day(weekday_before(mention.said, mention.weekday), -7 * (back - 1))


def twice(mention: Mention, *, sign: int) -> Interval:
    """`the week before last`, `the month after next`."""
    return UNITS[mention.unit](mention.said, 2 * sign)


def weekday_of_week(mention: Mention) -> Interval:
    """`Friday of last week`, `next week on Friday`, `two weeks ago on Friday`."""
    shift = -mention.counts[0] if mention.word("count") else mention.shift
    return day(week(mention.said, shift).first, mention.weekday)


def this_time(mention: Mention) -> Interval:
    """Reads `this time last year` as that month."""
    return month(mention.said, 12 * mention.shift)


def shifted_unit(mention: Mention) -> Interval | None:
    """`last week`, `this month`, `next year`: calendar units. `this past week` is the seven days before."""
    at = mention.said
    if mention.word("shift") != "this past":
        return UNITS[mention.unit](at, mention.shift)
    return Interval(at - timedelta(days=7), at - timedelta(days=1), "week") if mention.unit == "week" else None


def shifted_weekend(mention: Mention) -> Interval | None:
    """`last weekend` is that of the week before. `this weekend` may be over when a Monday speaks of it in the past tense."""
    at = mention.said
    in_it = at >= weekend(at).first
    match mention.word("shift"):
        case "this past" | "the past" if in_it:
            return None
        case "this":
            return weekend(at, -1 if mention.tense == "past" and not in_it else 0)
        case "this coming" | "the coming":
            return weekend(at, int(in_it))
        case _:
            return weekend(at, mention.shift)


def the_weekend(mention: Mention) -> Interval | None:
    """`over the weekend`: the last or the coming one, by tense; ambiguous while one is going on."""
    at = mention.said
    if mention.tense == "unknown" or at >= weekend(at).first:
        return None
    return weekend(at, -1 if mention.tense == "past" else 0)


def unit_end(mention: Mention) -> Interval | None:
    """`by the end of the month`: this month, unless the clause is about the past."""
    return UNITS[mention.unit](mention.said) if mention.tense != "past" else None


def shifted_weekday(mention: Mention) -> Interval | None:
    """`last Friday` is the latest before; `next Friday` is the earliest after, unless that one is still in this week."""
    at, shift = mention.said, mention.word("shift")
    if mention.shift < 0:
        return day(weekday_before(at, mention.weekday))
    if shift == "this" and (mention.tense == "past" or mention.weekday == at.weekday()):
        return weekday_by_tense(mention)
    coming = weekday_after(at, mention.weekday)
    return None if shift == "next" and week(coming) == week(at) else day(coming)


def weekday_by_tense(mention: Mention) -> Interval | None:
    """`on Friday`: the latest before or the earliest after, by tense; the name of the very day is ambiguous."""
    at = mention.said
    if mention.choice == "present" or mention.weekday == at.weekday():
        return None
    return day((weekday_before if mention.choice == "past" else weekday_after)(at, mention.weekday))


def nth_of_shifted_month(mention: Mention) -> Interval:
    """`the 5th of last month`."""
    return day(month(mention.said, mention.shift).first.replace(day=mention.number("day")))
