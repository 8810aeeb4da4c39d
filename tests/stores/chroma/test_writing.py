"""What a put embeds and writes, and what it does not, also when it fails half way."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import chromadb
import httpx
import pytest
from chromadb.api.models.Collection import Collection
from chromadb.config import Settings
from chromadb.errors import InternalError

from langrecall.errors import ModelError, ModelUnavailableError, StoreError, UnknownIdError
from langrecall.records import Episode, Session
from langrecall.stores.base import PutReport
from langrecall.stores.chroma.bound import BoundHistory
from langrecall.stores.chroma.commits import commits
from langrecall.stores.chroma.erasing import erase_removed
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.stores.chroma.places import DATABASE
from langrecall.stores.encoding.pieces import Piece, pieces
from langrecall.testing import HashEmbedder

Store = Callable[[BoundHistory, Sequence[Session]], PutReport]
Talk = Callable[..., Session]
Entry = Callable[[Session], Episode]


class CountingEmbedder(HashEmbedder):
    """Remembers every text it was given to embed."""

    def __init__(self, dimension: int = 16) -> None:
        super().__init__(dimension)
        self.texts: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.texts += texts
        return super().embed_documents(texts)


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def memory(embedder: CountingEmbedder, tmp_path: Path) -> Iterator[ChromaHistory]:
    with ChromaHistory.open(tmp_path, embeddings=embedder) as opened:
        yield opened


@pytest.fixture
def history(memory: ChromaHistory) -> BoundHistory:
    return memory.at("alice")


def test_equal_texts_are_embedded_once(
    history: BoundHistory, embedder: CountingEmbedder, store: Store, talk: Talk
) -> None:
    store(history, [talk("s1", "thanks!", "ok", "thanks!", "ok"), talk("s2", "thanks!")])
    assert embedder.texts
    assert len(embedder.texts) == len(set(embedder.texts))


def test_blank_texts_are_stored_and_not_embedded(
    history: BoundHistory, embedder: CountingEmbedder, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def as_said(session: Session, _: Episode | None) -> list[Piece]:
        return [
            Piece(f"{turn.id}:turn", "turn", session.session_id, (turn.index,), turn.text) for turn in session.turns
        ]

    monkeypatch.setattr("langrecall.stores.chroma.rows.pieces", as_said)
    session = talk("s1", "", "   ", "I keep bees")
    history.put([session], {}, describer="test", form="wiki")
    assert embedder.texts == ["I keep bees"]
    assert history.session("s1") == session
    assert history.search_turns("bees", 1)[0].id == "s1:2"


def test_skipped_sessions_are_not_embedded(
    history: BoundHistory, embedder: CountingEmbedder, store: Store, talk: Talk
) -> None:
    store(history, [talk("s1", "I keep bees")])
    embedder.texts.clear()
    store(history, [talk("s1", "I keep bees")])
    assert embedder.texts == []


def test_only_what_a_grown_session_adds_is_embedded(
    history: BoundHistory, embedder: CountingEmbedder, talk: Talk, entry: Entry
) -> None:
    short, grown = talk("s1", "one fish", "two fish"), talk("s1", "one fish", "two fish", "red fish")
    history.put([short], {"s1": entry(short)}, describer="test", form="wiki")
    embedder.texts.clear()
    history.put([grown], {"s1": entry(grown)}, describer="test", form="wiki")
    known = {piece.text for piece in pieces(short, entry(short))}
    assert set(embedder.texts) == {piece.text for piece in pieces(grown, entry(grown))} - known
    assert any("red fish" in text for text in embedder.texts)


def test_another_describer_embeds_only_what_it_says_anew(
    history: BoundHistory, embedder: CountingEmbedder, talk: Talk, entry: Entry
) -> None:
    session = talk("s1", "one fish", "two fish")
    history.put([session], {"s1": entry(session)}, describer="test", form="wiki")
    embedder.texts.clear()
    summary = Episode(session_id="s1", title="Fish", summary="They counted fish.")
    history.put([session], {"s1": summary}, describer="another", form="summary")
    assert set(embedder.texts) == {piece.text for piece in pieces(session, summary) if piece.kind == "episode"}
    assert history.episodes(["s1"]) == [summary]


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_a_put_that_failed_is_not_embedded_again(
    history: BoundHistory,
    embedder: CountingEmbedder,
    store: Store,
    talk: Talk,
    monkeypatch: pytest.MonkeyPatch,
    failing: int,
) -> None:
    writes = 0
    upsert = Collection.upsert

    def fails_once(collection: Collection, **values: Any) -> None:
        nonlocal writes
        writes += 1
        if writes in (failing, failing + 1):  # the store tries once more by itself
            raise InternalError("database is locked")
        upsert(collection, **values)

    monkeypatch.setattr(Collection, "upsert", fails_once)
    with pytest.raises(StoreError, match=r"Chroma failed on .*: database is locked"):
        store(history, [talk("s1", "I keep bees"), talk("s2", "I sing", day=1)])
    assert history.sessions() == []
    paid = len(embedder.texts)
    assert paid > 0
    assert store(history, [talk("s1", "I keep bees"), talk("s2", "I sing", day=1)]).created == ("s1", "s2")
    assert len(embedder.texts) == paid
    assert {hit.id for hit in history.search_turns("bees", 9)} == {"s1:0", "s2:0"}


def test_a_retry_sees_the_original_input(history: BoundHistory, store: Store, talk: Talk, entry: Entry) -> None:
    sessions = [talk("s1", "I keep bees")]
    entries = {"s1": entry(sessions[0])}
    before = ([session.model_dump_json() for session in sessions], {"s1": entries["s1"].model_dump_json()})
    history.put(sessions, entries, describer="test", form="wiki")
    assert ([session.model_dump_json() for session in sessions], {"s1": entries["s1"].model_dump_json()}) == before


def test_an_embedder_that_fails_leaves_nothing_visible(tmp_path: Path, store: Store, talk: Talk) -> None:
    class Short(HashEmbedder):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return super().embed_documents(texts)[1:]

    memory = ChromaHistory.open(tmp_path, embeddings=Short(8))
    with pytest.raises(ModelError, match="did not return 9 finite vectors"):
        store(memory.at("alice"), [talk("s1", "I keep bees", "Do you")])
    assert memory.at("alice").sessions() == []
    assert memory.namespaces() == []


def test_a_wave_that_fails_does_not_undo_the_waves_before_it(
    history: BoundHistory, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = [talk(f"s{number}", f"note {number}") for number in range(40)]
    encode = HashEmbedder.embed_documents

    def fails(embedder: HashEmbedder, texts: list[str]) -> list[list[float]]:
        if any("note 39" in text for text in texts):
            raise httpx.ConnectError("gone")
        return encode(embedder, texts)

    monkeypatch.setattr(HashEmbedder, "embed_documents", fails)
    with pytest.raises(ModelUnavailableError, match="do not answer now: gone"):
        history.put(sessions, {}, describer="test", form="wiki")
    assert len(history.sessions()) == 32
    monkeypatch.undo()
    report = history.put(sessions, {}, describer="test", form="wiki")
    assert (len(report.created), len(report.skipped)) == (8, 32)


def test_a_session_that_lost_a_row_is_hidden_until_it_is_put_again(
    history: BoundHistory, store: Store, talk: Talk
) -> None:
    sessions = [talk("s1", "I keep bees", "Do you"), talk("s2", "I sing", day=1)]
    store(history, sessions)
    history._rows.remove("chunks", [commits(history._rows, ["s1"])["s1"].carriers[1]])
    assert {hit.id for hit in history.search_turns("bees sing", 9)} == {"s2:0"}
    assert history.turns(["s1:1", "s2:0"]) == list(sessions[1].turns)
    with pytest.raises(UnknownIdError):
        history.session("s1")
    assert history.changes(sessions, describer="test", form="wiki").updated == ("s1",)
    assert store(history, sessions) == PutReport((), ("s1",), ("s2",))
    assert history.session("s1") == sessions[0]
    assert len(history.search_turns("bees sing", 9)) == 3


def test_a_cleared_namespace_is_off_the_disk(
    tmp_path: Path, memory: ChromaHistory, history: BoundHistory, store: Store, talk: Talk
) -> None:
    store(memory.at("bob"), [talk("s1", "kept")])
    store(history, [talk("s1", "the password is swordfish")])
    history.search_turns("swordfish")
    assert on_disk(tmp_path, b"swordfish")
    folders = len(list(tmp_path.glob("*-*-*-*-*")))
    history.clear()
    assert not on_disk(tmp_path, b"swordfish")
    assert on_disk(tmp_path, b"kept")
    assert len(list(tmp_path.glob("*-*-*-*-*"))) == folders - 2


def test_a_deleted_session_is_off_the_disk(
    tmp_path: Path, memory: ChromaHistory, history: BoundHistory, store: Store, talk: Talk
) -> None:
    store(history, [talk("s1", "the password is swordfish"), talk("s2", "kept")])
    assert b"swordfish" in (tmp_path / DATABASE).read_bytes()
    history.delete("s1")
    assert b"swordfish" not in (tmp_path / DATABASE).read_bytes()
    for again in (history, ChromaHistory.open(tmp_path, embeddings=HashEmbedder(16)).at("alice")):
        assert [hit.id for hit in again.search_turns("kept", retriever="dense")] == ["s2:0"]


def test_erasing_waits_for_no_reader(tmp_path: Path, history: BoundHistory, store: Store, talk: Talk) -> None:
    store(history, [talk("s1", "I keep bees")])
    reader = ChromaHistory.open(tmp_path, embeddings=None)
    reader.at("alice").search_turns("bees")
    erase_removed(tmp_path / DATABASE)
    assert reader.at("alice").search_turns("bees")[0].id == "s1:0"


def test_collections_are_cosine_and_name_their_namespace_and_model(
    tmp_path: Path, history: BoundHistory, store: Store, talk: Talk
) -> None:
    store(history, [talk("s1", "I keep bees")])
    client = chromadb.PersistentClient(tmp_path, settings=Settings(anonymized_telemetry=False))
    found = client.list_collections()
    assert sorted(each.name.rpartition("-")[2] for each in found) == ["chunks", "notes"]
    for each in found:
        assert each.configuration_json["hnsw"]["space"] == "cosine"
        assert each.metadata["namespace"] == "alice"
        assert (each.metadata["model"], each.metadata["dimension"]) == ("hash-16", 16)


def on_disk(folder: Path, word: bytes) -> bool:
    return any(word in path.read_bytes() for path in folder.rglob("*") if path.is_file())
