"""Other libraries are measured on the same turns and by the same rule; what is not installed is skipped with a reason."""

from pathlib import Path

import pytest

from langrecall.evals.histories import silent
from langrecall.evals.peers.adapters import PEERS, EncoderEmbeddings, GivenTurn
from langrecall.evals.peers.bench import GoldQuestion, compared, conversation, libraries, measure_peers, sample
from langrecall.evals.peers.process import PeerFigures
from langrecall.evals.provenance import installed
from langrecall.evals.speed.reference import reference_encoder
from langrecall.evals.transcripts import Transcript
from langrecall.testing import HashEmbedder

LINES = [GivenTurn(f"s1:{at}", f"Mia: I saw a {animal} today ") for at, animal in enumerate(["beagle", "heron", "eel"])]
"""Turns as people type them, a space at their end."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEM0_TELEMETRY", "False")
    return tmp_path


@pytest.mark.parametrize("library", [name for name in PEERS if installed(name)])
@pytest.mark.filterwarnings("ignore")
def test_an_installed_peer_finds_the_turn_that_shares_the_words(library: str, folder: Path) -> None:
    peer = PEERS[library](EncoderEmbeddings(reference_encoder(HashEmbedder())))
    peer.put(LINES)
    assert peer.search("Who saw a heron?")[0] == "s1:1"


def test_the_sample_is_asked_what_it_can_answer() -> None:
    shared = sample()
    turns = {turn.id for session in shared.sessions for turn in session.turns}
    assert len(shared.questions) == 15
    assert all(asked.gold and set(asked.gold) <= turns for asked in shared.questions)


def test_a_conversation_is_asked_all_but_the_adversarial(locomo_file: Path) -> None:
    shared = conversation(locomo_file, only="talk-2")
    assert shared.name == "talk-2"
    assert len(shared.questions) == 5
    assert shared.source["file"] == locomo_file.name


def test_what_fits_the_budget_counts_whatever_was_found() -> None:
    shared = sample()
    every = [turn.id for session in shared.sessions for turn in session.turns]
    last = every[-1]
    few = shared._replace(questions=[GoldQuestion("first?", (every[0],)), GoldQuestion("last?", (last,))])
    figures = PeerFigures(put_seconds=1.0, search_seconds=[0.2, 0.4], encode_seconds=[0.1, 0.1], found=[every, every])
    assert last not in Transcript.of(shared.sessions).fitting(every, 1000)
    found = compared(few, figures)
    assert found["turn_recall"]["mean"] == 0.5
    assert found["p50_ratio"] == 2.0
    assert found["p95_ms"] == 400.0


def test_libraries_that_are_missing_or_fail_are_skipped_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("langrecall.evals.peers.bench.PEERS", {"no-such-library": None})
    assert libraries() == ("langrecall", "no-such-library")
    report = measure_peers(sample(), embeddings="nonsense", advance=silent)
    measured = report["libraries"]
    assert measured["no-such-library"] == {
        "skipped": "no-such-library is not installed: pip install 'langrecall[bench]'"
    }
    assert "langrecall failed: " in measured["langrecall"]["skipped"]
    assert "embeddings 'nonsense' is not known" in measured["langrecall"]["skipped"]
    assert [source["file"] for source in report["provenance"]["data"]] == ["sample_history.json"]
