"""The systems that are compared: each chooses turns for a token budget and ranks sessions, through the store's public calls alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal

from langrecall.evals.transcripts import Transcript
from langrecall.stores.base import HistoryStore, Retriever, Search

SystemName = Literal["langrecall", "naive_rag", "bm25", "episode_vector", "whole_sessions"]


@dataclass(frozen=True)
class Inquiry:
    """One question to one history; `before` is the time of asking."""

    history: HistoryStore
    transcript: Transcript
    query: str
    before: datetime | None = None


@dataclass(frozen=True)
class System:
    """`turns` gives the ids shown within a token budget, `sessions` the k best session ids, best first."""

    name: SystemName
    turns: Callable[[Inquiry, int], list[str]]
    sessions: Callable[[Inquiry, int], list[str]]
    needs_vectors: bool


def _ranked_turns(inquiry: Inquiry, tokens: int, *, retriever: Retriever) -> list[str]:
    """The set of turns that the store gives for a budget."""
    search = Search(inquiry.query, tokens=tokens, before=inquiry.before, retriever=retriever)
    hits = inquiry.history.search_turns(search)
    return [hit.id for hit in hits]


def _ranked_sessions(inquiry: Inquiry, k: int, *, retriever: Retriever) -> list[str]:
    """The store's session ranking; `dense` is the paper's form, one vector a metadata entry."""
    hits = inquiry.history.search_episodes(Search(inquiry.query, k, before=inquiry.before, retriever=retriever))
    return [hit.id for hit in hits]


def _sessions_of_best_turns(inquiry: Inquiry, k: int, *, retriever: Retriever) -> list[str]:
    """Sessions in the order in which a turn ranking first comes to them."""
    everything = len(inquiry.transcript.turns)
    search = Search(inquiry.query, everything, before=inquiry.before, retriever=retriever)
    hits = inquiry.history.search_turns(search)
    found = dict.fromkeys(inquiry.transcript.turns[hit.id].session_id for hit in hits)
    return list(found)[:k]


def whole_sessions(inquiry: Inquiry, tokens: int, *, retriever: Retriever) -> list[str]:
    """The best sessions read from their beginning, one after the other, cut where the budget ends."""
    ranked = _ranked_sessions(inquiry, len(inquiry.transcript.sessions), retriever=retriever)
    read = (turn.id for name in ranked for turn in inquiry.transcript.sessions[name].turns)
    return inquiry.transcript.leading(read, tokens)


SYSTEMS: tuple[System, ...] = (
    System(
        "langrecall",
        turns=partial(_ranked_turns, retriever="hybrid"),
        sessions=partial(_ranked_sessions, retriever="hybrid"),
        needs_vectors=False,
    ),
    System(
        "naive_rag",
        turns=partial(_ranked_turns, retriever="dense"),
        sessions=partial(_sessions_of_best_turns, retriever="dense"),
        needs_vectors=True,
    ),
    System(
        "bm25",
        turns=partial(_ranked_turns, retriever="lexical"),
        sessions=partial(_ranked_sessions, retriever="lexical"),
        needs_vectors=False,
    ),
    System(
        "episode_vector",
        turns=partial(whole_sessions, retriever="dense"),
        sessions=partial(_ranked_sessions, retriever="dense"),
        needs_vectors=True,
    ),
    System(
        "whole_sessions",
        turns=partial(whole_sessions, retriever="hybrid"),
        sessions=partial(_ranked_sessions, retriever="hybrid"),
        needs_vectors=False,
    ),
)


def systems_for(*, vectors: bool) -> Sequence[System]:
    """All systems, or without vectors those that can do without."""
    return [system for system in SYSTEMS if vectors or not system.needs_vectors]
