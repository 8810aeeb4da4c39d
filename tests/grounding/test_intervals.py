"""Calendar intervals and their names."""

from datetime import date

import pytest

from langrecall.grounding.intervals import (
    Interval,
    day,
    month,
    nth_week,
    nth_weekend,
    season,
    spanning,
    week,
    weekday_after,
    weekday_before,
    weekend,
    year,
)

WEDNESDAY = date(2023, 5, 10)


def test_units_count_in_calendar_steps() -> None:
    assert day(WEDNESDAY, -10) == Interval(date(2023, 4, 30), date(2023, 4, 30), "day")
    assert week(WEDNESDAY, -1) == Interval(date(2023, 5, 1), date(2023, 5, 7), "week")
    assert weekend(WEDNESDAY) == Interval(date(2023, 5, 13), date(2023, 5, 14), "weekend")
    assert month(WEDNESDAY, -6) == Interval(date(2022, 11, 1), date(2022, 11, 30), "month")
    assert month(WEDNESDAY, 8) == Interval(date(2024, 1, 1), date(2024, 1, 31), "month")
    assert year(WEDNESDAY, 1) == Interval(date(2024, 1, 1), date(2024, 12, 31), "year")
    assert season("winter", 2023) == Interval(date(2023, 12, 1), date(2024, 2, 29), "season")


def test_weekdays_are_strictly_before_or_after() -> None:
    assert weekday_before(WEDNESDAY, 2) == date(2023, 5, 3)
    assert weekday_before(WEDNESDAY, 4) == date(2023, 5, 5)
    assert weekday_after(WEDNESDAY, 2) == date(2023, 5, 17)
    assert weekday_after(WEDNESDAY, 4) == date(2023, 5, 12)


def test_weeks_and_weekends_of_a_month() -> None:
    july, september = month(date(2023, 7, 1)), month(date(2023, 9, 1))
    assert nth_week(july, 1) == Interval(date(2023, 7, 8), date(2023, 7, 14), "week")
    assert nth_week(september, -1) == Interval(date(2023, 9, 24), date(2023, 9, 30), "week")
    assert nth_weekend(july, 0) == Interval(date(2023, 7, 1), date(2023, 7, 2), "weekend")
    assert nth_weekend(september, -1) == Interval(date(2023, 9, 30), date(2023, 10, 1), "weekend")


def test_overlap_counts_shared_days() -> None:
    assert week(WEDNESDAY).overlap(weekend(WEDNESDAY)) == 2
    assert month(WEDNESDAY).overlap(year(WEDNESDAY, -1)) == 0


@pytest.mark.parametrize(
    ("interval", "label"),
    [
        (day(WEDNESDAY), "10 May 2023"),
        (week(WEDNESDAY), "the week of 8 May 2023"),
        (spanning(week(WEDNESDAY, -2), week(WEDNESDAY)), "24 April-14 May 2023"),
        (weekend(date(2023, 12, 31)), "the weekend of 30-31 December 2023"),
        (month(WEDNESDAY), "May 2023"),
        (spanning(month(WEDNESDAY), month(WEDNESDAY, -6)), "November 2022-May 2023"),
        (season("fall", 2022), "autumn 2022"),
        (season("winter", 2099), "winter 2099-00"),
        (year(WEDNESDAY), "2023"),
        (spanning(year(WEDNESDAY, -5), year(WEDNESDAY)), "2018-2023"),
    ],
)
def test_is_named_as_a_person_would(interval: Interval, label: str) -> None:
    assert interval.label() == label


def test_several_years_are_their_own_unit() -> None:
    assert spanning(year(WEDNESDAY), year(WEDNESDAY)).granularity == "year"
    assert spanning(year(WEDNESDAY), year(WEDNESDAY, -1)).granularity == "years"
