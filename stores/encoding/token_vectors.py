"""Token embeddings for late interaction: one row a token of a text, in the few directions in which a model's tokens differ most."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

TokenVectors: TypeAlias = NDArray[np.int8]
"""Rows of one length, of which one number takes a byte."""

UNIT = 127
"""The length of a row."""

MOST = 64
"""Rows of one text at most: of a longer one, neighbouring tokens share a row."""


@dataclass(frozen=True)
class Directions:
    """The middle of a model's tokens, and the directions they spread in from there: rows at right angles, of length 1."""

    mean: NDArray[np.float32]
    spread: NDArray[np.float32]

    def shorten(self, texts: Sequence[NDArray[np.float32]]) -> list[TokenVectors]:
        """The token vectors of each text from the model's last states of its tokens, of whatever length."""
        firsts = [np.arange(0, len(states), -(-len(states) // MOST) or 1) for states in texts]
        if not any(map(len, firsts)):
            return [np.empty((0, len(self.spread)), dtype=np.int8) for _ in texts]
        states = np.concatenate(texts)
        lengths = np.linalg.norm(states, axis=1, keepdims=True)
        extents = states @ self.spread.T / lengths - self.spread @ self.mean
        before = np.cumsum([0, *map(len, texts)])[:-1]
        places = [at + first for at, first in zip(before, firsts, strict=True)]
        shared = np.add.reduceat(extents, np.concatenate(places))
        return np.split(_bytes(shared), np.cumsum([len(first) for first in firsts])[:-1])


@dataclass(frozen=True, eq=False)
class TokenIndex:
    """The token vectors of many texts: those of text `i` are `starts[i]` to `starts[i + 1]`."""

    vectors: TokenVectors
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[TokenVectors]) -> Self:
        """Raises `ValueError` for no texts at all."""
        return cls(np.concatenate(texts), np.cumsum([0, *map(len, texts)]))

    def best(self, asked: TokenVectors, texts: NDArray[np.int64]) -> NDArray[np.float32]:
        """For each token asked for (rows), its similarity to the most similar token of each text (columns); -1 where there is none."""
        first, counts = self.starts[texts], self.starts[texts + 1] - self.starts[texts]
        before = np.cumsum(counts) - counts
        places = np.repeat(first - before, counts) + np.arange(counts.sum())
        similar = asked.astype(np.float32) @ self.vectors[places].astype(np.float32).T
        found = np.full((len(asked), len(texts)), -1.0, dtype=np.float32)
        some = counts > 0
        if some.any():
            found[:, some] = np.maximum.reduceat(similar, before[some], axis=1) / UNIT**2
        return found


def packed(vectors: TokenVectors) -> str:
    """Token vectors as text, which is what a record of a database can hold."""
    return f"{vectors.shape[1]}:{base64.b64encode(vectors.tobytes()).decode()}"


def unpacked(text: str) -> TokenVectors:
    """The token vectors that `packed` made a text of."""
    width, _, data = text.partition(":")
    return np.frombuffer(base64.b64decode(data), dtype=np.int8).reshape(-1, int(width))


def _bytes(rows: NDArray[np.float32]) -> TokenVectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    vectors: TokenVectors = np.rint(unit * UNIT).astype(np.int8)
    return vectors
