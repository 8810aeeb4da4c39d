"""`retriever="graph"`: entities and relations of the metadata lead back to the turns they came from."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from langrecall.errors import InputError
from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.records import Episode, Relation, Session, Turn
from langrecall.stores.base import HistoryStore, Search
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder

TALKS = {
    "market": ["Morning!", "Ada repairs clocks near the station."],
    "fair": ["We saw ADA there.", "She had a stall with old watches."],
    "rain": ["It rains.", "Bring an umbrella."],
}
ENTRIES = {
    "market": [Relation(subject="Ada", predicate="repairs", object="clocks", turns=(1,))],
    "fair": [Relation(subject="ADA's", predicate="owns", object="a stall", turns=(0, 1))],
    "rain": [Relation(subject="umbrella", predicate="is for", object="weather", turns=(1,))],
}


@pytest.fixture
def history() -> Iterator[HistoryStore]:
    """Three sessions whose entries hold relations, the same person under two spellings."""
    sessions = [
        Session(
            session_id=name,
            turns=tuple(
                Turn(session_id=name, index=place, speaker="Mia", role="speaker", text=text)
                for place, text in enumerate(texts)
            ),
        )
        for name, texts in TALKS.items()
    ]
    entries = {
        name: Episode(
            session_id=name,
            title="",
            entities=tuple(dict.fromkeys(side for one in told for side in (one.subject, one.object))),
            relations=tuple(told),
        )
        for name, told in ENTRIES.items()
    }
    with ChromaHistory.open(None, embeddings=HashEmbedder(512)) as memory:
        memory.at("mia").put(sessions, entries, describer="given", form="graph")
        yield memory.at("mia")


def observed(history: HistoryStore, query: str, **settings: Any) -> list[str]:
    graph = create_recall_graph(history, settings={"retriever": "graph", **settings})
    state: dict[str, Any] = list(graph.stream({"query": query}, stream_mode="values"))[-1]
    return list(state["observation"][0]["turns"])


def test_a_relation_leads_to_the_turns_that_say_it(history: HistoryStore) -> None:
    assert observed(history, "repairs clocks", preset="memcot", top_k_turns=1) == ["market:1"]


def test_an_entity_is_one_wherever_and_however_it_is_spelled(history: HistoryStore) -> None:
    found = observed(history, "Ada", preset="memcot", top_k_turns=3)
    assert set(found) == {"market:1", "fair:0", "fair:1"}
    scores = {hit.id: hit.score for hit in history.search_turns(Search("Ada", retriever="graph"))}
    assert scores["market:1"] == pytest.approx(scores["fair:0"])


def test_turns_without_a_relation_are_not_reached(history: HistoryStore) -> None:
    found = {hit.id for hit in history.search_turns(Search("Morning umbrella", 99, retriever="graph"))}
    assert found == {"market:1", "fair:0", "fair:1", "rain:1"}


def test_combined_takes_its_sessions_and_its_floor_from_the_graph(history: HistoryStore) -> None:
    graph = create_recall_graph(history, settings={"retriever": "graph", "k_first": 1})
    state: dict[str, Any] = list(graph.stream({"query": "Who repairs clocks?"}, stream_mode="values"))[-1]
    assert state["observation"][0]["episodes"] == ["market"]
    assert "market:1" in state["observation"][0]["turns"]
    assert [citation["turn"] for citation in state["citations"]] == ["market:1"]


def test_another_namespace_shares_no_entity(history: HistoryStore) -> None:
    with ChromaHistory.open(None, embeddings=HashEmbedder(512)) as memory:
        for name in ("mia", "tom"):
            turns = [{"speaker": name, "text": f"I met Ada in {name}ville."}]
            ingest = create_ingest_graph(memory.at(name), settings={"form": "graph"})
            ingest.invoke({"sessions": [{"session_id": name, "turns": turns}]})
        assert observed(memory.at("tom"), "Ada", preset="memcot") == ["tom:0"]


def test_without_a_model_names_that_are_said_together_are_related() -> None:
    with ChromaHistory.open(None, embeddings=HashEmbedder(512)) as memory:
        told = [{"speaker": "Mia", "text": text} for text in ("I met Ada at the Quay.", "It was late.")]
        ingest = create_ingest_graph(memory.at("mia"), settings={"form": "wiki+graph"})
        ingest.invoke({"sessions": [{"session_id": "s", "turns": told}]})
        (entry,) = memory.at("mia").episodes(["s"])
        assert {"Mia", "Ada", "Quay"} <= set(entry.entities)
        assert entry.facts or entry.events
        assert observed(memory.at("mia"), "Ada and the Quay", preset="memcot") == ["s:0"]


def test_without_a_model_a_noun_phrase_leads_to_the_turns_that_say_it() -> None:
    with ChromaHistory.open(None, embeddings=HashEmbedder(512)) as memory:
        said = ("We went to the market with my aunt.", "I joined a pottery class there.", "The weather was so bad.")
        ingested(memory, "wiki+graph", *said)
        assert observed(memory.at("mia"), "pottery class", preset="memcot", top_k_turns=1) == ["s:1"]


@pytest.mark.parametrize(
    ("form", "said", "fault"),
    [
        (
            "wiki",
            "I met Ada at the Quay.",
            r"its entries are in form 'wiki', and retriever 'graph' needs 'graph' or 'wiki\+graph'; ingest",
        ),
        ("summary", "I met Ada at the Quay.", "its entries are in form 'summary', and retriever 'graph' needs"),
        ("wiki+graph", "Hm.", r"its entries \(form 'wiki\+graph'\) relate nothing; choose another retriever"),
    ],
)
@pytest.mark.parametrize("preset", ["t2mem", "memcot", "combined"])
def test_a_history_without_a_graph_says_so_and_how_to_make_one(form: str, said: str, fault: str, preset: str) -> None:
    with ChromaHistory.open(None, embeddings=HashEmbedder(512)) as memory:
        ingested(memory, form, said)
        with pytest.raises(InputError, match=f"^namespace 'mia' has no graph: {fault}") as raised:
            observed(memory.at("mia"), "Ada", preset=preset)
        assert "\n" not in str(raised.value)


def test_a_history_of_which_some_sessions_have_no_graph_says_so(tmp_path: Path) -> None:
    with ChromaHistory.open(tmp_path, embeddings=HashEmbedder(512)) as memory:
        history = memory.at("mia")
        ingested(memory, "wiki+graph", "I met Ada at the Quay.")
        assert history.search_turns("Ada", retriever="graph")
        told = {"session_id": "later", "turns": [{"speaker": "Mia", "text": "Ada moved to Bruges."}]}
        create_ingest_graph(history, settings={"form": "wiki"}).invoke({"sessions": [told]})
        fault = (
            "namespace 'mia' has a graph of some sessions only: the entries of 1 of its 2 sessions are in form 'wiki'"
        )
        for _ in range(2):
            with pytest.raises(InputError, match=fault):
                history.search_turns("Ada", retriever="graph")
        create_ingest_graph(history, settings={"form": "wiki+graph"}).invoke({"sessions": [told]})
        assert {hit.id for hit in history.search_turns("Ada", retriever="graph")} == {"s:0", "later:0"}


async def test_both_searches_say_so_in_both_forms_with_and_without_embeddings() -> None:
    for embeddings in (HashEmbedder(512), None):
        with ChromaHistory.open(None, embeddings=embeddings) as memory:
            ingested(memory, "wiki", "I met Ada at the Quay.")
            history = memory.at("mia")
            for search in (history.search_turns, history.search_episodes):
                with pytest.raises(InputError, match="has no graph"):
                    search("Ada", retriever="graph")
            for asearch in (history.asearch_turns, history.asearch_episodes):
                with pytest.raises(InputError, match="has no graph"):
                    await asearch("Ada", retriever="graph")


def test_an_ingest_in_the_named_form_mends_it() -> None:
    with ChromaHistory.open(None, embeddings=HashEmbedder(512)) as memory:
        ingested(memory, "wiki", "I met Ada at the Quay.")
        ingested(memory, "wiki+graph", "I met Ada at the Quay.")
        assert observed(memory.at("mia"), "Ada", preset="memcot") == ["s:0"]


def test_an_empty_history_is_no_fault_of_its_form() -> None:
    with ChromaHistory.open(None, embeddings=HashEmbedder(512)) as memory:
        assert memory.at("mia").search_turns("Ada", retriever="graph") == []
        assert observed(memory.at("mia"), "Ada") == []


def ingested(memory: ChromaHistory, form: str, *said: str) -> None:
    """Put one session of Mia's into her namespace, described in a form."""
    turns = [{"speaker": "Mia", "text": text} for text in said]
    graph = create_ingest_graph(memory.at("mia"), settings={"form": form})
    graph.invoke({"sessions": [{"session_id": "s", "turns": turns}]})
