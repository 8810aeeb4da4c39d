"""Evolved queries are new, few, and lead somewhere."""

from typing import Any

import pytest

from langrecall.engine.rounds import MAX_BRANCHES, has_next, new_queries, normalise
from langrecall.settings import Settings
from langrecall.state import Query

TRIED = [Query(id="q0", text="Where did Mira move?", failed="no city")]


@pytest.mark.parametrize("again", ["Where did Mira move?", "where did mira  move", "WHERE DID MIRA MOVE!!"])
def test_a_query_equal_to_a_tried_one_is_not_run_again(again: str) -> None:
    assert new_queries([again], TRIED, number=1)[0] == []


def test_new_queries_keep_their_order_and_come_once() -> None:
    fresh, _ = new_queries(["Mira flat", "mira flat", "Mira city"], TRIED, number=2)
    assert [(query["id"], query["text"]) for query in fresh] == [("r2.1", "Mira flat"), ("r2.2", "Mira city")]


def test_branches_are_bounded() -> None:
    assert len(new_queries([f"query {n}" for n in range(20)], TRIED, number=1)[0]) == MAX_BRANCHES


@pytest.mark.parametrize("blank", ["", "   ", "?!", "🎂🎂", "❤\ufe0f", "\u0301"])
def test_a_query_without_words_is_dropped(blank: str) -> None:
    assert new_queries([blank], [], number=1) == ([], {"without words": 1})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("caf\u00e9", "cafe\u0301"),
        ("\uff22\uff2f\uff2c\uff34\u3000\uff12", "bolt 2"),
        ("CAFE\u0301!", "caf\u00e9"),
        ("caf\u00e9", "cafe"),
        ("Straße", "STRASSE"),
        ("❤\ufe0fBolt", "bolt"),
        ("\u01f0", "J\u030c"),
    ],
)
def test_spellings_of_one_query_are_one(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(("one", "other"), [("दिन", "दान"), ("ไก่", "ไก้")])
def test_words_that_differ_in_their_marks_are_two(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


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
