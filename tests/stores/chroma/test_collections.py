"""How rows lie in a Chroma folder: what others find there, what older versions left, and how much one call writes."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.api.models.Collection import Collection
from chromadb.config import Settings

from langrecall.records import Session
from langrecall.stores.base import PutReport
from langrecall.stores.chroma.bound import BoundHistory
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder

Store = Callable[[BoundHistory, Sequence[Session]], PutReport]
Talk = Callable[..., Session]

SAID = ("I keep bees. Their hive is blue.", "Since when?", "Since the spring, and my sister helps.")


@pytest.fixture
def folder(tmp_path: Path, store: Store, talk: Talk) -> Path:
    with ChromaHistory.open(tmp_path / "db", embeddings=HashEmbedder()) as memory:
        store(memory.at("ana"), [talk("s1", *SAID), talk("s2", *SAID, day=3)])
    return tmp_path / "db"


def collections(folder: Path) -> list[Collection]:
    client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
    return [client.get_collection(each.name, embedding_function=None) for each in client.list_collections()]


def test_turns_and_entries_are_documents_and_what_is_made_of_them_is_not(folder: Path) -> None:
    found: dict[str, set[str | None]] = {}
    for collection in collections(folder):
        rows = collection.get(include=["metadatas", "documents"])
        for metadata, document in zip(rows["metadatas"] or (), rows["documents"] or (), strict=True):
            found.setdefault(str(metadata["kind"]), set()).add(document)
    assert {f"Ana: {SAID[0]}", f"Bo: {SAID[1]}"} <= found["turn"]
    assert all(found["episode"])
    assert {kind for kind, documents in found.items() if documents != {None}} == {"turn", "episode"}


def test_a_folder_in_which_every_text_is_a_document_is_read_and_kept(folder: Path, store: Store, talk: Talk) -> None:
    """As the first versions wrote it."""
    with ChromaHistory.open(folder, embeddings=HashEmbedder()) as memory:
        before = memory.at("ana").search_turns("Who helps with the bees?", 6)
    for collection in collections(folder):
        rows = collection.get(include=["metadatas", "documents", "embeddings"])
        metadatas = rows["metadatas"] or []
        texts = [
            str(row.get("text", document)) for row, document in zip(metadatas, rows["documents"] or (), strict=True)
        ]
        without: Any = [{**row, "text": None} for row in metadatas]
        collection.update(rows["ids"], embeddings=rows["embeddings"], documents=texts, metadatas=without)
        assert not any("text" in row for row in collection.get()["metadatas"] or ())
    with ChromaHistory.open(folder, embeddings=HashEmbedder()) as memory:
        history = memory.at("ana")
        assert history.search_turns("Who helps with the bees?", 6) == before
        assert store(history, [talk("s1", *SAID)]).skipped == ("s1",)
        assert memory.reindex("ana") == 2
        assert history.search_turns("Who helps with the bees?", 6) == before


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The kinds of rows of each call that wrote some."""
    calls: list[list[str]] = []
    upsert = Collection.upsert

    def spy(collection: Collection, *args: Any, **kwargs: Any) -> None:
        calls.append([str(metadata["kind"]) for metadata in kwargs["metadatas"]])
        upsert(collection, *args, **kwargs)

    monkeypatch.setattr(Collection, "upsert", spy)
    return calls


async def test_beside_an_event_loop_one_call_writes_little(
    tmp_path: Path, talk: Talk, written: list[list[str]]
) -> None:
    """Chroma keeps the interpreter to itself during a call; only the records that make sessions visible go together."""
    sessions = [talk(f"s{number}", *SAID) for number in range(30)]
    with ChromaHistory.open(tmp_path / "db", embeddings=HashEmbedder()) as memory:
        await memory.at("ana").aput(sessions, {}, describer="test", form="wiki")
        beside, written[:] = list(written), []
        memory.at("bo").put(sessions, {}, describer="test", form="wiki")
    visible = [kinds for kinds in beside if "session" in kinds]
    assert [kinds.count("session") for kinds in visible] == [30]
    assert max(len(kinds) for kinds in beside if kinds not in visible) == 15
    assert max(len(kinds) for kinds in written) > 200


async def test_on_a_server_an_event_loop_is_free_anyway(
    chroma_server: str, talk: Talk, written: list[list[str]]
) -> None:
    session = talk("s1", *(f"Note {number}. It is about bees." for number in range(40)))
    with ChromaHistory.open(chroma_server, embeddings=HashEmbedder()) as memory:
        history = memory.at("beside a loop")
        await history.aput([session], {}, describer="test", form="wiki")
        assert max(len(kinds) for kinds in written) > 50
        await history.aclear()
