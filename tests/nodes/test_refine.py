"""Evolved queries are new, few, and lead somewhere."""

from typing import Any

import pytest

from langrecall.nodes.refine import MAX_BRANCHES, has_next, new_queries
from langrecall.settings import Settings
from langrecall.state import Query

TRIED = [Query(id="q0", text="Where did Mira move?", failed="no city")]


@pytest.mark.parametrize("again", ["Where did Mira move?", "where did mira  move", "WHERE DID MIRA MOVE!!"])
def test_a_query_equal_to_a_tried_one_is_not_run_again(again: str) -> None:
    assert new_queries([again], TRIED, number=1) == []


def test_new_queries_keep_their_order_and_come_once() -> None:
    fresh = new_queries(["Mira flat", "mira flat", "Mira city"], TRIED, number=2)
    assert [(query["id"], query["text"]) for query in fresh] == [("r2.1", "Mira flat"), ("r2.2", "Mira city")]


def test_branches_are_bounded() -> None:
    assert len(new_queries([f"query {n}" for n in range(20)], TRIED, number=1)) == MAX_BRANCHES


@pytest.mark.parametrize("blank", ["", "   ", "?!"])
def test_a_query_without_words_is_dropped(blank: str) -> None:
    assert new_queries([blank], [], number=1) == []


@pytest.mark.parametrize(
    ("settings", "proposed", "seen", "expected"),
    [
        (Settings(), ["new"], 5, True),
        (Settings(), [], 3, True),
        (Settings(), [], 5, False),
        (Settings(walk="cycle"), [], 3, False),
        (Settings(walk="cycle"), ["new"], 3, True),
        (Settings(raw_data=False), ["new"], 5, False),
    ],
)
def test_another_round_needs_something_new_to_look_at(
    settings: Settings, proposed: list[str], seen: int, expected: bool
) -> None:
    state: Any = {"queries": TRIED, "seen": [f"s{n}" for n in range(seen)], "ranked": 5}
    assert has_next(proposed, state, settings) is expected
