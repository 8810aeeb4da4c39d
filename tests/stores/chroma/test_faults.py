"""One clear line for everything that can be wrong with a place or an embedding model."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import chromadb
import pytest
from chromadb.config import Settings
from filelock import FileLock

from langrecall.errors import EmbeddingMismatchError, InputError, StoreError, StoreUnavailableError
from langrecall.records import Session
from langrecall.stores.base import PutReport
from langrecall.stores.chroma.bound import BoundHistory
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.stores.encoding.encoder import EmbeddingModel
from langrecall.testing import HashEmbedder

Store = Callable[[BoundHistory, Sequence[Session]], PutReport]
Talk = Callable[..., Session]


class Unnamed(HashEmbedder):
    """An embedder that tells neither its name nor its size."""

    def __init__(self, size: int) -> None:
        self._inner = HashEmbedder(size)

    @property
    def model_name(self) -> str:
        return ""

    def embed_query(self, text: str) -> list[float]:
        return self._inner.embed_query(text)


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server that is none of Chroma's."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def made(tmp_path: Path, store: Store, talk: Talk) -> Path:
    """A folder with a history made with 8 dimensions."""
    with ChromaHistory.open(tmp_path, embeddings=HashEmbedder(8)) as memory:
        store(memory.at("alice"), [talk("s1", "I keep bees")])
    return tmp_path


def test_the_embedding_model_is_recorded(made: Path) -> None:
    with ChromaHistory.open(made, embeddings=None) as memory:
        assert memory.embedding_model("alice") == EmbeddingModel("hash-8", 8)
        assert memory.embedding_model("nobody") is None


def test_another_embedding_model_is_refused(made: Path, store: Store, talk: Talk) -> None:
    history = ChromaHistory.open(made, embeddings=HashEmbedder(9)).at("alice")
    message = (
        r"history 'alice' was made with 'hash-8' \(8 dimensions\) and is opened with 'hash-9' \(9 dimensions\): "
        "open it with embeddings='hash-8', or make it anew with reindex"
    )
    with pytest.raises(EmbeddingMismatchError, match=message):
        history.search_turns("bees")
    with pytest.raises(EmbeddingMismatchError, match=message):
        history.search_episodes("bees", retriever="lexical")
    with pytest.raises(EmbeddingMismatchError, match=message):
        history.changes([talk("s2", "I sing")], describer="test", form="wiki")
    with pytest.raises(EmbeddingMismatchError, match=message):
        store(history, [talk("s2", "I sing")])
    with pytest.raises(EmbeddingMismatchError, match=message):
        history.stage([talk("s2", "I sing")])
    assert history.session("s1").turns[0].text == "I keep bees"
    assert history.delete("s1")


def test_another_size_is_refused_where_the_model_does_not_tell_it(tmp_path: Path, store: Store, talk: Talk) -> None:
    store(ChromaHistory.open(tmp_path, embeddings=Unnamed(8)).at("alice"), [talk("s1", "I keep bees")])
    other = ChromaHistory.open(tmp_path, embeddings=Unnamed(9))
    with pytest.raises(EmbeddingMismatchError, match=r"'Unnamed' \(8 dimensions\) .* 'Unnamed' \(9 dimensions\)"):
        other.at("alice").search_turns("bees")
    other = ChromaHistory.open(tmp_path, embeddings=Unnamed(9))
    with pytest.raises(EmbeddingMismatchError, match="9 dimensions"):
        store(other.at("alice"), [talk("s2", "I sing")])
    assert len(other.at("alice").sessions()) == 1
    assert store(other.at("bob"), [talk("s2", "I sing")]).created == ("s2",)


def test_writing_without_embeddings_into_a_history_with_them_is_refused(made: Path, store: Store, talk: Talk) -> None:
    history = ChromaHistory.open(made, embeddings=None).at("alice")
    with pytest.raises(EmbeddingMismatchError, match="is opened with no embedding model"):
        store(history, [talk("s2", "I sing")])


def test_searching_with_embeddings_a_history_without_them_is_refused(tmp_path: Path, store: Store, talk: Talk) -> None:
    store(ChromaHistory.open(tmp_path, embeddings=None).at("alice"), [talk("s1", "I keep bees")])
    history = ChromaHistory.open(tmp_path, embeddings=HashEmbedder(8)).at("alice")
    with pytest.raises(EmbeddingMismatchError, match=r"no embedding model \(lexical only\) .* embeddings=None"):
        history.search_turns("bees")


def test_no_server_at_the_address(talk: Talk) -> None:
    history = ChromaHistory.open("http://127.0.0.1:9", embeddings=None).at("alice")
    with pytest.raises(StoreUnavailableError, match=r"no Chroma server answers at http://127.0.0.1:9: .*refused"):
        history.sessions()


def test_something_else_at_the_address() -> None:
    with serving(BaseHTTPRequestHandler) as address:
        history = ChromaHistory.open(address, embeddings=None).at("alice")
        with pytest.raises(StoreUnavailableError, match=f"what answers at {address} is no Chroma server: HTTP 501"):
            history.sessions()


@pytest.mark.parametrize("address", ["ftp://127.0.0.1/x", "http://", "https:///path"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(InputError, match="is no Chroma server: give 'http://host:port'"):
        ChromaHistory.open(address, embeddings=None)


def test_a_password_in_an_address_is_not_shown() -> None:
    history = ChromaHistory.open("http://me:secret@127.0.0.1:9", embeddings=None).at("alice")
    with pytest.raises(StoreUnavailableError, match="no Chroma server answers at http://127") as raised:
        history.sessions()
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("place", ["", "  "])
def test_a_place_that_is_blank(place: str) -> None:
    with pytest.raises(InputError, match="no place for the history: give a folder"):
        ChromaHistory.open(place, embeddings=None)


@pytest.mark.parametrize("status", [429, 503])
def test_a_gateway_that_has_lost_its_server(status: int) -> None:
    class Gateway(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            alive = self.path.endswith("heartbeat")
            body = b'{"nanosecond heartbeat": 1}' if alive else b"<html>Bad gateway</html>"
            self.send_response(200 if alive else status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with (
        serving(Gateway) as address,
        ChromaHistory.open(address, embeddings=None) as memory,
        pytest.raises(StoreUnavailableError, match=f"the Chroma server at 127.0.0.1 answers HTTP {status}"),
    ):
        memory.at("alice").sessions()


def test_a_server_that_takes_a_call_and_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("langrecall.stores.chroma.history._SERVER_PATIENCE", 0.2)
    over = Event()

    class Silent(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b'{"nanosecond heartbeat": 1}'
            if not self.path.endswith("heartbeat"):
                over.wait(60)
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with serving(Silent) as address, ChromaHistory.open(address, embeddings=None) as memory:
        with pytest.raises(StoreUnavailableError, match=r"no Chroma server answers at .*: timed out"):
            memory.at("alice").sessions()
        over.set()


def test_a_path_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(InputError, match=r"notes\.txt is a file: a history is kept in a folder"):
        ChromaHistory.open(tmp_path / "notes.txt", embeddings=None)


def test_a_folder_that_cannot_be_written(tmp_path: Path, store: Store, talk: Talk) -> None:
    (tmp_path / "notes.txt").write_text("x")
    history = ChromaHistory.open(tmp_path / "notes.txt" / "db", embeddings=None).at("alice")
    assert history.sessions() == []
    with pytest.raises(StoreError, match=r"db cannot be written: Not a directory"):
        store(history, [talk("s1", "a")])


def test_reading_makes_no_folder(tmp_path: Path) -> None:
    memory = ChromaHistory.open(tmp_path / "typo", embeddings=HashEmbedder(8))
    assert memory.namespaces() == []
    assert memory.at("alice").search_turns("bees") == []
    assert memory.at("alice").clear() == 0
    assert memory.at("alice").delete("s1") is False
    memory.at("alice").unstage(["s1"])
    assert not (tmp_path / "typo").exists()


def test_a_damaged_database(tmp_path: Path) -> None:
    (tmp_path / "chroma.sqlite3").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreError, match=r"Chroma failed on .*: .*not a database"):
        ChromaHistory.open(tmp_path, embeddings=None).at("alice").sessions()


def test_a_writer_that_does_not_let_go(
    tmp_path: Path, store: Store, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("langrecall.stores.chroma.places._PATIENCE", 0.1)
    history = ChromaHistory.open(tmp_path, embeddings=None).at("alice")
    with FileLock(tmp_path / "langrecall.lock"), pytest.raises(StoreUnavailableError, match="another process"):
        store(history, [talk("s1", "a")])
    assert store(history, [talk("s1", "a")]).created == ("s1",)


def test_a_collection_with_another_distance_is_refused(made: Path) -> None:
    client = chromadb.PersistentClient(made, settings=Settings(anonymized_telemetry=False))
    (notes,) = (each for each in client.list_collections() if each.name.endswith("-notes"))
    client.delete_collection(notes.name)
    client.create_collection(notes.name, metadata=notes.metadata, embedding_function=None)
    with pytest.raises(StoreError, match="measures 'l2' distance, not 'cosine'"):
        ChromaHistory.open(made, embeddings=None).at("alice").sessions()


def test_other_clients_of_chroma_in_the_program_are_left_alone(made: Path, store: Store, talk: Talk) -> None:
    with ChromaHistory.open(None, embeddings=None) as memory, ChromaHistory.open(made, embeddings=None) as folder:
        store(memory.at("alice"), [talk("s1", "I keep bees")])
        assert folder.at("alice").sessions()
        theirs = chromadb.EphemeralClient(settings=Settings(anonymized_telemetry=False))
        assert theirs.list_collections() == []
        same = chromadb.PersistentClient(made, settings=Settings(anonymized_telemetry=False, allow_reset=True))
        assert len(same.list_collections()) == 2
