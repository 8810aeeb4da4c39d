"""Histories in Chroma: in memory, in a folder, or on a server. The only module that imports chromadb."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import httpx
from cachetools import LRUCache

from langrecall.errors import NamespaceError, StoreError, StoreUnavailableError
from langrecall.stores.chroma.bound import BoundHistory
from langrecall.stores.chroma.collections import DRAFT, CollectionRows
from langrecall.stores.chroma.connection import Connection
from langrecall.stores.chroma.places import Place, check_server
from langrecall.stores.chroma.reindexing import reindex
from langrecall.stores.encoding.choice import make_encoder
from langrecall.stores.encoding.encoder import EmbeddingModel, Encoder

if TYPE_CHECKING:
    from chromadb.api import ServerAPI
    from chromadb.api.models.Collection import Collection
    from chromadb.config import System
    from langchain_core.embeddings import Embeddings

# Collections a local client may hold open: each costs 4 file descriptors and 2.7 MB.
_OPEN_COLLECTIONS = 128
# Chroma's own cache would drop small collections before they are written out, and then not find them.
_NEVER_EVICT = 1_000_000
# Vectors are compared exactly (see `snapshots`), so Chroma's own index is a lean one, written out often: a call reads what is not.
_INDEX = {"space": "cosine", "ef_construction": 20, "sync_threshold": 200}
_CACHED_NAMESPACES = 64
_SERVER_PATIENCE = 120.0  # seconds a server may take for one call
_BUSY = (429, 502, 503, 504)


class ChromaHistory:
    """Many namespaces in one place; nothing is opened before it is used.

    Example:
        >>> memory = ChromaHistory.open(None, embeddings=None)
        >>> memory.at("alice").sessions()
        []

    """

    def __init__(self, place: Place, encoder: Encoder | None) -> None:
        self._connection = _ChromaConnection(place)
        self._encoder = encoder
        self._views: LRUCache[str, BoundHistory] = LRUCache(_CACHED_NAMESPACES)
        self._lock = RLock()

    @classmethod
    def open(cls, place: str | Path | None, *, embeddings: "str | Embeddings | None" = "local") -> Self:
        """Open a folder, a server by its address, or, with None, a history that lives in this object alone.

        `embeddings` is `"local"`, a `"provider:model"` string, a LangChain `Embeddings`, or None for lexical ranking only.
        """
        return cls(Place.parse(place), make_encoder(embeddings))

    def at(self, namespace: str) -> BoundHistory:
        """The bound view of a namespace, which need not exist yet; raises `NamespaceError` for what is none."""
        is_text = isinstance(namespace, str) and namespace == namespace.encode(errors="replace").decode()
        if not is_text or not namespace:
            msg = f"{namespace!r} is no namespace: give a text that is not empty and is valid Unicode"
            raise NamespaceError(msg)
        with self._lock:
            if namespace not in self._views:
                rows = CollectionRows(self._connection, namespace)
                self._views[namespace] = BoundHistory(namespace, rows, self._encoder)
            return self._views[namespace]

    def namespaces(self) -> list[str]:
        """The namespaces that hold at least one session, sorted."""
        if not self._connection.place.exists:
            return []
        found = self._connection.call(lambda client: client.collections())
        return sorted(str(each["namespace"]) for each in found if each.get("occupied") and not each.get(DRAFT))

    def embedding_model(self, namespace: str) -> EmbeddingModel | None:
        """What a namespace was made with, whatever this history was opened with; None for an unknown one."""
        return CollectionRows(self._connection, namespace).recorded()

    def is_unfinished(self, namespace: str) -> bool:
        """Whether a reindex was killed in the moment of its end: another one completes it, and until then nothing is found."""
        rows = CollectionRows(self._connection, namespace)
        return rows.draft.is_whole and rows.recorded() is None

    def reindex(self, namespace: str, *, on_sessions: Callable[[int], object] | None = None) -> int:
        """Make a namespace anew with the embeddings that this history was opened with; returns how many sessions it holds.

        No model describes anything again. The old vectors answer until the new ones are whole; a reindex that was stopped goes on
        where it was. `on_sessions` is told how many sessions have been done since it was last told. On a Chroma server, which has no
        lock, nobody may write meanwhile. Raises `NamespaceError` where there is nothing, `StoreUnavailableError` where others keep writing.
        """
        rows = CollectionRows(self._connection, namespace)
        count = reindex(namespace, rows, self._encoder, on_sessions)
        with self._lock:
            self._views.pop(namespace, None)
        return count

    def close(self) -> None:
        """Let go of the place; what is in memory is lost, anything else opens again by itself."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _ChromaClient(NamedTuple):
    system: "System"
    api: "ServerAPI"
    room: int
    opened: set[str]
    session: httpx.Client | None = None

    def collection(self, name: str) -> "Collection | None":
        from chromadb.api.models.Collection import Collection
        from chromadb.errors import NotFoundError

        try:
            model = self.api.get_collection(name)
        except NotFoundError:
            return None
        index = model.configuration_json.get("hnsw") or model.configuration_json.get("spann") or {}
        if index.get("space") != "cosine":
            msg = f"collection {name} measures {index.get('space')!r} distance, not 'cosine': it was not made by langrecall"
            raise StoreError(msg)
        self.opened.add(name)
        return Collection(client=self.api, model=model, embedding_function=None)

    def create(self, name: str, metadata: Mapping[str, str | int]) -> None:
        index: Any = {"hnsw": _INDEX}
        self.api.create_collection(name, configuration=index, metadata=dict(metadata), get_or_create=True)

    def drop(self, name: str) -> None:
        if self.collection(name) is not None:
            self.api.delete_collection(name)
        self.opened.discard(name)

    def collections(self) -> list[Mapping[str, Any]]:
        return [model.metadata or {} for model in self.api.list_collections()]

    def batch_size(self) -> int:
        return self.api.get_max_batch_size()

    def is_full(self) -> bool:
        return len(self.opened) >= self.room

    def close(self) -> None:
        self.system.stop()
        if self.session is not None:
            self.session.close()


