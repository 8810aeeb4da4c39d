"""What each turn has for a question: one array a signal, over all turns of a corpus."""

import numpy as np

from langrecall.stores.corpus import Corpus, Floats, Ints
from langrecall.stores.pieces import PieceKind
from langrecall.stores.queries import Question

Signals = dict[str, Floats]


def lexical_signals(corpus: Corpus, question: Question) -> Signals:
    """BM25 of the turn, of the turns around it, and of its session."""
    asked = question.terms
    return {
        "terms": corpus.turn_index.scores(asked),
        "window_terms": corpus.window_index.scores(asked),
        "session_terms": corpus.session_index.scores(asked)[corpus.turn_session],
    }


def dense_signals(corpus: Corpus, vectors: Floats) -> Signals:
    """Similarity of the turn to the question in the first person, and of the turn with the one before it to the question as asked."""
    asked, first_person = vectors
    return {
        "turn": best_by(corpus, "turn", first_person, len(corpus.turns)),
        "context": best_by(corpus, "context", asked, len(corpus.turns)),
    }


def fact_signals(corpus: Corpus, vectors: Floats) -> Signals:
    """Similarity of the facts that rest on the turn, and of the best fact of its session."""
    if "fact" not in corpus.vectors:
        return {}
    similar = corpus.vectors["fact"] @ vectors[0]
    links = corpus.links["fact"]
    turn = _best(similar[links.rows], links.turns, len(corpus.turns))
    session = _best(similar, corpus.owners["fact"], len(corpus.sessions))
    return {"fact": turn, "session_fact": session[corpus.turn_session]}


def plain_signals(corpus: Corpus, question: Question) -> Signals:
    """What can be told without matching words: who speaks, and when."""
    named = np.isin(corpus.turn_speaker, [corpus.speakers.index(speaker) for speaker in question.speakers])
    one_of_many = bool(question.speakers) and len(question.speakers) < len(corpus.speakers)
    return {
        "speaker": named.astype(np.float32) * np.float32(one_of_many),
        "time_told": corpus.tells_time * np.float32(question.wants_time),
        "month": in_months(corpus.session_months, question.months)[corpus.turn_session],
    }


def in_months(months: Ints, asked: frozenset[int]) -> Floats:
    """1 for the months asked for, 1/2 for the month after: people tell of what has just been."""
    after = [month % 12 + 1 for month in asked]
    return np.where(np.isin(months, list(asked)), 1.0, np.isin(months, after) / 2).astype(np.float32)


def best_by(corpus: Corpus, kind: PieceKind, vector: Floats, size: int) -> Floats:
    """The best similarity among each owner's pieces of a kind."""
    if kind not in corpus.vectors:
        return np.zeros(size, dtype=np.float32)
    return _best(corpus.vectors[kind] @ vector, corpus.owners[kind], size)


def _best(scores: Floats, owners: Ints, size: int) -> Floats:
    best = np.full(size, scores.min(initial=0), dtype=np.float32)
    np.maximum.at(best, owners, scores)
    return best
