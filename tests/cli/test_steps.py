"""A step as a line of the trace."""

import io
from typing import Any

import pytest
from rich.console import Console

from langrecall.cli.steps import show_step
from langrecall.state import TrajectoryStep, Usage

NOTHING = Usage(calls=0, prompt_tokens=0, completion_tokens=0, seconds=0.0)
REASON = TrajectoryStep(
    id="1:reason",
    step=1,
    node="reason",
    action="read_raw",
    argument="summer",
    reasoning="The move is mentioned in summer.",
    observed=["summer:0"],
    tokens=1234,
    source="repaired",
    note="one unknown id dropped",
    usage=NOTHING,
)


def shown(**changes: Any) -> list[str]:
    stream = io.StringIO()
    step: Any = REASON | changes
    show_step(Console(file=stream, width=100, color_system=None, highlight=False), step)
    return stream.getvalue().splitlines()


def test_a_reason_step_shows_choice_thought_and_what_it_remembers() -> None:
    assert shown() == [
        "   1  reason      → read_raw summer · 1,234 tokens · repaired",
        "                  The move is mentioned in summer.",
        "                  remembers summer:0",
        "                  one unknown id dropped",
    ]


@pytest.mark.parametrize(("source", "marked"), [("store", False), ("extractive", False), ("fallback", True)])
def test_only_a_models_output_is_marked_with_its_origin(source: str, marked: bool) -> None:
    assert (source in shown(source=source)[0]) is marked


def test_a_long_list_of_ids_is_cut_and_counted() -> None:
    lines = shown(node="retrieve", observed=[f"s{number}" for number in range(9)], reasoning="", note="")
    assert lines[0].startswith("   1  retrieve    9 sessions")
    assert lines[1].strip() == "s0, s1, s2, s3, s4, s5, … 3 more"


@pytest.mark.parametrize("argument", ["why " * 40, "東京" * 40])
def test_a_long_argument_is_cut(argument: str) -> None:
    line = shown(node="search_meta", argument=argument, observed=["s1"], reasoning="", note="")[0]
    assert line.endswith("…: 1 session · 1,234 tokens · repaired")
    assert line.startswith(f"   1  search_meta {argument[:44]}")
    assert len(line) < 110


def test_what_came_back_is_counted() -> None:
    lines = shown(node="retrieve", observed=["s1", "s1:0", "s1:4"], reasoning="", note="")
    assert lines[0].startswith("   1  retrieve    1 session, 2 turns")


def test_an_action_that_brought_nothing_says_so() -> None:
    assert "summer: nothing found" in shown(node="search_meta", observed=[], reasoning="", note="")[0]


def test_escape_sequences_of_a_model_are_not_played() -> None:
    assert not any("\x1b" in line for line in shown(reasoning="\x1b[2Jgone", argument="\x1b]0;title\x07"))
