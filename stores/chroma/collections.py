"""The two collections of a namespace in a vector database."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar

import numpy as np

from langrecall.effects import is_beside_event_loop
from langrecall.errors import StoreError, StoreUnavailableError
from langrecall.stores.chroma.connection import Client, Collection, Connection
from langrecall.stores.chroma.rows import PARTS, Part, Row, Scalar
from langrecall.stores.encoding.encoder import EmbeddingModel

T = TypeVar("T")

# Rows in one call: a server refuses bodies of 40 MB, which 5,461 rows (Chroma's own limit) of 1,536 numbers come to.
_BATCH = 1_000
# Rows that one call reads: Chroma holds the interpreter meanwhile, 60 ms for 1,000 rows with vectors, and an event loop with it.
_READ = 200
# Rows that one call writes while an event loop waits, 10 to 20 ms; half of that each call takes for itself.
_GENTLE = 15
_EMBEDDED = "embedded"
_TEXT = "text"
DRAFT = "draft"
"""Marks collections that are to take the place of a namespace's own once they are whole."""
_WHOLE = "whole"


class CollectionRows:
    """Both collections by their rows; reading what is not there gives nothing.

    They are named by the namespace's hash; the namespace itself is kept in their metadata. Those of a `draft` stand beside them.
    """

    def __init__(self, connection: Connection, namespace: str, *, draft: bool = False) -> None:
        self._connection = connection
        self._namespace = namespace
        self._is_draft = draft
        digest = sha256(namespace.encode()).hexdigest()[:40]
        self._names: dict[Part, str] = {
            part: f"langrecall-{digest}-{part}-{DRAFT}" if draft else f"langrecall-{digest}-{part}" for part in PARTS
        }

    @property
    def draft(self) -> "CollectionRows":
        """The same namespace as it is made anew, seen by nobody."""
        return CollectionRows(self._connection, self._namespace, draft=True)

    @property
    def is_whole(self) -> bool:
        """Whether a draft was about to take the namespace's place."""
        return bool((self._ask("notes", _metadata) or {}).get(_WHOLE))

    def recorded(self) -> EmbeddingModel | None:
        """The embedding model the collections were made with; None where there are none."""
        metadata = self._ask("notes", _metadata)
        if metadata is None:
            return None
        return EmbeddingModel(metadata["model"], metadata["dimension"], metadata.get("embeddings"))

    def exists(self) -> bool:
        """Whether either collection is there, as a killed process may have left them."""
        return any(self._ask(part, _metadata) is not None for part in PARTS)

    def create(self, model: EmbeddingModel) -> None:
        """Make the collections where they are missing; raw turns without their commit records are those of a killed `drop`."""
        metadata: dict[str, str | int] = {
            "namespace": self._namespace,
            "model": model.name,
            "dimension": model.dimension,
        }
        if model.spec:
            metadata["embeddings"] = model.spec
        if self._is_draft:
            metadata[DRAFT] = True
        if self.recorded() is None:
            self._refuse_unfinished()
            self._connection.call(partial(_drop, name=self._names["chunks"]))
        for part in reversed(PARTS):
            self._connection.call(partial(_create, name=self._names[part], metadata=metadata))

    def occupy(self, *, occupied: bool) -> None:
        """Record whether the namespace holds sessions, which is what lists of namespaces look at."""
        self._ask("notes", partial(_occupy, occupied=occupied))

    def get(self, part: Part, ids: Sequence[str], *, vectors: bool = False) -> list[Row]:
        """These rows, in the order asked for; unknown ids are left out."""
        include = ["metadatas", "documents", "embeddings"] if vectors else ["metadatas", "documents"]
        asked = [partial(_rows, ids=batch, include=include) for batch in _batches(_distinct(ids), _READ)]
        found = {row.id: row for ask in asked for row in self._ask(part, ask) or ()}
        return [found[name] for name in ids if name in found]

    def known(self, part: Part, ids: Sequence[str]) -> set[str]:
        """Which of these rows there are, committed or not."""
        asked = [partial(_ids, ids=batch) for batch in _batches(_distinct(ids), _BATCH)]
        return {name for ask in asked for name in self._ask(part, ask) or ()}

    def find(self, part: Part, kinds: Sequence[str], *, limit: int | None = None) -> list[Row]:
        """The rows of these kinds, without vectors."""
        where = {"kind": {"$in": list(kinds)}}
        return self._ask(part, partial(_rows, where=where, limit=limit, include=["metadatas", "documents"])) or []

    def ids_of(self, part: Part, session_ids: Sequence[str]) -> list[str]:
        """The ids of all rows of these sessions, committed or not."""
        where = {"session_id": {"$in": list(session_ids)}}
        return (self._ask(part, partial(_ids, where=where)) or []) if session_ids else []

    def write(self, part: Part, rows: Sequence[Row], *, together: bool = False) -> None:
        """Add or replace rows, a batch of them at a time; `together`, up to a thousand of them appear at once."""
        for batch in _batches(rows, self._batch_size(gently=not together)):
            if not self._ask(part, partial(_upsert, rows=batch)):
                msg = f"namespace {self._namespace!r} was removed while it was written"
                raise StoreUnavailableError(msg)

    def remove(self, part: Part, ids: Sequence[str]) -> None:
        """Remove rows; unknown ids are no fault, and no ids remove nothing."""
        for batch in _batches(ids, self._batch_size(gently=True)) if ids else ():
            self._ask(part, partial(_delete, ids=batch))

    def drop(self) -> None:
        """Remove both collections, the one with the commit records first, and what there is of a draft."""
        for name in [*reversed(self._names.values()), *self.draft._names.values()]:
            self._connection.call(partial(_drop, name=name))
        self.erase_removed()

    def erase_removed(self) -> None:
        """Take what was removed off the disk, where that is ours to do; for a writer."""
        self._connection.erase_removed()

    def take(self, draft: "CollectionRows") -> None:
        """Let a draft take the place of these rows; where that was cut short, doing it again completes it."""
        draft._ask("notes", partial(_mark, marks={_WHOLE: True}))
        self._connection.call(partial(_drop, name=self._names["notes"]))
        for part in PARTS:
            if draft._ask(part, _metadata) is not None:
                self._connection.call(partial(_drop, name=self._names[part]))
                draft._ask(part, partial(_publish, name=self._names[part]))
        self.erase_removed()

    def writing(self) -> AbstractContextManager[None]:
        """Hold the place for one writer; raises `StoreUnavailableError` when another does not let go."""
        return self._connection.writing()

    @property
    def settled(self) -> str | None:
        """A mark that stays as it is until somebody writes; None while somebody does, and where no such mark is kept."""
        return self._connection.settled()

    def _ask(self, part: Part, ask: Callable[[Collection], T]) -> T | None:
        def answer(client: Client) -> T | None:
            collection = client.collection(self._names[part])
            return None if collection is None else ask(collection)

        return self._connection.call(answer) if self._connection.place.exists else None

    def _refuse_unfinished(self) -> None:
        if not self._is_draft and self.draft.is_whole:
            msg = f"a reindex of namespace {self._namespace!r} was killed as it ended: run it again first, which completes it"
            raise StoreError(msg)

    def _batch_size(self, *, gently: bool) -> int:
        if gently and is_beside_event_loop() and not self._connection.place.url:
            return _GENTLE
        return min(_BATCH, self._connection.call(_batch_size))


