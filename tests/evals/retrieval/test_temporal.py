"""Gold times are understood as their authors wrote them, and compared with what grounding says."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from langrecall.evals.retrieval.temporal import Agreement, agreement, holds_expression, parse_gold
from langrecall.grounding.intervals import Interval, day, month, spanning, week, weekend, year
from langrecall.grounding.text import ground

SAID = date(2023, 6, 27)


@pytest.mark.parametrize(
    ("gold", "first", "last", "unit"),
    [
        ("7 May 2023", "2023-05-07", "2023-05-07", "day"),
        ("19 January, 2023", "2023-01-19", "2023-01-19", "day"),
        ("21Janury, 2022.", "2022-01-21", "2022-01-21", "day"),
        ("February 24, 2023", "2023-02-24", "2023-02-24", "day"),
        ("October 13th, 2023.", "2023-10-13", "2023-10-13", "day"),
        ("Januarty 5, 2024", "2024-01-05", "2024-01-05", "day"),
        ("the 5th of May 2021", "2021-05-05", "2021-05-05", "day"),
        ("13 August", "2023-08-13", "2023-08-13", "day"),
        ("December 30", "2022-12-30", "2022-12-30", "day"),
        ("June 2023", "2023-06-01", "2023-06-30", "month"),
        ("February, 2023", "2023-02-01", "2023-02-28", "month"),
        ("April.2023", "2023-04-01", "2023-04-30", "month"),
        ("Around August 2022", "2022-08-01", "2022-08-31", "month"),
        ("in July", "2023-07-01", "2023-07-31", "month"),
        ("2022", "2022-01-01", "2022-12-31", "year"),
        ("In 2013", "2013-01-01", "2013-12-31", "year"),
        ("Since 2016", "2016-01-01", "2016-12-31", "year"),
        ("The summer of 2022", "2022-06-01", "2022-08-31", "season"),
        ("summer 2023", "2023-06-01", "2023-08-31", "season"),
        ("The sunday before 25 May 2023", "2023-05-21", "2023-05-21", "day"),
        ("The Friday before 24June, 2022.", "2022-06-17", "2022-06-17", "day"),
        ("The sunday before 3` July 2023", "2023-07-02", "2023-07-02", "day"),
        ("two Mondays before 17 July 2023", "2023-07-03", "2023-07-03", "day"),
        ("The Monday after 15 July 2023", "2023-07-17", "2023-07-17", "day"),
        ("The week before 9 June 2023", "2023-05-29", "2023-06-04", "week"),
        ("The week of 23 August 2023", "2023-08-21", "2023-08-27", "week"),
        ("Two weeks before 11 August 2023", "2023-07-24", "2023-07-30", "week"),
        ("a few weeks before 24 June 2023", "2023-05-15", "2023-06-11", "week"),
        ("three days before 1 March 2023", "2023-02-26", "2023-02-26", "day"),
        ("two weekends before 17 July 2023", "2023-07-08", "2023-07-09", "weekend"),
        ("The weekend before 22 July 2023", "2023-07-15", "2023-07-16", "weekend"),
        ("The weekend after 3June, 2022.", "2022-06-04", "2022-06-05", "weekend"),
        ("The weekend of 22August, 2022.", "2022-08-27", "2022-08-28", "weekend"),
        ("first week of August 2023", "2023-08-01", "2023-08-07", "week"),
        ("last week of September 2023", "2023-09-24", "2023-09-30", "week"),
        ("first weekend of August 2023", "2023-08-05", "2023-08-06", "weekend"),
        ("early August, 2023", "2023-08-01", "2023-08-10", "week"),
        ("mid-June 2023", "2023-06-11", "2023-06-20", "week"),
        ("the end of June 2023", "2023-06-21", "2023-06-30", "week"),
        ("between 2 and 4 August 2023", "2023-08-02", "2023-08-04", "day"),
        ("August 11 to August 15 2023", "2023-08-11", "2023-08-15", "day"),
        ("10 years ago", "2013-01-01", "2013-12-31", "year"),
        ("A few years ago", "2018-01-01", "2021-12-31", "years"),
        ("a few years before 2023", "2018-01-01", "2021-12-31", "years"),
        ("20 May 2023 (approximately)", "2023-05-20", "2023-05-20", "day"),
    ],
)  # fmt: skip
def test_reads_a_gold_time(gold: str, first: str, last: str, unit: str) -> None:
    assert parse_gold(gold, SAID) == (date.fromisoformat(first), date.fromisoformat(last), unit)


@pytest.mark.parametrize(
    "gold",
    [
        "her mother",
        "4 years",
        "three weeks",
        "Yes",
        "",
        "31 February 2023",
        "the best week",
        "42",
        "Mary",
        "Marketing",
        "marathon 2022",
    ],
)
def test_other_answers_are_no_times(gold: str) -> None:
    assert parse_gold(gold, SAID) is None


@pytest.mark.parametrize("gold", ["10 years ago", "13 August"])
def test_relative_gold_needs_a_day_to_count_from(gold: str) -> None:
    assert parse_gold(gold) is None


MAY = month(date(2023, 5, 1))


@pytest.mark.parametrize(
    ("grounded", "gold", "expected"),
    [
        ([day(date(2023, 5, 7))], day(date(2023, 5, 7)), "right"),
        ([day(date(2023, 5, 7))], MAY, "right"),
        ([week(date(2023, 5, 30))], MAY, "unresolved"),
        ([week(date(2023, 5, 29))], month(date(2023, 6, 1)), "right"),
        ([week(date(2023, 5, 10))], day(date(2023, 5, 10)), "unresolved"),
        ([year(date(2023, 5, 10))], MAY, "unresolved"),
        ([day(date(2023, 4, 7))], MAY, "wrong"),
        ([day(date(2023, 4, 7)), day(date(2023, 5, 1))], MAY, "right"),
        ([day(date(2023, 4, 7)), year(date(2023, 5, 1))], MAY, "unresolved"),
        ([weekend(date(2023, 5, 10))], week(date(2023, 5, 10)), "right"),
        ([spanning(year(date(2018, 1, 1)), year(date(2021, 1, 1)))], year(date(2022, 1, 1)), "wrong"),
        ([], MAY, "unresolved"),
    ],
)
def test_agreement_at_the_golds_own_granularity(grounded: list[Interval], gold: Interval, expected: Agreement) -> None:
    assert agreement(grounded, gold) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I went yesterday.",
        "Tonight we dance.",
        "Last Fri was fun.",
        "this summer",
        "next weekend",
        "on Tuesday",
        "two weeks ago",
        "a few years ago",
        "a couple of days ago",
        "the other day",
        "It was in May.",
    ],
)
def test_fixed_expressions_are_recognised(text: str) -> None:
    assert holds_expression(text)


@pytest.mark.parametrize("text", ["You may go.", "Give me a second.", "It was long ago.", "We met last time."])
def test_other_words_are_no_fixed_expressions(text: str) -> None:
    assert not holds_expression(text)


@pytest.mark.shared
def test_grounding_agrees_with_the_gold_times_of_locomo(benchmark_data: Path) -> None:
    outcomes = Counter(outcome for sample in _samples(benchmark_data) for outcome in _outcomes(sample))
    assert outcomes["right"] >= 0.8 * outcomes.total() > 0
    assert outcomes["wrong"] <= 0.05 * outcomes.total()


def _samples(folder: Path) -> list[dict[str, Any]]:
    samples: list[dict[str, Any]] = json.loads((folder / "locomo_dev.json").read_text(encoding="utf-8"))
    return samples


def _outcomes(sample: dict[str, Any]) -> Iterator[Agreement]:
    """One outcome for each temporal question whose evidence holds one of the fixed expressions and whose gold is a time."""
    talk = sample["conversation"]
    times = {
        turn["dia_id"]: (turn["text"], datetime.strptime(talk[f"{name}_date_time"], "%I:%M %p on %d %B, %Y"))
        for name in talk
        if isinstance(talk[name], list)
        for turn in talk[name]
    }
    for question in sample["qa"]:
        evidence = [times[turn] for turn in question["evidence"] if turn in times]
        if question["category"] != 2 or not any(holds_expression(text) for text, _ in evidence):
            continue
        if gold := parse_gold(str(question["answer"]), evidence[0][1].date()):
            yield agreement([found.interval for text, said in evidence for found in ground(text, said)], gold)
