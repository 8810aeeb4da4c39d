"""A real and weak model behind the loop: whatever it says, a run ends in an answer or an honest abstention."""

import re
from typing import Any, get_args

import pytest

from langrecall.data import sample_history, sample_questions
from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.loaders import load
from langrecall.records import Turn
from langrecall.settings import PRESETS, Preset
from langrecall.state import StopReason
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory

pytestmark = [pytest.mark.model, pytest.mark.timeout(1800)]

ASKED = [asked.question for asked in (sample_questions().demo[0], sample_questions().abstention[-1])]


@pytest.fixture(scope="module")
def history() -> HistoryStore:
    (loaded,) = load(sample_history()).histories
    history = ChromaHistory.open(None, embeddings=None).at("sample")
    sessions = [session.model_dump(mode="json") for session in loaded.sessions]
    create_ingest_graph(history).invoke({"sessions": sessions})
    return history


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_weak_model_ends_every_run_in_an_answer_or_an_abstention(
    history: HistoryStore, model_url: str, monkeypatch: pytest.MonkeyPatch, preset: Preset, question: str
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", model_url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    graph = create_recall_graph(history, "openai:small", preset=preset)
    state: dict[str, Any] = graph.invoke({"query": question})
    assert state["answer"].strip()
    assert state["stop_reason"] in get_args(StopReason)
    assert state["usage"]["calls"] > 0
    assert not (state["abstained"] and state["citations"])
    turns = {turn.id: turn for turn in history.turns([cited["turn"] for cited in state["citations"]])}
    for cited in state["citations"]:
        assert not cited["verified"] or _holds(turns[cited["turn"]], cited["quote"])


def _holds(turn: Turn, quote: str) -> bool:
    """Whether the quoted words stand in the turn, whatever its case, spacing and punctuation."""
    return _words(quote) in _words(turn.text)


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
