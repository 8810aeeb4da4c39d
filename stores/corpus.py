"""A frozen snapshot of one namespace in the form that ranking works on: arrays, built once and read many times."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from langrecall.records import Episode, Session, Turn, epoch
from langrecall.rendering import image_note
from langrecall.stores.lexical import LexicalIndex, terms
from langrecall.stores.pieces import CHUNK_KINDS, Piece, PieceKind, episode_text

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

_TIME_WORD = re.compile(
    r"\b(?:yesterday|to(?:day|night|morrow)|last|next|ago|weeks?|weekends?|months?|years?|since|recently|just|morning|night"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october"
    r"|november|december|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)

WINDOW = 2
"""Turns on each side that the lexical window of a turn takes in."""


class Links(NamedTuple):
    """Which piece stands for which turn: two arrays of one length, rows of the kind's vectors and turn positions."""

    rows: Ints
    turns: Ints


@dataclass(frozen=True, eq=False)
class Corpus:
    """Sessions in time order, their turns in order, their entries, and the vectors of their pieces.

    Everything is named by its position in `sessions` or `turns`. Parts may be missing: without turns or without entries the
    signals that need them are left out of a ranking.
    """

    sessions: tuple[str, ...]
    session_times: NDArray[np.float64]
    turns: tuple[Turn, ...]
    turn_session: Ints
    episodes: tuple[Episode, ...]
    episode_session: Ints
    vectors: Mapping[PieceKind, Floats]
    owners: Mapping[PieceKind, Ints]
    links: Mapping[PieceKind, Links]

    @classmethod
    def build(
        cls, sessions: Sequence[Session], episodes: Sequence[Episode], pieces: Sequence[Piece], vectors: Floats | None
    ) -> Self:
        """`vectors` has one normalised row a piece, in the order of `pieces`; None: lexical ranking only."""
        times = {entry.session_id: epoch(entry.time) for entry in [*episodes, *sessions]}
        order = sorted(times, key=lambda session_id: _dated_first(times[session_id]))
        place = {session_id: position for position, session_id in enumerate(order)}
        ranked = sorted(sessions, key=lambda session: place[session.session_id])
        turns = tuple(chain.from_iterable(session.turns for session in ranked))
        turn_place = {(turn.session_id, turn.index): position for position, turn in enumerate(turns)}
        rows = {} if vectors is None else _rows_by_kind(pieces)
        return cls(
            sessions=tuple(order),
            session_times=np.array([np.nan if times[key] is None else times[key] for key in order], dtype=np.float64),
            turns=turns,
            turn_session=_integers(place[turn.session_id] for turn in turns),
            episodes=tuple(episodes),
            episode_session=_integers(place[episode.session_id] for episode in episodes),
            vectors={} if vectors is None else {kind: vectors[row] for kind, row in rows.items()},
            owners={kind: _owners(kind, [pieces[i] for i in row], place, turn_place) for kind, row in rows.items()},
            links={kind: _links([pieces[i] for i in row], turn_place) for kind, row in rows.items()},
        )

    @cached_property
    def starts(self) -> Ints:
        """The first turn of each session that has turns, in the order of turns."""
        return np.flatnonzero(np.diff(self.turn_session, prepend=-1)).astype(np.int64)

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """Everyone who speaks under a name, in order of first appearance."""
        return tuple(dict.fromkeys(turn.speaker for turn in self.turns if turn.role == "speaker"))

    @cached_property
    def turn_speaker(self) -> Ints:
        """Who says each turn, by position in `speakers`; -1 for a turn without a named speaker."""
        place = {speaker: position for position, speaker in enumerate(self.speakers)}
        return _integers(place[turn.speaker] if turn.role == "speaker" else -1 for turn in self.turns)

    @cached_property
    def session_months(self) -> Ints:
        """The month of each session, 1 to 12, 0 where unknown."""
        known = np.isfinite(self.session_times)
        days = np.where(known, self.session_times, 0).astype("datetime64[s]").astype("datetime64[M]")
        return np.where(known, days.astype(np.int64) % 12 + 1, 0)

    @cached_property
    def tells_time(self) -> Floats:
        """1 for turns that hold a time expression."""
        return np.array([bool(_TIME_WORD.search(turn.text)) for turn in self.turns], dtype=np.float32)

    @cached_property
    def turn_terms(self) -> list[list[str]]:
        """The index terms of each turn, its pictures' captions among them and its speaker not."""
        return [terms(" ".join([turn.text, *map(image_note, turn.images)])) for turn in self.turns]

    @cached_property
    def turn_index(self) -> LexicalIndex:
        """BM25 over turns."""
        return LexicalIndex.build(self.turn_terms)

    @cached_property
    def window_index(self) -> LexicalIndex:
        """BM25 over each turn with the two on each side of it in its session."""
        bounds = [*self.starts.tolist(), len(self.turns)]
        spans = pairwise(bounds)
        windows = (
            self.turn_terms[max(first, at - WINDOW) : min(end, at + WINDOW + 1)]
            for first, end in spans
            for at in range(first, end)
        )
        return LexicalIndex.build(list(chain.from_iterable(window)) for window in windows)

    @cached_property
    def session_index(self) -> LexicalIndex:
        """BM25 over the turns of each session; a session without turns keeps its place."""
        joined: list[list[str]] = [[] for _ in self.sessions]
        for session, words in zip(self.turn_session.tolist(), self.turn_terms, strict=True):
            joined[session] += words
        return LexicalIndex.build(joined)

    @cached_property
    def entry_index(self) -> LexicalIndex:
        """BM25 over the metadata entry of each session; a session without one keeps its place."""
        joined: list[list[str]] = [[] for _ in self.sessions]
        for session, episode in zip(self.episode_session.tolist(), self.episodes, strict=True):
            joined[session] += terms(episode_text(episode))
        return LexicalIndex.build(joined)


def _dated_first(time: float | None) -> tuple[bool, float]:
    return time is None, time or 0.0


def _integers(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)


def _rows_by_kind(pieces: Sequence[Piece]) -> dict[PieceKind, Ints]:
    rows: dict[PieceKind, list[int]] = {}
    for row, piece in enumerate(pieces):
        rows.setdefault(piece.kind, []).append(row)
    return {kind: np.array(found, dtype=np.int64) for kind, found in rows.items()}


def _owners(
    kind: PieceKind, pieces: Sequence[Piece], place: Mapping[str, int], turn_place: Mapping[tuple[str, int], int]
) -> Ints:
    if kind in CHUNK_KINDS:
        return _integers(turn_place[piece.session_id, piece.turns[0]] for piece in pieces)
    return _integers(place[piece.session_id] for piece in pieces)


def _links(pieces: Sequence[Piece], turn_place: Mapping[tuple[str, int], int]) -> Links:
    pairs = [
        (row, turn_place[piece.session_id, index])
        for row, piece in enumerate(pieces)
        for index in piece.turns
        if (piece.session_id, index) in turn_place
    ]
    rows, turns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Links(rows, turns)
