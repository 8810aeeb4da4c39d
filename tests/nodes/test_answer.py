"""Markers lead to verified lines only, and coverage and usage add up."""

from typing import Any

import pytest

from langrecall.nodes.answer import citable, cite, coverage, total
from langrecall.state import MemoryLine


def line(turn: str, *, verified: bool = True) -> MemoryLine:
    return MemoryLine(id=turn, text=f"line of {turn}", sources=[turn], quote="", verified=verified)


@pytest.mark.parametrize(
    ("text", "expected", "turns"),
    [
        ("Oslo [2], since May [1].", "Oslo [1], since May [2].", ["s:2", "s:1"]),
        ("Oslo [1][3].", "Oslo [1].", ["s:1"]),
        ("Oslo [1, 2].", "Oslo [1][2].", ["s:1", "s:2"]),
        ("Oslo [7].", "Oslo.", []),
        ("Oslo.", "Oslo.", []),
    ],
)
def test_markers_are_renumbered_by_first_mention(text: str, expected: str, turns: list[str]) -> None:
    lines = [line("s:1"), line("s:2"), line("s:1")]
    shown, cited = cite(text, lines)
    assert shown == expected
    assert [each["sources"][0] for each in cited] == turns


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
