"""Dates: what is read, what is refused, and that today never slips in."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langrecall.loaders.dates import parse_date


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56)),
        ("12:09 am on 1 March, 2024", datetime(2024, 3, 1, 0, 9)),
        ("12:30 pm on 1 March, 2024", datetime(2024, 3, 1, 12, 30)),
        ("2023/05/20 (Sat) 02:21", datetime(2023, 5, 20, 2, 21)),
        ("2023/05/08", datetime(2023, 5, 8)),
        ("2023.5.8 7:05:09", datetime(2023, 5, 8, 7, 5, 9)),
        ("8 May 2023", datetime(2023, 5, 8)),
        ("May 8, 2023 1:56 PM", datetime(2023, 5, 8, 13, 56)),
        ("May 8, 2023, 1:56\u202fPM", datetime(2023, 5, 8, 13, 56)),
        ("Saturday, 29 February 2020", datetime(2020, 2, 29)),
        ("13/05/2023", datetime(2023, 5, 13)),
        ("20230520T0221", datetime(2023, 5, 20, 2, 21)),
        (date(2023, 5, 8), datetime(2023, 5, 8)),
        (datetime(2023, 5, 8, 1, 2), datetime(2023, 5, 8, 1, 2)),
    ],
)
def test_reads_written_dates_as_naive_local_time(written: object, expected: datetime) -> None:
    assert parse_date(written) == expected


@pytest.mark.parametrize(
    ("written", "offset"),
    [
        ("2024-06-01T19:00:00Z", 0),
        ("2024-06-01T19:00-05:00", -5),
        ("2024-06-01 19:00:00.250+09:00", 9),
        ("1 June 2024 19:00 +0200", 2),
        ("Sat Jun 01 2024 19:00:00 GMT+0200 (Central European Summer Time)", 2),
        ("Sat, 01 Jun 2024 19:00:00 GMT", 0),
    ],
)
def test_keeps_the_offset_and_the_local_day(written: str, offset: int) -> None:
    read = parse_date(written)
    assert read is not None
    assert read.utcoffset() == timedelta(hours=offset)
    assert (read.day, read.hour) == (1, 19)


def test_a_zone_known_by_name_only_leaves_the_local_time_naive() -> None:
    assert parse_date("8 May 2023 1pm EST") == datetime(2023, 5, 8, 13)


@pytest.mark.parametrize("epoch", [1692821483, 1692821483.0, 1692821483000, "1692821483", "1692821483000"])
def test_reads_an_epoch_in_seconds_or_milliseconds(epoch: object) -> None:
    assert parse_date(epoch) == datetime(2023, 8, 23, 20, 11, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "sometime in May",
        "May 2023",
        "May 8",
        "2023",
        "Monday",
        "13:56",
        "yesterday",
        "",
        "   ",
        "05/08/2023",
        "2023/13/05",
        "2023-02-30",
        "31 April 2023",
        "8 May 2023 25:00",
        "9" * 50,
        True,
        0,
        2023,
        -5.0,
        float("nan"),
        float("inf"),
        1e300,
        None,
        {"year": 2023},
        ["2023-05-08"],
    ],
)
def test_what_names_no_certain_day_is_no_date(written: object) -> None:
    assert parse_date(written) is None


@given(st.text(max_size=40) | st.from_regex(r"[0-9a-zA-Z:/,. +-]{1,30}", fullmatch=True))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    assert isinstance(parse_date(text), datetime | None)


@given(st.datetimes(min_value=datetime(1000, 1, 1), timezones=st.just(timezone(timedelta(hours=5, minutes=30)))))
def test_an_iso_time_comes_back_as_it_was(time: datetime) -> None:
    assert parse_date(time.isoformat()) == time
