"""Means come with an interval that is right where it can be checked by hand."""

import pytest

from langrecall.evals.estimates import Estimate, estimate, median, paired_difference, percentile


def test_interval_is_wilsons() -> None:
    assert estimate([1.0] * 8 + [0.0] * 2) == Estimate(0.8, 10, 0.4902, 0.9433)


def test_interval_has_a_width_where_all_agree() -> None:
    assert estimate([1.0] * 10) == Estimate(1.0, 10, 0.7225, 1.0)
    assert estimate([0.0] * 10) == Estimate(0.0, 10, 0.0, 0.2775)


def test_partial_shares_are_averaged() -> None:
    assert estimate([0.5, 1.0]).mean == 0.75


def test_nothing_has_no_mean() -> None:
    assert estimate([]) == Estimate(None, 0, None, None)


def test_a_paired_difference_has_an_interval_that_can_be_recomputed() -> None:
    ours, theirs = [1.0] * 30 + [0.0] * 10, [0.0] * 10 + [1.0] * 20 + [0.0] * 10
    found = paired_difference(ours, theirs)
    assert (found.mean, found.n) == (0.25, 40)
    assert found == paired_difference(ours, theirs)
    assert found.low is not None
    assert found.high is not None
    assert 0.1 < found.low < 0.15
    assert 0.37 < found.high < 0.42


def test_equal_results_differ_by_nothing() -> None:
    assert paired_difference([0.5, 1.0], [0.5, 1.0]) == Estimate(0.0, 2, 0.0, 0.0)
    assert paired_difference([], []) == Estimate(None, 0, None, None)


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1), (0.5, 2), (0.51, 3), (0.95, 4), (1.0, 4)])
def test_percentile_is_one_of_the_values(share: float, expected: float) -> None:
    assert percentile([4, 1, 3, 2], share) == expected


def test_median_is_the_middle() -> None:
    assert median([9, 1, 5]) == 5
    assert median([9, 1, 5, 6]) == 5.5


def test_no_values_have_no_percentile() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)
