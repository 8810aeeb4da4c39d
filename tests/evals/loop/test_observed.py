"""What counts as observed is charged whole, in the order in which it was, and a turn that does not fit is not read."""

from pathlib import Path

import pytest

from langrecall.engine.observations import merge, notice, observe_episodes, observe_turns, shown_once
from langrecall.evals.loop.observed import Look, Observed
from langrecall.evals.transcripts import Transcript
from langrecall.loaders.benchmark import load_benchmark
from langrecall.policies.extractive.describe import describe_session
from langrecall.rendering import turn_tokens
from langrecall.settings import Settings
from langrecall.state import Observation

SETTINGS = Settings()


@pytest.fixture
def transcript(locomo_file: Path) -> Transcript:
    return Transcript.of(load_benchmark(locomo_file).histories[0].sessions)


def shown(transcript: Transcript, *names: str, step: int = 1, key: str = "") -> Observation:
    turns = [transcript.turns[name] for name in names]
    return observe_turns("zoom_in", turns, SETTINGS, step=step, key=key, cap=None)


def test_all_that_an_observation_shows_is_charged(transcript: Transcript) -> None:
    sessions = list(transcript.sessions.values())[:2]
    floor = [transcript.turns["session_1:0"]]
    entries = [describe_session(session, "wiki") for session in sessions]
    first = observe_episodes("retrieve", entries, floor, SETTINGS, step=0, query="beagle")
    then = notice("zoom_out", "Nothing around.", step=1)
    observed = Observed.of([first, then], transcript, grounded=True)
    assert observed.tokens == first["tokens"] + then["tokens"]
    assert observed.turns == {"session_1:0": turn_tokens(floor[0])}
    assert observed.looks[0].rest > 0


def test_a_turn_shown_again_later_is_charged_again(transcript: Transcript) -> None:
    looks = [shown(transcript, "session_1:0"), shown(transcript, "session_1:0", step=2)]
    observed = Observed.of(looks, transcript, grounded=True)
    assert observed.tokens == sum(look["tokens"] for look in looks)
    assert list(observed.turns) == ["session_1:0"]


def test_of_parallel_branches_a_turn_counts_once_as_its_reader_sees_it(transcript: Transcript) -> None:
    names = (("session_1:0", "session_1:2"), ("session_1:2", "session_2:0"))
    branches = [shown(transcript, *turns, key=f"r1.{place}") for place, turns in enumerate(names)]
    observed = Observed.of(branches, transcript, grounded=True)
    turns = [transcript.turns[name] for name in ("session_1:0", "session_1:2", "session_2:0")]
    once = shown_once(branches, turns, SETTINGS)
    assert list(observed.turns) == once["turns"]
    assert once["text"].count(transcript.turns["session_1:2"].text) == 1
    assert merge(branches)["text"].count(transcript.turns["session_1:2"].text) == 2
    assert once["tokens"] <= observed.tokens <= merge(branches)["tokens"]


def test_a_reader_stops_where_the_budget_does() -> None:
    first, second, third = Look(("a",), (40,), 10), Look(("b", "c", "d"), (60, 30, 10), 10), Look(("e",), (5,), 0)
    observed = Observed((first, second, third))
    assert observed.tokens == 165
    assert list(observed.within(165)) == ["a", "b", "c", "d", "e"]
    assert list(observed.within(100)) == ["a", "c", "d"], "the best that fit, after what stands above them"
    assert list(observed.within(55)) == ["a"]
    assert list(observed.within(49)) == []
    assert list(observed.within(160)) == ["a", "b", "c", "d"]


def test_one_retrieval_is_charged_as_the_benchmark_of_retrieval_does(transcript: Transcript) -> None:
    names = ["session_1:0", "session_2:0", "session_2:2"]
    assert Observed.at_once(names, transcript).tokens == transcript.cost(names)
