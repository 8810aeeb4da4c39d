"""`ask`: what it prints, and which settings it passes on."""

import re
from collections.abc import Callable
from typing import Any, get_args

import pytest

from langrecall.cli.ask import parse_changes, parse_time
from langrecall.errors import InputError, SettingsError
from langrecall.state import Node

Run = Callable[..., Any]
Place = tuple[str, ...]


def test_json_holds_the_whole_answer(run: Run, place: Place) -> None:
    outcome = run("ask", "When did Jonas move into the flat?", *place, "--json")
    assert outcome.code == 0
    assert outcome.err == ""
    answer = outcome.json
    assert list(answer) == [
        "query", "answer", "abstained", "stop_reason", "citations", "answer_support", "supported", "memory", "coverage", "usage", "steps",
    ]  # fmt: skip
    assert set(answer["coverage"]) == {"sessions", "ranked", "seen", "read", "unseen"}
    assert set(answer["usage"]) == {"calls", "prompt_tokens", "completion_tokens", "seconds", "by_node"}
    for step in answer["steps"]:
        assert set(step) == {"step", "node", "action", "argument", "reasoning", "observed", "tokens", "source", "note"}
    for line in answer["memory"]:
        assert set(line) == {"text", "sources", "quote", "verified"}
    assert answer["query"] == "When did Jonas move into the flat?"
    assert (answer["steps"][0]["node"], answer["steps"][-1]["node"]) == ("retrieve", "answer")


def test_the_answer_cites_the_turn_that_says_it(run: Run, place: Place) -> None:
    answer = run("ask", "When did Jonas move into the flat?", *place, "--json").json
    assert "B1" in [citation["source_id"] for citation in answer["citations"]]
    assert all(citation["verified"] for citation in answer["citations"])
    (cited,) = [citation for citation in answer["citations"] if citation["source_id"] == "B1"]
    assert set(cited) == {"turn", "source_id", "session_id", "speaker", "time", "quote", "verified"}
    assert (cited["turn"], cited["session_id"], cited["speaker"]) == ("summer:0", "summer", "Jonas")


def test_a_person_reads_the_answer_with_its_sources(run: Run, place: Place) -> None:
    outcome = run("ask", "What is Mira's dog called?", *place)
    assert "Biscuit" in outcome.out
    assert "[1] Mira, 4 March 2024, 18:30 · spring:0 (A1)\n" in outcome.out
    assert "no model" in outcome.out.splitlines()[-1]


def test_trace_shows_the_steps_in_their_order(run: Run, place: Place) -> None:
    question = "When did Jonas move into the flat?"
    nodes = [step["node"] for step in run("ask", question, *place, "--json").json["steps"]]
    lines = run("ask", question, *place, "--trace").out.splitlines()
    shown = [found[1] for line in lines if (found := re.match(r" +\d+  (\w+)", line)) and found[1] in get_args(Node)]
    assert shown == nodes


def test_with_json_the_trace_goes_to_stderr(run: Run, place: Place) -> None:
    outcome = run("ask", "What is Mira's dog called?", *place, "--trace", "--json")
    assert outcome.json["query"] == "What is Mira's dog called?"
    assert "retrieve" in outcome.err


def test_later_sessions_are_left_out(run: Run, place: Place) -> None:
    answer = run("ask", "When did Jonas move into the flat?", *place, "--at", "5 March 2024", "--json").json
    assert answer["coverage"]["ranked"] == 1
    assert all(citation["session_id"] == "spring" for citation in answer["citations"])


def test_settings_reach_the_graph(run: Run, place: Place) -> None:
    answer = run("ask", "What is Mira's dog called?", *place, "--set", "rollout=false", "--json").json
    assert [step["node"] for step in answer["steps"]] == ["retrieve", "answer"]


def test_unknown_setting_lists_the_known_ones(run: Run, place: Place) -> None:
    outcome = run("ask", "q", *place, "--set", "max_step=3", "--json")
    assert outcome.code == 2
    assert "unknown setting 'max_step'" in outcome.json["error"]
    assert "max_steps" in outcome.json["error"]


def test_setting_out_of_bounds_is_one_line(run: Run, place: Place) -> None:
    outcome = run("ask", "q", *place, "--set", "max_steps=0")
    assert outcome.code == 2
    assert outcome.err.startswith("error: setting 'max_steps' is 0:")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("max_steps=3", 3),
        ("rollout=false", False),
        ("max_tokens=none", None),
        ("retriever=dense", "dense"),
        ('retriever="dense"', "dense"),
        ("model=openai:a=b", "openai:a=b"),
        (" temperature = 0.5 ", 0.5),
    ],
)
def test_values_are_json_where_they_can_be(written: str, value: object) -> None:
    assert list(parse_changes([written]).values()) == [value]


@pytest.mark.parametrize("value", ["1" * 5_000, "[" * 60_000])
def test_a_value_beyond_what_json_reads_is_refused(run: Run, place: Place, value: str) -> None:
    outcome = run("ask", "q", *place, "--set", f"max_steps={value}", "--json")
    assert outcome.code == 2
    assert outcome.json["error"].startswith("setting 'max_steps' is ")


@pytest.mark.parametrize("written", ["max_steps", "=3", ""])
def test_a_change_without_key_or_value_is_refused(written: str) -> None:
    with pytest.raises(SettingsError, match="no KEY=VALUE"):
        parse_changes([written])


def test_times_are_read_as_a_person_writes_them() -> None:
    assert parse_time("8 May 2023, 13:56") == "2023-05-08T13:56:00"
    assert parse_time(None) is None
    with pytest.raises(InputError, match="'soon' is no date"):
        parse_time("soon")
