"""What showing turns costs is what rendering says, and budgets are kept."""

from pathlib import Path

import pytest

from langrecall.evals.transcripts import Transcript
from langrecall.loaders.benchmark import load_benchmark
from langrecall.rendering import header_tokens, turn_tokens, turns_tokens


@pytest.fixture
def transcript(locomo_file: Path) -> Transcript:
    return Transcript.of(load_benchmark(locomo_file).histories[0].sessions)


def test_cost_is_that_of_rendering(transcript: Transcript) -> None:
    ids = ["session_1:0", "session_3:2", "session_1:1"]
    assert transcript.cost(ids) == turns_tokens(transcript.turns[name] for name in ids)
    assert transcript.tokens == turns_tokens(transcript.turns.values())


def test_unknown_turns_have_no_cost(transcript: Transcript) -> None:
    with pytest.raises(KeyError):
        transcript.cost(["session_9:0"])


def test_leading_stops_where_a_turn_does_not_fit(transcript: Transcript) -> None:
    order = ["session_1:0", "session_1:1", "session_1:2"]
    budget = transcript.cost(order[:1]) + transcript.turn_costs["session_1:2"]
    assert transcript.leading(order, budget) == ["session_1:0"]
    assert transcript.fitting(order, budget) == ["session_1:0", "session_1:2"]


def test_a_sessions_header_is_paid_once(transcript: Transcript) -> None:
    first, second = transcript.turns["session_2:0"], transcript.turns["session_2:1"]
    exact = header_tokens("session_2", first.time) + turn_tokens(first) + turn_tokens(second)
    assert transcript.fitting(["session_2:0", "session_2:1"], exact) == ["session_2:0", "session_2:1"]
    assert transcript.fitting(["session_2:0", "session_2:1"], exact - 1) == ["session_2:0"]


def test_a_turn_named_twice_is_shown_once(transcript: Transcript) -> None:
    assert transcript.leading(["session_1:0", "session_1:0", "session_1:1"], 10_000) == ["session_1:0", "session_1:1"]
