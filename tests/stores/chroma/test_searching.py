"""Which collections a search reads, how often, and what it keeps."""

from collections.abc import Callable, Iterator, Sequence
from threading import Thread
from typing import Any

import pytest
from chromadb.api.models.Collection import Collection

from langrecall.errors import EmbeddingMismatchError
from langrecall.records import Session
from langrecall.stores.base import Hit, PutReport, Retriever, Signals
from langrecall.stores.chroma.bound import BoundHistory
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.stores.chroma.places import FolderMark
from langrecall.testing import HashEmbedder

Store = Callable[[BoundHistory, Sequence[Session]], PutReport]
Talk = Callable[..., Session]


class Asked:
    """What was read of each collection: kinds of rows, with their vectors or without."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []

    def of(self, part: str) -> set[str]:
        return {kind for name, kind in self.calls if name == part}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    spied = Asked()
    get = Collection.get

    def spy(collection: Collection, *args: Any, **kwargs: Any) -> Any:
        found = get(collection, *args, **kwargs)
        part = collection.name.rpartition("-")[2]
        spied.calls += [(part, str(row["kind"])) for row in found["metadatas"] or ()]
        return found

    monkeypatch.setattr(Collection, "get", spy)
    return spied


@pytest.fixture
def history(store: Store, talk: Talk) -> Iterator[BoundHistory]:
    with ChromaHistory.open(None, embeddings=HashEmbedder(64)) as memory:
        history = memory.at("alice")
        store(history, [talk("s1", "I keep bees", "How many"), talk("s2", "I sing in a choir", "Lovely", day=1)])
        yield history


@pytest.mark.parametrize("retriever", ["dense", "lexical", "hybrid"])
def test_metadata_signals_never_ask_the_raw_turns(history: BoundHistory, asked: Asked, retriever: Retriever) -> None:
    hits = history.search_episodes("who keeps bees", signals="metadata", retriever=retriever)
    assert hits[0].id == "s1"
    assert asked.of("chunks") == set()
    assert asked.of("notes") >= {"session", "episode", "fact"}


@pytest.mark.parametrize("retriever", ["dense", "lexical", "hybrid"])
def test_raw_signals_never_ask_the_entries(history: BoundHistory, asked: Asked, retriever: Retriever) -> None:
    hits = history.search_turns("who keeps bees", signals="raw", retriever=retriever)
    assert hits[0].id == "s1:0"
    assert asked.of("notes") == {"session", "generation"}
    assert asked.of("chunks") >= {"turn", "context"}


def test_all_signals_ask_both(history: BoundHistory, asked: Asked) -> None:
    assert history.search_episodes("who keeps bees")[0].id == "s1"
    assert asked.of("chunks")
    assert asked.of("notes") >= {"session", "fact"}


def test_a_second_search_reads_the_generation_alone(history: BoundHistory, asked: Asked) -> None:
    history.search_turns("who keeps bees")
    asked.calls.clear()
    history.search_turns("who sings")
    assert asked.calls == [("notes", "generation")]


def test_a_second_search_of_a_folder_reads_nothing_until_somebody_writes(
    asked: Asked, store: Store, talk: Talk, tmp_path: Any
) -> None:
    ours, theirs = (ChromaHistory.open(tmp_path, embeddings=None).at("alice") for _ in range(2))
    store(theirs, [talk("s1", "I keep bees")])
    ours.search_turns("bees")
    asked.calls.clear()
    assert ours.search_turns("bees")[0].id == "s1:0"
    assert asked.calls == []
    store(theirs, [talk("s2", "I keep goats", day=1)])
    assert ours.search_turns("goats")[0].id == "s2:0"


def test_a_folder_that_a_killed_write_left_open_is_asked_each_time(
    asked: Asked, store: Store, talk: Talk, tmp_path: Any
) -> None:
    history = ChromaHistory.open(tmp_path, embeddings=None).at("alice")
    store(history, [talk("s1", "I keep bees")])
    FolderMark(tmp_path).begin()
    for _ in range(2):
        asked.calls.clear()
        history.search_turns("bees")
        assert ("notes", "generation") in asked.calls


def test_a_write_is_seen_by_the_next_search_of_every_kind(history: BoundHistory, store: Store, talk: Talk) -> None:
    kinds: tuple[Signals, ...] = ("all", "raw", "metadata")
    for signals in kinds:
        history.search_turns("goats", signals=signals)
    store(history, [talk("s3", "I keep goats", day=2)])
    for signals in kinds:
        assert "s3" in {hit.id for hit in history.search_episodes("goats", 9, signals=signals)}


def test_after_a_write_only_the_new_rows_are_read(
    history: BoundHistory, asked: Asked, store: Store, talk: Talk
) -> None:
    history.search_turns("who keeps bees")
    before = len([kind for part, kind in asked.calls if part == "chunks"])
    store(history, [talk("s3", "I keep goats", day=2)])
    asked.calls.clear()
    assert "s3:0" in {hit.id for hit in history.search_turns("goats", 9)}
    read = len([kind for part, kind in asked.calls if part == "chunks"])
    assert 0 < read <= before / 4
    store(history, [talk("s3", "I keep a llama", day=2)])
    history.delete("s2")
    found = history.turns([hit.id for hit in history.search_turns("goats", 99)])
    assert [turn.text for turn in found if turn.session_id == "s3"] == ["I keep a llama"]
    assert "s2" not in {turn.session_id for turn in found}


def test_a_namespace_made_again_with_another_model_is_read_anew(store: Store, talk: Talk, tmp_path: Any) -> None:
    ours = ChromaHistory.open(tmp_path, embeddings=HashEmbedder(8))
    theirs = ChromaHistory.open(tmp_path, embeddings=None)
    store(ours.at("alice"), [talk("s1", "I keep bees")])
    assert ours.at("alice").search_turns("bees")
    theirs.at("alice").clear()
    store(theirs.at("alice"), [talk("s1", "I keep bees")])
    with pytest.raises(EmbeddingMismatchError):
        ours.at("alice").search_turns("bees")
    assert theirs.at("alice").search_turns("bees")[0].id == "s1:0"


def test_writes_to_another_namespace_leave_the_corpus_in_place(asked: Asked, store: Store, talk: Talk) -> None:
    with ChromaHistory.open(None, embeddings=HashEmbedder(64)) as memory:
        store(memory.at("alice"), [talk("s1", "I keep bees")])
        memory.at("alice").search_turns("bees")
        store(memory.at("bob"), [talk("s1", "I sing")])
        asked.calls.clear()
        memory.at("alice").search_turns("bees")
        assert asked.calls == [("notes", "generation")]


def test_threads_search_while_another_writes(history: BoundHistory, store: Store, talk: Talk) -> None:
    found: list[list[Hit]] = []
    failures: list[BaseException] = []

    def search() -> None:
        try:
            for _ in range(20):
                found.append(history.search_turns("who keeps bees", 50))
        except BaseException as error:  # noqa: BLE001 - any failure of a thread is a failure of the test
            failures.append(error)

    readers = [Thread(target=search) for _ in range(4)]
    for reader in readers:
        reader.start()
    for number in range(8):
        store(history, [talk(f"n{number}", "I keep bees", "How many", day=number)])
        store(history, [talk("s1", f"I keep {number} bees", "How many")])
    for reader in readers:
        reader.join()
    assert failures == []
    assert all(len(hits) % 2 == 0 and len(hits) >= 4 for hits in found)
    assert len(history.search_turns("who keeps bees", 50)) == 20


def test_open_without_embeddings_searches_by_words_alone(store: Store, talk: Talk, tmp_path: Any) -> None:
    with ChromaHistory.open(tmp_path, embeddings=HashEmbedder(8)) as memory:
        store(memory.at("alice"), [talk("s1", "I keep bees"), talk("s2", "I sing", day=1)])
    with ChromaHistory.open(tmp_path, embeddings=None) as memory:
        assert memory.at("alice").search_turns("bees", 1)[0].id == "s1:0"
        assert memory.at("alice").search_episodes("sing", 1)[0].id == "s2"


@pytest.mark.parametrize("query", ["", "   ", "?!", "\ud800"])
def test_a_query_without_words_still_answers(history: BoundHistory, query: str) -> None:
    assert len(history.search_turns(query, 3)) <= 3
    assert len(history.search_episodes(query, 2)) <= 2


def test_two_in_memory_histories_share_nothing(store: Store, talk: Talk) -> None:
    with ChromaHistory.open(None, embeddings=None) as one, ChromaHistory.open(None, embeddings=None) as other:
        store(one.at("alice"), [talk("s1", "I keep bees")])
        assert other.at("alice").sessions() == []
        assert other.namespaces() == []
