"""An embedding model behind one small interface: texts in, one matrix of unit rows out."""

from collections.abc import Callable, Sequence
from itertools import repeat
from threading import RLock
from typing import NamedTuple, Protocol

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from langrecall.errors import EmbeddingMismatchError, ModelError
from langrecall.stores.encoding.token_vectors import TokenVectors

Floats = NDArray[np.float32]

# Characters of one text at most: models take 256 to 8,192 tokens, and a hosted one refuses the whole batch for one longer text.
_LONGEST = 8_000
_CACHED_QUERIES = 256


class EmbeddingModel(NamedTuple):
    """What a history records of its embedding model; `spec` is the string that `open` was given, where it was one."""

    name: str
    dimension: int
    spec: str | None = None

    def __str__(self) -> str:
        return f"{self.name!r} ({self.dimension} dimensions)" if self.name else "no embedding model (lexical only)"


LEXICAL = EmbeddingModel("", 1)
"""Recorded where there is no model: Chroma wants a vector with every row, and this one is of length 1."""


class Encoded(NamedTuple):
    """One row a text, and of a model that tells them the token vectors of each text."""

    rows: Floats
    tokens: list[TokenVectors] | None = None


class Backend(Protocol):
    """A loaded model; its rows need not be normalised."""

    def documents(self, texts: list[str]) -> Encoded:
        """One row a text."""
        ...

    def queries(self, texts: list[str]) -> Encoded:
        """One row a question; some models embed questions unlike documents."""
        ...


class Encoder:
    """Turns texts into unit vectors; the model is loaded when it is first used.

    `name` is the model's own name, whichever way it was given, so that a history opens with any client of the same model.
    """

    def __init__(
        self, name: str, load: Callable[[], Backend], *, spec: str | None = None, dimension: int | None = None
    ) -> None:
        self.name = name
        self.spec = spec
        self.declared_dimension = dimension
        self._load = load
        self._loaded: Backend | None = None
        self._lock = RLock()
        self._queries: LRUCache[str, tuple[Floats, TokenVectors | None]] = LRUCache(_CACHED_QUERIES)

    @property
    def dimension(self) -> int:
        """Length of a vector; a model that does not say is asked once."""
        return self.declared_dimension or self.queries(["dimension"]).shape[1]

    @property
    def model(self) -> EmbeddingModel:
        """What a history records."""
        return EmbeddingModel(self.name, self.dimension, self.spec)

    def load(self) -> None:
        """Load the model now; otherwise the first text does."""
        self._backend()

    def encode(self, texts: Sequence[str]) -> Floats:
        """The rows of `encode_all` alone."""
        return self.encode_all(texts).rows

    def encode_all(self, texts: Sequence[str]) -> Encoded:
        """One unit row a text, in order; equal texts are encoded once, and texts of about one length together."""
        distinct = sorted({_cut(text) for text in texts}, key=lambda text: (len(text), text))
        if not distinct:
            return Encoded(np.empty((0, self.dimension), dtype=np.float32))
        rows, tokens = self._unit(self._backend().documents(distinct), len(distinct))
        known = {text: place for place, text in enumerate(distinct)}
        places = [known[_cut(text)] for text in texts]
        return Encoded(rows[places], tokens and [tokens[place] for place in places])

    def queries(self, texts: Sequence[str]) -> Floats:
        """The rows of `queries_all` alone."""
        return self.queries_all(texts).rows

    def queries_all(self, texts: Sequence[str]) -> Encoded:
        """One unit row a question, in order; the last few hundred are remembered."""
        cuts = [_cut(text) for text in texts]
        with self._lock:
            known = {text: self._queries[text] for text in cuts if text in self._queries}
            new = [text for text in dict.fromkeys(cuts) if text not in known]
            if new:
                rows, tokens = self._unit(self._backend().queries(new), len(new))
                known |= zip(new, zip(rows, tokens or repeat(None, len(new)), strict=True), strict=True)
                self._queries.update(known)
        found = [known[text] for text in cuts]
        told = [tokens for _, tokens in found if tokens is not None]
        return Encoded(np.stack([row for row, _ in found]), told if len(told) == len(found) else None)

    def _backend(self) -> Backend:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _unit(self, made: Encoded, count: int) -> Encoded:
        rows = made.rows
        if rows.shape != (count, self.declared_dimension or rows.shape[-1]) or not np.isfinite(rows).all():
            msg = f"embedding model {self.name!r} did not return {count} finite vectors of one length: got an array of {rows.shape}"
            raise ModelError(msg)
        self.declared_dimension = rows.shape[1]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return Encoded(unit, made.tokens)


def _cut(text: str) -> str:
    return text[:_LONGEST]


def model_of(encoder: Encoder | None) -> EmbeddingModel:
    """What a history records of an encoder, or of none; asks the model for its dimension where it does not say."""
    return LEXICAL if encoder is None else encoder.model


def check_model(namespace: str, recorded: EmbeddingModel | None, encoder: Encoder | None) -> None:
    """Raise `EmbeddingMismatchError` where a namespace was made with another model than the encoder's."""
    if recorded is None or _same(recorded, encoder):
        return
    opened = "no embedding model (lexical only)" if encoder is None else f"{encoder.name!r}"
    if encoder is not None and encoder.declared_dimension:
        opened = f"{encoder.name!r} ({encoder.declared_dimension} dimensions)"
    given = (recorded.spec or recorded.name) if recorded.name else None
    fault = f"history {namespace!r} was made with {recorded} and is opened with {opened}"
    msg = f"{fault}: open it with embeddings={given!r}, or make it anew with reindex"
    raise EmbeddingMismatchError(msg, fault=fault, spec=given)


def _same(recorded: EmbeddingModel, encoder: Encoder | None) -> bool:
    if encoder is None:
        return not recorded.name
    return encoder.name == recorded.name and encoder.declared_dimension in (None, recorded.dimension)
