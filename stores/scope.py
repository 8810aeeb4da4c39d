"""The turns a question is scored on: all of a history, or, of a long one, the likely ones and a sample to compare them with."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from langrecall.stores.corpus import Bools, Corpus, Floats, Ints
from langrecall.stores.fusion import best_first, fuse
from langrecall.stores.queries import Question
from langrecall.stores.signals import session_signals

WHOLE = 50_000
"""Up to so many turns all are scored, which takes about as long as encoding the question."""

LIKELY_SESSIONS = 100
LIKELY_TURNS = 1_500
SAMPLE = 1_000


@dataclass(frozen=True, eq=False)
class Scope:
    """Positions of turns, ascending, and which of them tell what is usual in the history."""

    turns: Ints
    usual: Ints | slice

    @classmethod
    def of(cls, corpus: Corpus, question: Question, vectors: Floats | None, closed: Bools) -> Self:
        """Turns of `closed` sessions are in it only as far as they show what is usual."""
        size = len(corpus.turns)
        if size <= WHOLE:
            return cls(np.arange(size), slice(None))
        sample = np.linspace(0, size - 1, SAMPLE).astype(np.int64)
        found = [sample, _likely_by_session(corpus, question, closed)]
        if vectors is not None and "turn" in corpus.vectors:
            found.append(_likely_by_meaning(corpus, vectors[1], closed))
        turns = np.unique(np.concatenate(found))
        return cls(turns, np.searchsorted(turns, sample))


def _likely_by_session(corpus: Corpus, question: Question, closed: Bools) -> Ints:
    scores = fuse(session_signals(corpus, question), len(corpus.sessions))
    scores[closed] = -np.inf
    spans = [np.arange(corpus.bounds[at], corpus.bounds[at + 1]) for at in best_first(scores, LIKELY_SESSIONS)]
    return np.concatenate([np.zeros(0, dtype=np.int64), *spans])


def _likely_by_meaning(corpus: Corpus, vector: Floats, closed: Bools) -> Ints:
    similar = corpus.sketch.similar(vector)
    if closed.any():
        similar[closed[corpus.owners["turn"]]] = -np.inf
    rows = np.array(best_first(similar, LIKELY_TURNS), dtype=np.int64)
    return corpus.links["turn"].turns_of(rows)
