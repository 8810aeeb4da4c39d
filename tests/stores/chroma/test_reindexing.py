"""A namespace gets another embedding model, and nobody notices before it has it whole."""

from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import uuid4

import pytest

from langrecall.errors import ModelError, NamespaceError, StoreError
from langrecall.records import Episode, Kept, Session
from langrecall.stores import keeping
from langrecall.stores.base import PutReport
from langrecall.stores.chroma import collections
from langrecall.stores.chroma.bound import BoundHistory
from langrecall.stores.chroma.connection import Collection
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.stores.encoding.encoder import EmbeddingModel
from langrecall.testing import HashEmbedder

Store = Callable[[BoundHistory, Sequence[Session]], PutReport]
Talk = Callable[..., Session]
Entry = Callable[[Session], Episode]


class Watched(HashEmbedder):
    """Another model, which calls `meanwhile` whenever it embeds documents and keeps what it embedded."""

    def __init__(self, meanwhile: Callable[[], object] = int) -> None:
        super().__init__(24)
        self.meanwhile = meanwhile
        self.texts: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.meanwhile()
        self.texts += texts
        return super().embed_documents(texts)


@pytest.fixture
def name() -> str:
    return f"test-{uuid4()}"


@pytest.fixture
def folder(tmp_path: Path, name: str, store: Store, talk: Talk) -> Path:
    """A folder with three sessions, made with another model; two are of one time, stored the other way round."""
    with ChromaHistory.open(tmp_path, embeddings=HashEmbedder(16)) as memory:
        store(
            memory.at(name), [talk("s2", "I keep bees"), talk("s1", "I sold the piano"), talk("s3", "I moved", day=1)]
        )
    return tmp_path


def everything(place: str | Path | None, name: str) -> list[Kept]:
    with ChromaHistory.open(place, embeddings=None) as memory:
        return list(memory.at(name).kept())


def test_everything_stays_but_the_vectors(place: str | None, name: str, store: Store, talk: Talk) -> None:
    if place is None:
        pytest.skip("a history in memory lives in one object, which has one model")
    with ChromaHistory.open(place, embeddings=HashEmbedder(16)) as old:
        store(old.at(name), [talk("s2", "I keep bees"), talk("s1", "I sold the piano")])
        before = list(old.at(name).kept())
        with ChromaHistory.open(place, embeddings=Watched()) as new:
            told: list[int] = []
            assert new.reindex(name, on_sessions=told.append) == 2
            assert sum(told) == 2
            assert new.embedding_model(name) == EmbeddingModel("hash-24", 24)
            assert list(new.at(name).kept()) == before
            assert [hit.id for hit in new.at(name).search_turns("bees", 1, retriever="dense")] == ["s2:0"]
            assert new.at(name).stats()["sessions"] == 2
            assert store(new.at(name), [talk("s3", "later")]).created == ("s3",)
            assert name in new.namespaces()
            new.at(name).clear()


def test_the_order_of_sessions_of_one_time_is_kept(folder: Path, name: str) -> None:
    assert [kept.session.session_id for kept in everything(folder, name)] == ["s2", "s1", "s3"]
    with ChromaHistory.open(folder, embeddings=None) as memory:
        memory.reindex(name)
    assert [kept.session.session_id for kept in everything(folder, name)] == ["s2", "s1", "s3"]


def test_who_described_each_session_is_kept(folder: Path, name: str, talk: Talk, entry: Entry) -> None:
    with ChromaHistory.open(folder, embeddings=HashEmbedder(16)) as memory:
        late = talk("s4", "I swim", day=2)
        memory.at(name).put([late], {"s4": entry(late)}, describer="gpt", form="graph")
        bare = talk("s5", "I run", day=3)
        memory.at(name).put([bare], {}, describer="gpt", form="graph")
    with ChromaHistory.open(folder, embeddings=Watched()) as memory:
        memory.reindex(name)
    kept = everything(folder, name)
    assert [(each.describer, each.form) for each in kept] == [("test", "wiki")] * 3 + [("gpt", "graph")] * 2
    assert [each.episode is None for each in kept] == [False] * 4 + [True]


def test_the_old_vectors_answer_until_the_new_are_whole(folder: Path, name: str) -> None:
    with ChromaHistory.open(folder, embeddings=HashEmbedder(16)) as old:
        seen: list[tuple[str, list[str]]] = []

        def look() -> None:
            seen.append((old.at(name).search_turns("bees", 1)[0].id, old.namespaces()))

        with ChromaHistory.open(folder, embeddings=Watched(look)) as new:
            new.reindex(name)
    assert seen
    assert set(map(str, seen)) == {str(("s2:0", [name]))}


