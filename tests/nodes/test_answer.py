"""Lines are checked anew before they are cited, and coverage and usage add up."""

from typing import Any

import pytest

from langrecall.engine.gather import Quoted
from langrecall.nodes.answer import coverage, rechecked, total
from langrecall.records import Turn
from langrecall.state import MemoryLine, citable


def line(turn: str, *, verified: bool = True) -> MemoryLine:
    return MemoryLine(id=turn, text=f"line of {turn}", sources=[turn], quote="", verified=verified)


def test_unverified_lines_cannot_be_cited() -> None:
    memory = [line("s:1", verified=False), line("s:2")]
    assert citable(memory) == [memory[1]]


def test_coverage_counts_sessions_seen_in_any_form() -> None:
    state: Any = {"seen": ["a", "b"], "read": ["a"], "ranked": 5, "observation": [{"turns": ["c:1", "a:2"]}]}
    assert coverage(state, sessions=6) == {"sessions": 6, "ranked": 5, "seen": 3, "read": 1, "unseen": 2}


def test_total_sums_each_node() -> None:
    def step(node: str, calls: int) -> Any:
        return {"node": node, "usage": {"calls": calls, "prompt_tokens": 10, "completion_tokens": 1, "seconds": 0.5}}

    whole = total([step("reason", 1), step("reason", 1), step("answer", 1)])
    assert (whole["calls"], whole["prompt_tokens"], whole["seconds"]) == (3, 30, 1.5)
    assert whole["by_node"]["reason"]["calls"] == 2


@pytest.mark.parametrize(
    ("edit", "verified", "first"),
    [
        ({}, True, "s:1"),
        ({"text": "Ann has two cats."}, True, "s:1"),
        ({"text": "Ann has 3 cats."}, False, "s:1"),
        ({"quote": "I have two dogs at home now."}, False, "s:1"),
        ({"quote": "Then we moved to Oslo in spring.", "text": "They moved to Oslo."}, True, "s:2"),
        ({"sources": ["s:2"]}, False, "s:2"),
    ],
)
def test_a_line_that_a_person_edited_is_checked_again(edit: Any, verified: bool, first: str) -> None:
    said = {"s:1": "I have two cats at home now.", "s:2": "Then we moved to Oslo in spring."}
    turns = [
        Turn(session_id="s", index=int(turn[2:]), speaker="Ann", role="speaker", text=text)
        for turn, text in said.items()
    ]
    memory: Any = [
        {"id": "1.1", "text": said["s:1"], "sources": ["s:1", "s:2"], "quote": said["s:1"], "verified": True} | edit
    ]
    (checked,) = rechecked(memory, Quoted(turns, []))
    assert (checked["verified"], checked["sources"][0]) == (verified, first)


def test_a_line_that_was_not_verified_stays_so() -> None:
    unverified = line("s:1", verified=False)
    assert rechecked([unverified], Quoted([], [])) == [unverified]
