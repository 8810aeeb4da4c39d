"""What turns, sessions and entries have for a question: one array a signal."""

from collections.abc import Iterable
from datetime import date

import numpy as np
from numpy.typing import NDArray

from langrecall.grounding.intervals import month
from langrecall.stores.encoding.pieces import PieceKind
from langrecall.stores.ranking.corpus import Corpus, Floats, Ints
from langrecall.stores.ranking.piece_turns import Standing
from langrecall.stores.ranking.queries import ParsedQuery

Measured = dict[str, Floats]

GRAPH_KINDS: tuple[PieceKind, PieceKind] = ("entity", "relation")

_EPOCH_DAY = date(1970, 1, 1).toordinal()
_FORETOLD_DAYS = 7
_RETOLD_DAYS = 45


def turn_signals(corpus: Corpus, question: ParsedQuery, vectors: Floats | None, at: Ints) -> Measured:
    """What the turns `at` themselves have for a question: every signal that the corpus has the parts for."""
    dense = {} if vectors is None else dense_signals(corpus, vectors, at)
    words = {"window_terms": corpus.lexicon.stated.window_scores(question.terms, at)}
    return words | dense | _plain_signals(corpus, question, at)


def session_signals(corpus: Corpus, question: ParsedQuery) -> Measured:
    """What the words and the date of each session have for a question."""
    return {
        "session_terms": corpus.lexicon.stated.session_scores(question.terms),
        "date": near(corpus.session_days, _spans(corpus, question)),
    }


def entry_signals(corpus: Corpus, question: ParsedQuery, vectors: Floats | None) -> Measured:
    """What each metadata entry has for a question, over all sessions; no raw turn is looked at."""
    found = {
        "session_terms": corpus.lexicon.entries.turn_scores(question.terms),
        "date": near(corpus.session_days, _spans(corpus, question)),
    }
    if vectors is not None and "fact" in corpus.vectors:
        found["session_fact"] = best_of_session(corpus, "fact", vectors[1])
    return found


def dense_signals(corpus: Corpus, vectors: Floats, at: Ints) -> Measured:
    """Similarity to what is said in or stated of the turn, to the turn with the one before it, and to the best fact of its session.

    Statements are compared with the question in the first person, contexts with the question as asked.
    """
    asked, first_person = vectors
    stated = [best(corpus, kind, first_person, at) for kind in ("turn", "sentence")]
    facts = _facts_near(corpus, first_person, at) if "fact" in corpus.vectors else None
    if facts is not None:
        stated.append(_best_of_turns(corpus.links["fact"].standing_for(at), facts, len(at)))
    found = {"statement": np.max(stated, axis=0), "context": best(corpus, "context", asked, at)}
    if facts is not None:
        found["session_fact"] = _best_of_sessions(corpus, "fact", facts)[corpus.turn_session[at]]
    return found


def _facts_near(corpus: Corpus, vector: Floats, at: Ints) -> Floats:
    """The similarity of each fact; -1 for those of sessions that none of the turns `at` is in: of a long history, most of them."""
    if len(at) == len(corpus.turns):
        return corpus.vectors["fact"] @ vector
    wanted = np.zeros(len(corpus.sessions), dtype=np.bool_)
    wanted[corpus.turn_session[at]] = True
    rows = np.flatnonzero(wanted[corpus.owners["fact"]])
    similar = np.full(len(corpus.owners["fact"]), -1.0, dtype=np.float32)
    similar[rows] = corpus.vectors["fact"][rows] @ vector
    return similar


def _plain_signals(corpus: Corpus, question: ParsedQuery, at: Ints) -> Measured:
    """What can be told without matching words: who speaks, and whether the turn is of the kind that answers."""
    traits = corpus.traits
    named = np.isin(traits.speaker[at], [corpus.speakers.index(speaker) for speaker in question.speakers])
    one_of_many = 0 < len(question.speakers) < len(corpus.speakers)
    return {
        "speaker": named.astype(np.float32) * np.float32(one_of_many),
        "time_told": traits.time_told[at] * np.float32(question.wants_time),
        "names_told": traits.names_told[at] * np.float32(question.wants_name),
        "asks": traits.asks[at],
        "replies": traits.replies[at],
    }


def best(corpus: Corpus, kind: PieceKind, vector: Floats, at: Ints) -> Floats:
    """The best similarity among the pieces of a kind that stand for each of the turns `at`; -1 where there is none."""
    if kind not in corpus.vectors:
        return np.full(len(at), -1.0, dtype=np.float32)
    standing = corpus.links[kind].standing_for(at)
    if len(at) == len(corpus.turns):
        return _best_of_turns(standing, corpus.vectors[kind] @ vector, len(at))
    similar = corpus.vectors[kind][standing.rows] @ vector
    return _best_of_turns(Standing(np.arange(len(similar)), standing.places), similar, len(at))


def best_of_session(corpus: Corpus, kind: PieceKind, vector: Floats) -> Floats:
    """The best similarity among the notes of a kind of each session; -1 where there is none."""
    if kind not in corpus.vectors:
        return np.full(len(corpus.sessions), -1.0, dtype=np.float32)
    return _best_of_sessions(corpus, kind, corpus.vectors[kind] @ vector)


def _best_of_turns(standing: Standing, similar: Floats, size: int) -> Floats:
    """Of the similarities of a kind's pieces, the best for each of `size` turns."""
    found = np.full(size, -1.0, dtype=np.float32)
    firsts = np.flatnonzero(np.diff(standing.places, prepend=-1))
    if len(firsts):
        found[standing.places[firsts]] = np.maximum.reduceat(similar[standing.rows], firsts)
    return found


def _best_of_sessions(corpus: Corpus, kind: PieceKind, similar: Floats) -> Floats:
    found = np.full(len(corpus.sessions), -1.0, dtype=np.float32)
    np.maximum.at(found, corpus.owners[kind], similar)
    return found


def related(corpus: Corpus, vector: Floats, at: Ints) -> Floats:
    """LightRAG's two levels: turns that the nearest entities and relations rest on; others are not reached at all."""
    reached = np.maximum(*(best(corpus, kind, vector, at) for kind in GRAPH_KINDS))
    return np.where(reached > -1, reached, -np.inf).astype(np.float32)


def near(days: NDArray[np.float64], spans: Iterable[tuple[int, int]]) -> Floats:
    """1 for days within a span, less the longer after it (people tell of what has just been) and a little in the week before."""
    found = np.zeros(len(days), dtype=np.float32)
    for first, last in spans:
        after = np.clip(1 - (days - last) / _RETOLD_DAYS, 0, 1)
        ahead = np.where(first - days <= _FORETOLD_DAYS, 0.3, 0.0)
        found = np.fmax(found, np.where(days < first, ahead, after)).astype(np.float32)
    return found


def _spans(corpus: Corpus, question: ParsedQuery) -> list[tuple[int, int]]:
    """The days a question names; a month without a year is that month of every year of the history."""
    months = [month(date(year, number, 1))[:2] for number in question.months for year in corpus.years]
    return [
        (first.toordinal() - _EPOCH_DAY, last.toordinal() - _EPOCH_DAY) for first, last in [*question.days, *months]
    ]
