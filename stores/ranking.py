"""Rank the sessions and the turns of one namespace for a question."""

from collections.abc import Collection
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from langrecall.records import epoch
from langrecall.stores.base import Hit, Retriever, Signals
from langrecall.stores.budget import within_budget, worth
from langrecall.stores.corpus import Corpus, Floats, Ints
from langrecall.stores.fusion import best_first, fuse
from langrecall.stores.queries import Question
from langrecall.stores.signals import best, best_of_session, entry_signals, turn_signals


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

    The k best, or with `tokens` the set that best covers the query and costs at most that much to show. Sessions of `exclude`
    and those after the calendar day of `before` are left out; "last week" in the query is the week before `before`.
    """
    corpus = corpus.seen_by(signals)
    if not corpus.turns:
        return []
    scores = _turn_scores(corpus, query, vectors, before, retriever)
    scores[_closed(corpus, exclude, before)[corpus.turn_session]] = -np.inf
    if tokens is None:
        chosen = best_first(scores, k)
    else:
        chosen = within_budget(corpus, worth(corpus, scores) if retriever == "hybrid" else scores, tokens)
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
    """The k best sessions; arguments as those of `rank_turns`."""
    corpus = corpus.seen_by(signals)
    if not corpus.sessions:
        return []
    scores = _session_scores(corpus, query, vectors, before, retriever)
    scores[_closed(corpus, exclude, before)] = -np.inf
    return [Hit(corpus.sessions[position], float(scores[position])) for position in best_first(scores, k)]


def _turn_scores(
    corpus: Corpus, query: str, vectors: Floats | None, asked_at: datetime | None, retriever: Retriever
) -> Floats:
    if retriever == "dense" and vectors is not None:
        return best(corpus, "turn", vectors[0])
    question = Question.read(query, corpus.speakers, asked_at)
    if retriever == "lexical":
        return corpus.lexicon.turn_index.scores(question.terms)
    return fuse(turn_signals(corpus, question, vectors), len(corpus.turns))


def _session_scores(
    corpus: Corpus, query: str, vectors: Floats | None, asked_at: datetime | None, retriever: Retriever
) -> Floats:
    if retriever == "dense" and vectors is not None:
        return _dense_sessions(corpus, vectors[0])
    question = Question.read(query, corpus.speakers, asked_at)
    if retriever == "lexical":
        index = corpus.lexicon.session_index if corpus.turns else corpus.lexicon.entry_index
        return index.scores(question.terms)
    if not corpus.turns:
        return fuse(entry_signals(corpus, question, vectors), len(corpus.sessions))
    scores = fuse(turn_signals(corpus, question, vectors), len(corpus.turns))
    return pooled(scores, corpus.turn_session, len(corpus.sessions))


def _dense_sessions(corpus: Corpus, vector: Floats) -> Floats:
    """T2Mem's form: one vector an entry; without entries, the best turn of each session."""
    if "episode" in corpus.vectors:
        return best_of_session(corpus, "episode", vector)
    found = np.full(len(corpus.sessions), -1.0, dtype=np.float32)
    np.maximum.at(found, corpus.turn_session, best(corpus, "turn", vector))
    return found


def pooled(scores: Floats, owners: Ints, size: int) -> Floats:
    """The log-odds that some turn of each owner is evidence: a soft maximum; a session without turns comes last."""
    ceiling = scores.max(initial=0.0)
    mass = np.bincount(owners, weights=np.exp(scores - ceiling), minlength=size)
    soft: Floats = np.log(mass + np.finfo(np.float64).tiny).astype(np.float32) + ceiling
    return soft


def _closed(corpus: Corpus, exclude: Collection[str], before: datetime | None) -> NDArray[np.bool_]:
    """Which sessions a search may not return; undated ones are never after `before`."""
    closed = np.array([session_id in exclude for session_id in corpus.sessions], dtype=np.bool_)
    midnight = before and before.replace(hour=0, minute=0, second=0, microsecond=0)
    day_after = epoch(midnight + timedelta(days=1)) if midnight else None
    return closed if day_after is None else closed | (corpus.session_times >= day_after)
