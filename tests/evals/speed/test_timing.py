"""Two sides are timed on the same tasks, each first on every other one."""

from time import sleep

import pytest

from langrecall.evals.speed.timing import Pair, by_turns, median_share, percentiles, ratio_at, seconds


def test_each_side_goes_first_on_every_other_task() -> None:
    order: list[str] = []
    by_turns("ab", ours=lambda task: order.append(f"ours {task}"), reference=lambda task: order.append(f"other {task}"))
    assert order == ["ours a", "other a", "other b", "ours b"]


def test_each_sides_time_is_its_own() -> None:
    for pair in by_turns(range(2), ours=lambda _: sleep(0.02), reference=lambda _: None):
        assert pair.ours >= 0.02 > pair.reference


def test_a_call_is_timed_with_its_arguments() -> None:
    assert seconds(sleep, 0.01) >= 0.01


def test_ratios_compare_equal_percentiles() -> None:
    pairs = [Pair(2.0, 1.0), Pair(4.0, 2.0), Pair(9.0, 3.0)]
    assert ratio_at(pairs, 0.5) == 2.0
    assert ratio_at(pairs, 1.0) == 3.0
    assert median_share(pairs) == 0.5


def test_times_are_told_in_milliseconds() -> None:
    assert percentiles([Pair(0.002, 0.001)]) == {
        "p50_ms": pytest.approx(2.0),
        "p95_ms": pytest.approx(2.0),
        "reference_p50_ms": pytest.approx(1.0),
        "reference_p95_ms": pytest.approx(1.0),
    }