def test_a_model_that_fails_changes_nothing_and_the_next_try_goes_on(
    folder: Path, name: str, store: Store, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "_WAVE", 2)
    before = everything(folder, name)

    def fail_late() -> None:
        if embedder.texts:
            raise ModelError("the embedding server is gone")

    embedder = Watched(fail_late)
    with ChromaHistory.open(folder, embeddings=embedder) as memory:
        with pytest.raises(ModelError, match="is gone"):
            memory.reindex(name)
        assert everything(folder, name) == before
        first = list(embedder.texts)
        embedder.meanwhile = int
        assert memory.reindex(name) == 3
    assert any("bees" in text for text in first)
    assert not any("bees" in text or "piano" in text for text in embedder.texts[len(first) :])
    assert everything(folder, name) == before


def test_another_model_than_that_of_a_stopped_try_begins_anew(folder: Path, name: str) -> None:
    def fail() -> None:
        raise ModelError("no")

    with ChromaHistory.open(folder, embeddings=Watched(fail)) as memory, pytest.raises(ModelError):
        memory.reindex(name)
    with ChromaHistory.open(folder, embeddings=HashEmbedder(8)) as memory:
        assert memory.reindex(name) == 3
        assert memory.embedding_model(name) == EmbeddingModel("hash-8", 8)
        assert [hit.id for hit in memory.at(name).search_turns("bees", 1)] == ["s2:0"]


def test_what_is_written_meanwhile_is_in_it(folder: Path, name: str, store: Store, talk: Talk) -> None:
    with ChromaHistory.open(folder, embeddings=HashEmbedder(16)) as old:
        pending: list[Session] = [talk("s4", "I swim", day=2)]

        def write() -> None:
            if pending:
                store(old.at(name), [pending.pop()])
                old.at(name).delete("s1")
                old.at(name).stage([talk("s9", "not yet")])

        with ChromaHistory.open(folder, embeddings=Watched(write)) as new:
            assert new.reindex(name) == 3
            assert [hit.id for hit in new.at(name).search_turns("swim", 1)] == ["s4:0"]
            assert [session.session_id for session in new.at(name).staged(["s9"])] == ["s9"]
    assert [kept.session.session_id for kept in everything(folder, name)] == ["s2", "s3", "s4"]


@pytest.mark.parametrize("survived", [0, 1])
def test_one_killed_as_it_ends_is_completed_by_the_next(
    folder: Path, name: str, talk: Talk, store: Store, monkeypatch: pytest.MonkeyPatch, survived: int
) -> None:
    before = everything(folder, name)
    publish, published = collections._publish, [0]

    def killed(collection: Collection, *, name: str) -> None:
        if published[0] == survived:
            raise KeyboardInterrupt
        published[0] += 1
        publish(collection, name=name)

    with ChromaHistory.open(folder, embeddings=Watched()) as memory:
        monkeypatch.setattr(collections, "_publish", killed)
        with pytest.raises(KeyboardInterrupt):
            memory.reindex(name)
        monkeypatch.setattr(collections, "_publish", publish)
    with ChromaHistory.open(folder, embeddings=Watched()) as memory:
        assert memory.is_unfinished(name)
        with pytest.raises(StoreError, match="was killed as it ended: run it again first"):
            store(memory.at(name), [talk("s9", "new")])
        assert memory.reindex(name) == 3
        assert not memory.is_unfinished(name)
    assert everything(folder, name) == before


def test_nothing_of_a_stopped_one_outlives_the_namespace(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "_WAVE", 2)

    def fail_late() -> None:
        if embedder.texts:
            raise ModelError("no")

    embedder = Watched(fail_late)
    with ChromaHistory.open(folder, embeddings=embedder) as memory:
        with pytest.raises(ModelError):
            memory.reindex(name)
        memory.at(name).clear()
        assert memory.namespaces() == []
        assert memory._connection.call(lambda client: client.collections()) == []


@pytest.mark.parametrize("made", [True, False])
def test_a_namespace_that_is_not_there(tmp_path: Path, talk: Talk, made: bool) -> None:
    with ChromaHistory.open(tmp_path / "db", embeddings=None) as memory:
        if made:
            memory.at("alice").stage([talk("s1", "not yet")])
        with pytest.raises(NamespaceError, match="no namespace 'alice' here: there is nothing to reindex"):
            memory.reindex("alice")
        assert [session.session_id for session in memory.at("alice").staged(["s1"])] == (["s1"] if made else [])
