"""Every system works through the store alone, shows what fits, and ranks each session once."""

from pathlib import Path

import pytest

from langrecall.evals.histories import put_extractive, silent
from langrecall.evals.retrieval.systems import SYSTEMS, Inquiry, System, systems_for
from langrecall.evals.transcripts import Transcript
from langrecall.loaders.benchmark import load_benchmark
from langrecall.stores.chroma.history import ChromaHistory

BY_NAME = {system.name: system for system in SYSTEMS}


@pytest.fixture
def inquiry(locomo_file: Path, memory: ChromaHistory) -> Inquiry:
    sessions = load_benchmark(locomo_file).histories[0].sessions
    put_extractive(memory.at("talk"), sessions, advance=silent)
    return Inquiry(memory.at("talk"), Transcript.of(sessions), "What is the name of the beagle?")


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
@pytest.mark.parametrize("tokens", [60, 100_000])
def test_turns_shown_are_distinct_and_within_the_budget(inquiry: Inquiry, system: System, tokens: int) -> None:
    shown = system.turns(inquiry, tokens)
    assert shown
    assert len(shown) == len(set(shown))
    assert inquiry.transcript.cost(shown) <= tokens


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_sessions_are_ranked_with_the_right_one_first(inquiry: Inquiry, system: System) -> None:
    ranked = system.sessions(inquiry, 3)
    assert ranked[0] == "session_1"
    assert len(set(ranked)) == 3


def test_whole_sessions_are_read_from_their_beginning(inquiry: Inquiry) -> None:
    whole = BY_NAME["whole_sessions"]
    first = inquiry.transcript.cost(["session_1:0", "session_1:1"])
    assert whole.turns(inquiry, first) == ["session_1:0", "session_1:1"]
    assert len(whole.turns(inquiry, 100_000)) == len(inquiry.transcript.turns)


def test_without_vectors_the_dense_systems_are_left_out() -> None:
    assert [system.name for system in systems_for(vectors=False)] == ["langrecall", "bm25", "whole_sessions"]
    assert len(systems_for(vectors=True)) == 5
