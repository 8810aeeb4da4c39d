"""Rank the sessions and the turns of one namespace for a question."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from langrecall.records import epoch
from langrecall.stores.base import Hit, Search
from langrecall.stores.encoding.token_vectors import TokenVectors
from langrecall.stores.ranking.corpus import Bools, Corpus, Floats, Ints
from langrecall.stores.ranking.queries import ParsedQuery
from langrecall.stores.ranking.scope import Scope
from langrecall.stores.ranking.second_look import LOOKED_AT, look_again
from langrecall.stores.ranking.signals import (
    GRAPH_KINDS,
    best,
    best_of_session,
    entry_signals,
    related,
    session_signals,
    turn_signals,
)
from langrecall.stores.ranking.token_budget import costs_within, within_budget, worth
from langrecall.stores.ranking.weights import best_first, fuse

SESSIONS, TURNS = 5, 10
"""Hits of a search that does not say how many."""


class Asked(NamedTuple):
    """A search, the vectors of its query, and which sessions may not be found, nor which turns by their positions."""

    search: Search
    vectors: Floats | None
    token_vectors: TokenVectors | None
    closed: Bools
    left_out: Sequence[int] = ()

    def question(self, corpus: Corpus) -> ParsedQuery:
        """The query read against the people of the history."""
        return ParsedQuery.read(self.search.query, corpus.speakers, self.search.before)


class Scored(NamedTuple):
    """Scores of the turns at some positions."""

    at: Ints
    scores: Floats


def rank_turns(
    corpus: Corpus, search: Search, vectors: Floats | None, token_vectors: TokenVectors | None = None
) -> list[Hit]:
    """Rank turns; `vectors` are those of `query_texts`, or None for a history without embeddings, which is ranked by words.

    `token_vectors` are those of the last of these texts, where the model gives them.
    """
    corpus = corpus.seen_by(search.signals)
    if not corpus.turns:
        return []
    closed, left_out = _closed(corpus, search), _named_turns(corpus, search.exclude)
    at, scores = scored = _scored_turns(corpus, Asked(search, vectors, token_vectors, closed, left_out))
    scores[closed[corpus.turn_session[at]] | np.isin(at, left_out)] = -np.inf
    return [Hit(corpus.turns[at[place]].id, float(scores[place])) for place in _chosen(corpus, search, scored)]


def rank_sessions(
    corpus: Corpus, search: Search, vectors: Floats | None, token_vectors: TokenVectors | None = None
) -> list[Hit]:
    """Rank sessions; vectors as those of `rank_turns`."""
    corpus = corpus.seen_by(search.signals)
    if not corpus.sessions:
        return []
    asked = Asked(search, vectors, token_vectors, _closed(corpus, search))
    scores = _scored_sessions(corpus, asked)
    scores[asked.closed] = -np.inf
    chosen = best_first(scores, SESSIONS if search.k is None else search.k)
    return [Hit(corpus.sessions[position], float(scores[position])) for position in chosen]


def _chosen(corpus: Corpus, search: Search, scored: Scored) -> list[int]:
    at, scores = scored
    if search.tokens is None:
        return best_first(scores, TURNS if search.k is None else search.k)
    costs = costs_within(corpus, at, search.tokens) if search.passages else corpus.traits.tokens[at]
    worths = worth(costs, scores) if search.retriever == "hybrid" else scores
    return within_budget(corpus, at, worths, costs, search.tokens)


def _scored_turns(corpus: Corpus, asked: Asked) -> Scored:
    if asked.search.retriever == "hybrid":
        return _hybrid(corpus, asked)
    everywhere = np.arange(len(corpus.turns))
    if asked.search.retriever == "lexical" or asked.vectors is None:
        return Scored(everywhere, corpus.lexicon.said.turn_scores(asked.question(corpus).terms))
    if asked.search.retriever == "dense":
        return Scored(everywhere, best(corpus, "turn", asked.vectors[0], everywhere))
    return Scored(everywhere, related(corpus, asked.vectors[0], everywhere))


def _scored_sessions(corpus: Corpus, asked: Asked) -> Floats:
    if asked.search.retriever == "hybrid":
        return _hybrid_sessions(corpus, asked)
    if asked.search.retriever == "lexical" or asked.vectors is None:
        terms = asked.question(corpus).terms
        return corpus.lexicon.said.session_scores(terms) if corpus.turns else corpus.lexicon.entries.turn_scores(terms)
    if asked.search.retriever == "graph":
        return np.maximum(*(best_of_session(corpus, kind, asked.vectors[0]) for kind in GRAPH_KINDS))
    # T2Mem's form is one vector an entry; w/o metadata, the best turn of each session.
    return best_of_session(corpus, "episode" if corpus.episodes else "turn", asked.vectors[0])


def _hybrid(corpus: Corpus, asked: Asked) -> Scored:
    question = asked.question(corpus)
    sessions = fuse(session_signals(corpus, question), len(corpus.sessions))
    scope = Scope.of(corpus, sessions, asked.vectors, asked.closed)
    signals = turn_signals(corpus, question, asked.vectors, scope.turns)
    scores = fuse(signals, len(scope.turns), usual=scope.usual) + sessions[corpus.turn_session[scope.turns]]
    if corpus.tokens is not None and asked.token_vectors is not None:
        worths = worth(corpus.traits.tokens[scope.turns], scores)
        worths[asked.closed[corpus.turn_session[scope.turns]]] = -np.inf
        # Turns left out still tell what is said around their neighbours, and take no other turn's place.
        count = LOOKED_AT + len(asked.left_out)
        scores = look_again(corpus, corpus.tokens, asked.token_vectors, scope.turns, scores, worths, count=count)
    return Scored(scope.turns, scores)


def _hybrid_sessions(corpus: Corpus, asked: Asked) -> Floats:
    if not corpus.turns:
        return fuse(entry_signals(corpus, asked.question(corpus), asked.vectors), len(corpus.sessions))
    at, scores = _hybrid(corpus, asked)
    return _pooled(scores, corpus.turn_session[at], len(corpus.sessions))


def _pooled(scores: Floats, owners: Ints, size: int) -> Floats:
    """The log-odds that some turn of each owner is evidence: a soft maximum; a session without turns comes last."""
    ceiling = scores.max(initial=0.0)
    mass = np.bincount(owners, weights=np.exp(scores - ceiling), minlength=size)
    soft: Floats = np.log(mass + np.finfo(np.float64).tiny).astype(np.float32) + ceiling
    return soft


def _named_turns(corpus: Corpus, names: Collection[str]) -> list[int]:
    """The positions of those names that are no session's but a turn's; unknown ones are no fault."""
    named = (name.rpartition(":") for name in names if name not in corpus.places)
    known = (
        (corpus.places[session], int(index))
        for session, _, index in named
        if session in corpus.places and index.isdecimal()
    )
    return [int(corpus.bounds[at]) + index for at, index in known if index < corpus.bounds[at + 1] - corpus.bounds[at]]


def _closed(corpus: Corpus, search: Search) -> Bools:
    """Which sessions a search may not return; undated ones are never after `before`."""
    closed = np.zeros(len(corpus.sessions), dtype=np.bool_)
    closed[[corpus.places[name] for name in search.exclude if name in corpus.places]] = True
    # The end of the day and not the next one: the last day that a time can name has none.
    end = epoch(search.before and search.before.replace(hour=23, minute=59, second=59, microsecond=999_999))
    return closed if end is None else closed | (corpus.session_times > end)
