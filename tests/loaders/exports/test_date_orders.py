"""What numbers mean as dates: a file tells where a date cannot."""

from datetime import datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from langrecall.loaders.exports.date_orders import WrittenTime, read_alike


def read(*texts: str, day_first: bool | None = None) -> list[str] | str:
    found = read_alike([WrittenTime(text, (9, 0, 0)) for text in texts], day_first=day_first)
    if isinstance(found, WrittenTime):
        return found.date
    return [f"{time:%Y-%m-%d}" for time in found]


@pytest.mark.parametrize(
    ("texts", "dates"),
    [
        (("13/2/24", "1/3/24"), ["2024-02-13", "2024-03-01"]),
        (("1/13/24", "2/3/24"), ["2024-01-13", "2024-02-03"]),
        (("2024/2/3",), ["2024-02-03"]),
        (("5/5/24", "6/6/2024"), ["2024-05-05", "2024-06-06"]),
        (("31/12/99",), ["2099-12-31"]),
    ],
)
def test_a_day_after_the_twelfth_tells_for_the_whole_file(texts: tuple[str, ...], dates: list[str]) -> None:
    assert read(*texts) == dates


def test_the_order_of_time_tells_where_both_can_be_read() -> None:
    assert read("1/9/24", "2/9/24", "1/10/24") == ["2024-09-01", "2024-09-02", "2024-10-01"]
    assert read("9/1/24", "9/2/24", "10/1/24") == ["2024-09-01", "2024-09-02", "2024-10-01"]


def test_a_date_that_could_be_two_is_named_until_somebody_says_which() -> None:
    assert read("5/5/24", "3/4/24") == "3/4/24"
    assert read("5/5/24", "3/4/24", day_first=True) == ["2024-05-05", "2024-04-03"]
    assert read("5/5/24", "3/4/24", day_first=False) == ["2024-05-05", "2024-03-04"]


def test_what_the_file_tells_counts_more_than_what_was_said() -> None:
    assert read("1/13/24", "2/3/24", day_first=True) == ["2024-01-13", "2024-02-03"]


def test_between_dots_the_day_comes_first() -> None:
    assert read("03.04.24") == ["2024-04-03"]


def test_two_programs_in_one_file_are_read_apart() -> None:
    assert read("2023/5/4", "1/23/23", "2/3/23") == ["2023-05-04", "2023-01-23", "2023-02-03"]
    assert read("13/1/23", "1/14/23", "2/2/23") == ["2023-01-13", "2023-01-14", "2023-02-02"]
    assert read("13/1/23", "1/14/23", "3/2/23") == "3/2/23"


@given(
    st.lists(st.datetimes(datetime(2001, 1, 1), datetime(2098, 1, 1)), min_size=1, max_size=30).map(sorted),
    st.sampled_from(["{0:%d}/{0:%m}/{0:%y}", "{0:%m}/{0:%d}/{0:%Y}", "{0:%Y}/{0:%m}/{0:%d}"]),
)
def test_a_chat_in_order_is_read_as_it_was_written_or_not_at_all(times: list[datetime], form: str) -> None:
    found = read(*(form.format(time) for time in times))
    assume(isinstance(found, list))
    assert found == [f"{time:%Y-%m-%d}" for time in times]


def test_a_long_chat_always_tells() -> None:
    days = [datetime(2024, 1, 1) + timedelta(days=day) for day in range(40)]
    for form in ("{0:%d}/{0:%m}/{0:%y}", "{0:%m}/{0:%d}/{0:%y}"):
        assert read(*(form.format(day) for day in days)) == [f"{day:%Y-%m-%d}" for day in days]