class _ChromaConnection(Connection):
    def connect(self) -> _ChromaClient:
        from chromadb.config import Settings, System

        # A system of its own: Chroma's client classes share one per path, and refuse other settings on it.
        folder, url = self.place.folder, self.place.url
        local = {"is_persistent": folder is not None, "persist_directory": str(folder or "")}
        # The port is in the address; Chroma wants one all the same.
        remote = {"chroma_server_host": url, "chroma_server_http_port": 0}
        options: dict[str, Any] = remote if url else local
        system = System(Settings(anonymized_telemetry=False, **options))
        client = _remote(system, self.place) if url else _local(system)
        system.start()
        return client

    @property
    def lagging(self) -> tuple[type[Exception], ...]:
        from chromadb.errors import InternalError, NotFoundError

        return (InternalError, NotFoundError)

    @contextmanager
    def translated(self) -> Iterator[None]:
        from chromadb.errors import ChromaError

        try:
            yield
        except httpx.TransportError as error:
            msg = f"no Chroma server answers at {self.place}: {error}"
            raise StoreUnavailableError(msg) from error
        except ChromaError as error:
            msg = f"Chroma failed on {self.place}: {' '.join(str(error).split())}"
            raise StoreError(msg) from error


def _local(system: "System") -> _ChromaClient:
    from chromadb.api.rust import RustBindingsAPI

    api = system.instance(RustBindingsAPI)
    # Chroma sizes its cache for a fifth of the file descriptors: 60 % of those are ours, the rest is left to the program.
    room = min(_OPEN_COLLECTIONS, api.hnsw_cache_size * 3 // 4) if api.hnsw_cache_size > 0 else _OPEN_COLLECTIONS
    api.hnsw_cache_size = _NEVER_EVICT
    return _ChromaClient(system, api, room, set())


def _remote(system: "System", place: Place) -> _ChromaClient:
    from chromadb.api.fastapi import FastAPI

    check_server(place)
    api = system.instance(FastAPI)
    # Chroma itself waits for ever, takes a gateway's page for an answer, and leaves the session open.
    session = api._session
    session.timeout = httpx.Timeout(_SERVER_PATIENCE)
    session.event_hooks = {"response": [_refuse_gateway]}
    return _ChromaClient(system, api, 0, set(), session)


def _refuse_gateway(reply: httpx.Response) -> None:
    if reply.status_code in _BUSY:
        msg = f"the Chroma server at {reply.url.host} answers HTTP {reply.status_code}: try again later"
        raise StoreUnavailableError(msg)
