"""The turns a question is scored on: all of a history, or, of a long one, the likely ones and a sample to compare them with."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from langrecall.stores.ranking.corpus import Bools, Corpus, Floats, Ints
from langrecall.stores.ranking.weights import best_first

WHOLE = 50_000
"""Up to so many turns all are scored, which takes about as long as encoding the question."""

LIKELY_SESSIONS = 100
LIKELY_TURNS = 1_500
SAMPLE = 500
_THINNED = 50


@dataclass(frozen=True, eq=False)
class Scope:
    """Positions of turns, ascending, and which of them tell what is usual in the history."""

    turns: Ints
    usual: Ints | slice

    @classmethod
    def of(cls, corpus: Corpus, sessions: Floats, vectors: Floats | None, closed: Bools) -> Self:
        """By the scores of sessions; turns of `closed` ones are in it only as far as they show what is usual."""
        size = len(corpus.turns)
        if size <= WHOLE:
            return cls(np.arange(size), slice(None))
        sample = np.linspace(0, size - 1, SAMPLE).astype(np.int64)
        found = [sample, _likely_by_session(corpus, np.where(closed, -np.inf, sessions))]
        if vectors is not None and "turn" in corpus.vectors:
            found.append(_likely_by_meaning(corpus, vectors[1], closed))
        turns = np.unique(np.concatenate(found))
        return cls(turns, np.searchsorted(turns, sample))


def _likely_by_session(corpus: Corpus, scores: Floats) -> Ints:
    spans = [np.arange(corpus.bounds[at], corpus.bounds[at + 1]) for at in best_first(scores, LIKELY_SESSIONS)]
    return np.concatenate([np.zeros(0, dtype=np.int64), *spans])


def _likely_by_meaning(corpus: Corpus, vector: Floats, closed: Bools) -> Ints:
    similar = corpus.sketch.similar(vector)
    if closed.any():
        similar[closed[corpus.owners["turn"]]] = -np.inf
    # The cut is that of every so manieth: sorting millions takes longer than comparing them.
    some = similar[::_THINNED]
    cut = np.partition(some, -LIKELY_TURNS // _THINNED)[-LIKELY_TURNS // _THINNED]
    turns: Ints = corpus.links["turn"].turn_of_row[similar > cut]
    return turns
