"""Which turns hold each term, and BM25 (Lucene's form) over turns, windows and sessions scored from that.

Windows overlap, five to a turn: scored from the turns they are made of, they take one small index instead of one five times as large.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

_K1 = 1.5
B = 0.75
"""BM25's usual saturation and length normalisation; other values were no better."""

WINDOW = 2
"""Turns on each side that the window of a turn takes in."""


class Occurrences(NamedTuple):
    """Where terms occur, and how often: those of term `t` are `starts[t]` to `starts[t + 1]`, their places ascending."""

    starts: NDArray[np.int64]
    places: NDArray[np.int64]
    counts: NDArray[np.float32]

    def of(self, term: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The places of one term and its counts there."""
        found = slice(self.starts[term], self.starts[term + 1])
        return self.places[found], self.counts[found]


@dataclass(frozen=True, eq=False)
class Postings:
    """The terms of turns; `session` is the session of each turn, ascending, and `bounds` where each session begins.

    Every score is 0 where no term of the query occurs.
    """

    session: NDArray[np.int64]
    bounds: NDArray[np.int64]
    vocabulary: dict[str, int]
    turns: Occurrences
    lengths: NDArray[np.int64]

    @classmethod
    def build(cls, documents: Sequence[Sequence[str]], session: NDArray[np.int64], bounds: NDArray[np.int64]) -> Self:
        """`documents` are the terms of each turn."""
        vocabulary: dict[str, int] = {}
        numbers = (vocabulary.setdefault(term, len(vocabulary)) for term in chain.from_iterable(documents))
        term = np.fromiter(numbers, dtype=np.int64)
        lengths = np.array([len(document) for document in documents], dtype=np.int64)
        size = max(len(documents), 1)
        keys, counts = np.unique(term * size + np.repeat(np.arange(len(documents)), lengths), return_counts=True)
        starts = np.searchsorted(keys, np.arange(len(vocabulary) + 1) * size)
        return cls(session, bounds, vocabulary, Occurrences(starts, keys % size, counts.astype(np.float32)), lengths)

    @classmethod
    def apart(cls, documents: Sequence[Sequence[str]]) -> Self:
        """Of documents that are no turns of a session, such as entries: each is its own."""
        return cls.build(documents, np.arange(len(documents)), np.arange(len(documents) + 1))

    def turn_scores(self, query: Sequence[str]) -> NDArray[np.float32]:
        """BM25 of all turns, each as one document."""
        return self._scores(query, self.turns, _norms(self.lengths))

    def window_scores(self, query: Sequence[str], at: NDArray[np.int64]) -> NDArray[np.float32]:
        """BM25 of the windows around the turns `at`: two turns on each side, within the session."""
        near = at + np.arange(-WINDOW, WINDOW + 1)[:, None]
        inside = (near >= self._first[at]) & (near < self._end[at])
        near = np.where(inside, near, 0)
        norms = self._window_norms[at]
        scores = np.zeros(len(at), dtype=np.float32)
        held = np.zeros(len(self.session), dtype=np.float32)
        for term in self._known(query):
            turns, counts = self.turns.of(term)
            held[turns] = counts
            found = (held[near] * inside).sum(axis=0)
            scores += _rarity(self._windows[term], len(held)) * found / (found + norms)
            held[turns] = 0
        return scores

    def session_scores(self, query: Sequence[str]) -> NDArray[np.float32]:
        """BM25 of all sessions, each as one document."""
        return self._scores(query, self._sessions, self._session_norms)

    def _scores(
        self, query: Sequence[str], occurrences: Occurrences, norms: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        scores = np.zeros(len(norms), dtype=np.float32)
        for term in self._known(query):
            places, counts = occurrences.of(term)
            scores[places] += _rarity(len(places), len(scores)) * counts / (counts + norms[places])
        return scores

    def _known(self, query: Sequence[str]) -> Iterator[int]:
        return (self.vocabulary[term] for term in query if term in self.vocabulary)

    @cached_property
    def _first(self) -> NDArray[np.int64]:
        return self.bounds[self.session]

    @cached_property
    def _end(self) -> NDArray[np.int64]:
        return self.bounds[self.session + 1]

    @cached_property
    def _sessions(self) -> Occurrences:
        """The occurrences by session: runs of one term in one session, which are neighbours, added up."""
        term = np.repeat(np.arange(len(self.vocabulary)), np.diff(self.turns.starts))
        keys = term * len(self.bounds) + self.session[self.turns.places]
        runs = np.flatnonzero(np.diff(keys, prepend=-1))
        counts = np.add.reduceat(self.turns.counts, runs) if len(runs) else self.turns.counts
        starts = np.searchsorted(keys[runs], np.arange(len(self.vocabulary) + 1) * len(self.bounds))
        return Occurrences(starts, keys[runs] % len(self.bounds), counts)

    @cached_property
    def _windows(self) -> NDArray[np.int64]:
        """How many windows hold each term: the length of the union of the spans around its turns."""
        starts, places, _ = self.turns
        first = np.maximum(places - WINDOW, self._first[places])
        end = np.minimum(places + WINDOW + 1, self._end[places])
        covered = np.concatenate([[0], end])[: len(end)]
        covered[starts[:-1]] = 0
        added = end - np.maximum(first, covered)
        return np.add.reduceat(added, starts[:-1]) if len(added) else added

    @cached_property
    def _window_norms(self) -> NDArray[np.float32]:
        total = np.concatenate([[0], np.cumsum(self.lengths)])
        turns = np.arange(len(self.session))
        first = np.maximum(turns - WINDOW, self._first)
        return _norms(total[np.minimum(turns + WINDOW + 1, self._end)] - total[first])

    @cached_property
    def _session_norms(self) -> NDArray[np.float32]:
        total = np.concatenate([[0], np.cumsum(self.lengths)])
        return _norms(np.diff(total[self.bounds]))


def _norms(lengths: NDArray[np.int64]) -> NDArray[np.float32]:
    mean = lengths.mean() if lengths.any() else 1.0
    return (_K1 * (1 - B + B * lengths / mean)).astype(np.float32)


def _rarity(documents: int, size: int) -> np.float32:
    """Lucene's weight of a term that occurs in so many documents of `size`."""
    return np.float32(np.log1p((size - documents + 0.5) / (documents + 0.5)))