def _batch_size(client: Client) -> int:
    return client.batch_size()


def _create(client: Client, *, name: str, metadata: Mapping[str, str | int]) -> None:
    client.create(name, metadata)


def _drop(client: Client, *, name: str) -> None:
    client.drop(name)


def _metadata(collection: Collection) -> dict[str, Any]:
    return dict(collection.metadata)


def _mark(collection: Collection, *, marks: dict[str, Any]) -> None:
    collection.modify(metadata=_metadata(collection) | marks)


def _publish(collection: Collection, *, name: str) -> None:
    kept = {key: value for key, value in _metadata(collection).items() if key not in (DRAFT, _WHOLE)}
    collection.modify(name=name, metadata=kept)


def _occupy(notes: Collection, *, occupied: bool) -> None:
    metadata = _metadata(notes)
    if metadata.get("occupied", False) != occupied:
        _mark(notes, marks={"occupied": occupied})


def _rows(collection: Collection, **asked: Any) -> list[Row]:  # noqa: ANN401 - Chroma's own arguments
    found = collection.get(**asked)
    given = found["embeddings"]
    vectors = [None] * len(found["ids"]) if given is None else np.asarray(given, dtype=np.float32)
    read = zip(found["ids"], found["metadatas"], found["documents"], vectors, strict=True)
    return [
        Row(name, metadata, text or metadata.get(_TEXT, ""), vector if metadata.get(_EMBEDDED, True) else None)
        for name, metadata, text, vector in read
    ]


def _ids(collection: Collection, **asked: Any) -> list[str]:  # noqa: ANN401 - Chroma's own arguments
    found: list[str] = collection.get(include=[], **asked)["ids"]
    return found


def _upsert(collection: Collection, *, rows: Sequence[Row]) -> int:
    placeholder = np.eye(1, collection.metadata["dimension"], dtype=np.float32)[0]
    collection.upsert(
        ids=[row.id for row in rows],
        documents=[row.text if row.payload else None for row in rows],
        metadatas=[_metadata_of(row) for row in rows],
        embeddings=[placeholder if row.vector is None else row.vector for row in rows],
    )
    return len(rows)


def _metadata_of(row: Row) -> dict[str, Scalar]:
    """Texts of rows that carry nothing are kept here: Chroma indexes each document word by word, which nobody asks for."""
    text = {} if row.payload or not row.text else {_TEXT: row.text}
    embedded = {} if row.vector is not None else {_EMBEDDED: False}
    return {**row.metadata, **text, **embedded}


def _delete(collection: Collection, *, ids: Sequence[str]) -> None:
    collection.delete(ids=list(ids))


def _distinct(ids: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(ids))


def _batches(values: Sequence[T], size: int) -> Iterator[list[T]]:
    return (list(values[start : start + size]) for start in range(0, len(values), size))
