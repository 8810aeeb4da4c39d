"""The extractive policy quotes, abstains, and walks as the question demands."""

from collections.abc import Iterator

import pytest

from langrecall.data import sample_history, sample_questions
from langrecall.evals.histories import ingest, silent
from langrecall.evals.walks import abstention, walk
from langrecall.graphs.recall import create_recall_graph
from langrecall.loaders import load
from langrecall.policies.extractive.policy import as_asked, evolve
from langrecall.policies.extractive.questions import Asked
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory


@pytest.fixture(scope="module")
def history() -> Iterator[HistoryStore]:
    memory = ChromaHistory.open(None, embeddings=None)
    (loaded,) = load(sample_history()).histories
    bound = memory.at("sample")
    ingest(bound, loaded.sessions, advance=silent)
    yield bound
    memory.close()


def test_the_demo_questions_are_answered_from_their_evidence(history: HistoryStore) -> None:
    graph = create_recall_graph(history)
    for asked in sample_questions().demo:
        found = walk(graph, asked.question, question_id="", category=asked.kind, gold=asked.evidence)
        assert found.abstained is not asked.answerable, asked.question
        assert set(asked.evidence) & set(found.cited) or not asked.answerable, asked.question


def test_a_date_leads_the_answer(history: HistoryStore) -> None:
    result = create_recall_graph(history).invoke({"query": "When did Tavish break his wrist?"})
    assert result["answer"].startswith("14 March 2024: Tavish, 16 March 2024: \u201cI slipped on the ramp")
    assert result["answer"].splitlines()[0].endswith("\u201d [1]")
    assert result["citations"][0]["verified"] is True
    assert result["usage"]["calls"] == 0


def test_every_run_is_the_same(history: HistoryStore) -> None:
    graph = create_recall_graph(history)
    first, second = (graph.invoke({"query": "Whose name did Tavish give to the canoe?"}) for _ in range(2))
    assert (first["answer"], first["memory"]) == (second["answer"], second["memory"])


def test_abstention_on_the_sample_history_is_balanced() -> None:
    assert abstention(embeddings=None, preset="combined")["balanced_accuracy"] >= 0.8


@pytest.mark.parametrize("preset", ["t2mem", "memcot", "combined"])
def test_every_preset_walks_without_a_model(history: HistoryStore, preset: str) -> None:
    graph = create_recall_graph(history, settings={"preset": preset})
    walks = [
        walk(graph, asked.question, question_id="", category="", gold=())
        for asked in sample_questions().abstention[::6]
    ]
    assert len({found.nodes for found in walks}) > 1
    assert all(found.nodes[-1] == "answer" for found in walks)


def test_evolve_leaves_out_what_is_covered() -> None:
    asked = Asked.of("Where did Mia buy the green lamp?", ["Mia"])
    queries, evolution = evolve("Where did Mia buy the green lamp?", asked, ["green"])
    assert (queries, evolution) == (["Mia green", "buy green lamp?"], "pruned")


def test_evolve_asks_person_by_person() -> None:
    asked = Asked.of("What do Mia and Tom paint?", ["Mia", "Tom"])
    assert evolve("What do Mia and Tom paint?", asked, ["paint"]) == (["Mia paint", "Tom paint"], "decomposed")


def test_what_is_missing_is_told_in_the_words_of_the_question() -> None:
    query = "What did Tavish's grandmothers do for a living?"
    assert as_asked(["grandmoth", "live", "tavish", "ibach"], query) == ["grandmothers", "living", "Tavish", "ibach"]
    assert as_asked([], query) == []
