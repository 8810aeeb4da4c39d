"""Recall counts gold that was shown, once, and asks of k places no more than they can hold."""

import pytest

from langrecall.evals.retrieval.metrics import session_recall, shown_share, turn_recall


def test_turn_recall_is_the_share_of_gold_turns_shown() -> None:
    assert turn_recall(["s1:0", "s2:3"], ["s2:3", "s2:4"]) == 0.5


def test_gold_given_twice_counts_once() -> None:
    assert turn_recall(["s1:0", "s1:0", "s2:3"], ["s1:0"]) == 0.5


@pytest.mark.parametrize(("k", "expected"), [(1, 1.0), (2, 0.5), (3, 2 / 3), (9, 2 / 3)])
def test_session_recall_asks_for_what_k_places_have_room_for(k: int, expected: float) -> None:
    assert session_recall(["a", "b", "c"], ["a", "x", "b", "y"], k) == expected


def test_shown_share_is_at_most_all() -> None:
    assert [shown_share(5, 20), shown_share(9, 4), shown_share(1, 0)] == [0.25, 1.0, 1.0]
