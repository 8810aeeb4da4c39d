"""Open the history a command works on, with the embeddings it was made with."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from langrecall.cli.progress import loading
from langrecall.errors import InputError, NamespaceError
from langrecall.loaders.faults import listed

if TYPE_CHECKING:
    from langrecall.stores.chroma.bound import BoundHistory
    from langrecall.stores.chroma.history import ChromaHistory

NEW = "local"
"""Embeddings of a history that is not there yet, where none are asked for."""
LEXICAL = "none"
"""How the command line writes: words alone."""


def existing(db: str, namespace: str, embeddings: str | None = None) -> "BoundHistory":
    """A namespace that holds something; raises `NamespaceError` naming those that do.

    Reading needs no embeddings, whatever the history was made with: open it with `LEXICAL`.
    """
    from langrecall.stores.chroma.history import ChromaHistory

    with ChromaHistory.open(db, embeddings=None) as memory:
        known = memory.namespaces()
        if not known:
            msg = f"no history at {db}: make one with langrecall ingest FILE --db {db} --namespace {namespace}"
            raise InputError(msg)
        if namespace not in known:
            msg = f"no namespace {namespace!r} at {db}: it holds {listed(known)}"
            raise NamespaceError(msg)
        wanted = _embeddings(memory, namespace, embeddings)
    return ChromaHistory.open(db, embeddings=wanted).at(namespace)


def for_asking(db: str, namespace: str, embeddings: str | None) -> "BoundHistory":
    """As `existing`, its embedding model loaded: what is timed afterwards is the search."""
    history = existing(db, namespace, embeddings)
    with loading("Loading the embedding model"):
        history.prepare()
    return history


def for_writing(db: str, namespaces: Iterable[str], embeddings: str | None) -> "dict[str, ChromaHistory]":
    """Each namespace's place to write to; those of the same embeddings share one, and its loaded model."""
    from langrecall.stores.chroma.history import ChromaHistory

    with ChromaHistory.open(db, embeddings=None) as memory:
        known = set(memory.namespaces())
        wanted = {
            name: _embeddings(memory, name, embeddings if name in known else embeddings or NEW) for name in namespaces
        }
    memories = {spec: ChromaHistory.open(db, embeddings=spec) for spec in set(wanted.values())}
    return {name: memories[spec] for name, spec in wanted.items()}


def _embeddings(memory: "ChromaHistory", namespace: str, asked: str | None) -> str | None:
    """What was asked for, else what the namespace was made with; None for lexical only."""
    if asked is not None:
        return None if asked == LEXICAL else asked
    model = memory.embedding_model(namespace)
    if model is None or not model.name:
        return None
    if model.spec is None:
        msg = f"namespace {namespace!r} was made from Python with {model}: name the same model with --embeddings"
        raise InputError(msg)
    return model.spec
