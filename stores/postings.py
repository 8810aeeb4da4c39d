"""Which turns hold each term, and BM25 over windows and sessions scored from that.

bm25s indexes documents as they are. Windows overlap, five to a turn: scored from the turns they are made of, they take one
small index instead of one five times as large, with the same result.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

K1 = 1.5
B = 0.75
"""BM25's usual saturation and length normalisation; other values were no better."""

WINDOW = 2
"""Turns on each side that the window of a turn takes in."""


class Occurrences(NamedTuple):
    """The turns that hold a term, how often each does, and how many windows they are in."""

    turns: NDArray[np.int32]
    counts: NDArray[np.float32]
    windows: int


@dataclass(frozen=True, eq=False)
class Postings:
    """The occurrences of each term; `session` is the session of each turn, ascending, and `bounds` where each begins."""

    session: NDArray[np.int64]
    bounds: NDArray[np.int64]
    vocabulary: dict[str, int]
    starts: NDArray[np.int64]
    turns: NDArray[np.int32]
    counts: NDArray[np.float32]
    lengths: NDArray[np.float32]

    @classmethod
    def build(cls, documents: Sequence[Sequence[str]], session: NDArray[np.int64], bounds: NDArray[np.int64]) -> Self:
        """`documents` are the terms of each turn."""
        vocabulary: dict[str, int] = {}
        numbers = (vocabulary.setdefault(term, len(vocabulary)) for term in chain.from_iterable(documents))
        term = np.fromiter(numbers, dtype=np.int64)
        lengths = np.array([len(document) for document in documents], dtype=np.int64)
        size = max(len(documents), 1)
        keys, counts = np.unique(term * size + np.repeat(np.arange(len(documents)), lengths), return_counts=True)
        return cls(
            session=session,
            bounds=bounds,
            vocabulary=vocabulary,
            starts=np.searchsorted(keys, np.arange(len(vocabulary) + 1) * size),
            turns=(keys % size).astype(np.int32),
            counts=counts.astype(np.float32),
            lengths=lengths.astype(np.float32),
        )

    def window_scores(self, query: Sequence[str], at: NDArray[np.int64]) -> NDArray[np.float32]:
        """BM25 of the windows around the turns `at`: two turns on each side, within the session."""
        near = at + np.arange(-WINDOW, WINDOW + 1)[:, None]
        inside = (near >= self._first[at]) & (near < self._end[at])
        near = np.where(inside, near, 0)
        norms = self._window_norms[at]
        scores = np.zeros(len(at), dtype=np.float32)
        held = np.zeros(len(self.session), dtype=np.float32)
        for found in self._occurrences(query):
            held[found.turns] = found.counts
            scores += _bm25((held[near] * inside).sum(axis=0), norms, found.windows, len(self.session))
            held[found.turns] = 0
        return scores

    def session_scores(self, query: Sequence[str]) -> NDArray[np.float32]:
        """BM25 of all sessions, each as one document."""
        size = len(self.bounds) - 1
        scores = np.zeros(size, dtype=np.float32)
        for found in self._occurrences(query):
            counts = np.bincount(self.session[found.turns], weights=found.counts, minlength=size)
            scores += _bm25(counts.astype(np.float32), self._session_norms, int(np.count_nonzero(counts)), size)
        return scores

    def _occurrences(self, query: Sequence[str]) -> Iterator[Occurrences]:
        for number in (self.vocabulary[term] for term in query if term in self.vocabulary):
            found = slice(self.starts[number], self.starts[number + 1])
            yield Occurrences(self.turns[found], self.counts[found], int(self._windows[number]))

    @cached_property
    def _first(self) -> NDArray[np.int64]:
        return self.bounds[self.session]

    @cached_property
    def _end(self) -> NDArray[np.int64]:
        return self.bounds[self.session + 1]

    @cached_property
    def _windows(self) -> NDArray[np.int64]:
        """How many windows hold each term: the length of the union of the spans around its turns."""
        first = np.maximum(self.turns - WINDOW, self._first[self.turns])
        end = np.minimum(self.turns + WINDOW + 1, self._end[self.turns])
        covered = np.concatenate([[0], end[:-1]])
        covered[self.starts[:-1]] = 0
        return (
            np.add.reduceat(end - np.maximum(first, covered), self.starts[:-1]) if len(end) else np.zeros(0, np.int64)
        )

    @cached_property
    def _window_norms(self) -> NDArray[np.float32]:
        total = np.concatenate([[0.0], np.cumsum(self.lengths, dtype=np.float64)])
        places = np.arange(len(self.session))
        first = np.maximum(places - WINDOW, self._first)
        return _norms(total[np.minimum(places + WINDOW + 1, self._end)] - total[first])

    @cached_property
    def _session_norms(self) -> NDArray[np.float32]:
        total = np.bincount(self.session, weights=self.lengths, minlength=len(self.bounds) - 1)
        return _norms(total.astype(np.float64))


def _norms(lengths: NDArray[np.float64]) -> NDArray[np.float32]:
    mean = lengths.mean() if lengths.any() else 1.0
    return (K1 * (1 - B + B * lengths / mean)).astype(np.float32)


def _bm25(counts: NDArray[np.float32], norms: NDArray[np.float32], documents: int, size: int) -> NDArray[np.float32]:
    """BM25 of one term in Lucene's form: it occurs in so many documents of `size`."""
    rarity = np.float32(np.log1p((size - documents + 0.5) / (documents + 0.5)))
    scores: NDArray[np.float32] = rarity * counts / (counts + norms)
    return scores
