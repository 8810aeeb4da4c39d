"""Rank the sessions and the turns of one namespace for a question."""

from collections.abc import Collection
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from langrecall.records import epoch
from langrecall.stores.base import Hit, Retriever, Signals
from langrecall.stores.budget import within_budget
from langrecall.stores.corpus import Corpus, Floats, Ints
from langrecall.stores.fusion import TURN_WEIGHTS, fuse
from langrecall.stores.queries import Question
from langrecall.stores.signals import best, best_of_session, dense_signals, lexical_signals, plain_signals


def rank_turns(
    corpus: Corpus,
    query: str,
    vectors: Floats | None,
    *,
    k: int,
    exclude: Collection[str] = (),
    before: datetime | None = None,
    tokens: int | None = None,
    retriever: Retriever = "hybrid",
    signals: Signals = "all",
) -> list[Hit]:
    """Rank turns; `vectors` are those of `query_texts`, or None for a history without embeddings.

    With `tokens` the result is the set that best covers the query and costs at most that much to show, best first; otherwise the k best.
    Sessions of `exclude` and those after the calendar day of `before` are left out.
    """
    scores = _turn_scores(corpus, query, vectors, retriever=retriever, signals=signals)
    order = _best_first(scores, open_sessions(corpus, exclude, before)[corpus.turn_session])
    chosen = order[:k].tolist() if tokens is None else within_budget(corpus, order, tokens)
    return [Hit(corpus.turns[position].id, float(scores[position])) for position in chosen]


def rank_sessions(
    corpus: Corpus,
    query: str,
    vectors: Floats | None,
    *,
    k: int,
    exclude: Collection[str] = (),
    before: datetime | None = None,
    retriever: Retriever = "hybrid",
    signals: Signals = "all",
) -> list[Hit]:
    """The k best sessions; `vectors` are those of `query_texts`, or None for a history without embeddings."""
    scores = _session_scores(corpus, query, vectors, retriever=retriever, signals=signals)
    order = _best_first(scores, open_sessions(corpus, exclude, before))
    return [Hit(corpus.sessions[position], float(scores[position])) for position in order[:k].tolist()]


def open_sessions(corpus: Corpus, exclude: Collection[str], before: datetime | None) -> NDArray[np.bool_]:
    """Which sessions a search may return; undated ones are never after `before`."""
    kept = np.array([session_id not in exclude for session_id in corpus.sessions], dtype=np.bool_)
    if before is None:
        return kept
    midnight = before.replace(hour=0, minute=0, second=0, microsecond=0)
    day_after = epoch(midnight + timedelta(days=1))
    return kept & ~(corpus.session_times >= day_after)


def _turn_scores(
    corpus: Corpus, query: str, vectors: Floats | None, *, retriever: Retriever, signals: Signals
) -> Floats:
    size = len(corpus.turns)
    if retriever == "dense" and vectors is not None:
        return best(corpus, "turn", vectors[0])
    question = Question.read(query, corpus.speakers)
    if retriever == "lexical":
        return corpus.lexicon.turn_index.scores(question.terms)
    found = lexical_signals(corpus, question) | plain_signals(corpus, question)
    if vectors is not None:
        found |= dense_signals(corpus, vectors)
    return fuse(found, TURN_WEIGHTS, size)


def _session_scores(
    corpus: Corpus, query: str, vectors: Floats | None, *, retriever: Retriever, signals: Signals
) -> Floats:
    size = len(corpus.sessions)
    if retriever == "dense" and vectors is not None:
        return _dense_sessions(corpus, vectors[0])
    question = Question.read(query, corpus.speakers)
    if retriever == "lexical":
        return corpus.lexicon.session_index.scores(question.terms)
    turns = _turn_scores(corpus, query, vectors, retriever=retriever, signals=signals)
    return pooled(turns, corpus.turn_session, size)


def _dense_sessions(corpus: Corpus, vector: Floats) -> Floats:
    """One vector an entry (T2Mem); without entries, the best turn of each session."""
    if "episode" in corpus.vectors:
        return best_of_session(corpus, "episode", vector)
    found = np.full(len(corpus.sessions), -1.0, dtype=np.float32)
    np.maximum.at(found, corpus.turn_session, best(corpus, "turn", vector))
    return found


def pooled(scores: Floats, owners: Ints, size: int) -> Floats:
    """The soft maximum of each owner's scores: several good turns count for more than one."""
    ceiling = scores.max(initial=0)
    mass = np.bincount(owners, weights=np.exp(scores - ceiling), minlength=size)
    return np.log(mass + 1e-12).astype(np.float32) + ceiling


def _best_first(scores: Floats, kept: NDArray[np.bool_]) -> Ints:
    order = np.argsort(-scores, kind="stable")
    return order[kept[order]]
