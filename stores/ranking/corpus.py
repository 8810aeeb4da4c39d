"""A frozen snapshot of one namespace in the form that ranking works on: arrays, built once and read many times."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from langrecall.records import Episode, Session, Turn, epoch
from langrecall.rendering import header_tokens, turn_tokens
from langrecall.stores.base import Signals
from langrecall.stores.encoding.pieces import CHUNK_KINDS, Piece, PieceKind, entity_name
from langrecall.stores.encoding.token_vectors import TokenIndex, TokenVectors
from langrecall.stores.ranking.piece_turns import Links
from langrecall.stores.ranking.sketch import Sketch
from langrecall.stores.ranking.traits import Traits
from langrecall.stores.ranking.word_indexes import Lexicon

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]

_DAY = 86_400  # seconds


@dataclass(frozen=True, eq=False)
class Corpus:
    """Sessions in time order (undated ones last), their turns in order, their entries, and the vectors of their pieces.

    Everything is named by its position in `sessions` or `turns`: `owners` are the sessions of a kind's vectors, `links` their
    turns, `bounds` where the turns of each session begin, with their number at the end. Parts may be missing: without turns
    or without entries a ranking does without the signals that need them. `tokens` are those of the pieces of kind `turn`.
    """

    sessions: tuple[str, ...]
    session_times: NDArray[np.float64]
    turns: tuple[Turn, ...]
    turn_session: Ints
    bounds: Ints
    episodes: Mapping[int, Episode]
    vectors: Mapping[PieceKind, Floats]
    owners: Mapping[PieceKind, Ints]
    links: Mapping[PieceKind, Links]
    tokens: TokenIndex | None = None

    @classmethod
    def build(
        cls,
        sessions: Sequence[Session],
        episodes: Sequence[Episode],
        pieces: Sequence[Piece],
        vectors: Floats | None,
        tokens: Sequence[TokenVectors | None] = (),
    ) -> Self:
        """`vectors`, one normalised row a piece, and `tokens` follow the order of `pieces`; without vectors ranking is lexical only."""
        times = {episode.session_id: epoch(episode.time) for episode in episodes}
        times |= {session.session_id: epoch(session.time) for session in sessions}
        order = sorted(times, key=lambda session_id: (times[session_id] is None, times[session_id] or 0.0))
        place = {session_id: position for position, session_id in enumerate(order)}
        placed = sorted(sessions, key=lambda session: place[session.session_id])
        turn_session = _integers(place[session.session_id] for session in placed for _ in session.turns)
        bounds = np.searchsorted(turn_session, np.arange(len(order) + 1))
        kinds = {} if vectors is None else _rows_by_kind(pieces)
        owners = {kind: _integers(place[pieces[row].session_id] for row in rows) for kind, rows in kinds.items()}
        return cls(
            sessions=tuple(order),
            session_times=np.array([np.nan if times[key] is None else times[key] for key in order], dtype=np.float64),
            turns=tuple(chain.from_iterable(session.turns for session in placed)),
            turn_session=turn_session,
            bounds=bounds,
            episodes={place[episode.session_id]: episode for episode in episodes},
            vectors={}
            if vectors is None
            else {kind: vectors[_merged(pieces, kind, rows)] for kind, rows in kinds.items()},
            owners=owners,
            links={kind: _links([pieces[row] for row in rows], owners[kind], bounds) for kind, rows in kinds.items()},
            tokens=_token_index([tokens[row] for row in kinds.get("turn", ())] if tokens else ()),
        )

    def seen_by(self, signals: Signals) -> "Corpus":
        """The corpus without the parts that the signals leave out."""
        if signals == "metadata" and self.turns:
            return self._entries
        return self._turns if signals == "raw" and self.episodes else self

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The position of each session."""
        return {session_id: position for position, session_id in enumerate(self.sessions)}

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """Everyone who speaks under a name, in order of first appearance; of entries alone, their participants."""
        spoken = (turn.speaker for turn in self.turns if turn.role == "speaker")
        stated = chain.from_iterable(episode.participants for episode in self.episodes.values())
        return tuple(dict.fromkeys(spoken if self.turns else stated))

    @cached_property
    def session_days(self) -> NDArray[np.float64]:
        """The day of each session, counted from 1 January 1970; nan where unknown."""
        return np.floor(self.session_times / _DAY)

    @cached_property
    def years(self) -> tuple[int, ...]:
        """The years that sessions were held in."""
        known = self.session_times[np.isfinite(self.session_times)].astype("datetime64[s]")
        return tuple((np.unique(known.astype("datetime64[Y]").astype(np.int64)) + 1970).tolist())

    @cached_property
    def traits(self) -> Traits:
        """What is told of each turn without a question."""
        return Traits.of(self.turns, self.bounds, self.speakers)

    def shown_tokens(self, position: int) -> int:
        """What showing a turn costs, grounded dates included; remembered, because finding those takes time."""
        if position not in self._shown:
            self._shown[position] = turn_tokens(self.turns[position])
        return self._shown[position]

    @cached_property
    def _shown(self) -> dict[int, int]:
        return {}

    @cached_property
    def header_tokens(self) -> list[int]:
        """What the line over each session's turns costs."""
        first = (self.turns[at].time if at < end else None for at, end in pairwise(self.bounds.tolist()))
        return [header_tokens(session_id, time) for session_id, time in zip(self.sessions, first, strict=True)]

    @cached_property
    def _entries(self) -> "Corpus":
        kept = {kind: rows for kind, rows in self.vectors.items() if kind not in CHUNK_KINDS}
        no_turns = np.empty(0, dtype=np.int64)
        bounds = np.zeros_like(self.bounds)
        return replace(self, turns=(), turn_session=no_turns, bounds=bounds, vectors=kept, links={}, tokens=None)

    @cached_property
    def _turns(self) -> "Corpus":
        kept = {kind: rows for kind, rows in self.vectors.items() if kind in CHUNK_KINDS}
        return replace(self, episodes={}, vectors=kept)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words of the turns and entries, indexed."""
        return Lexicon(self.turns, self.turn_session, self.bounds, self.episodes)

    @cached_property
    def sketch(self) -> Sketch:
        """The vectors of the turns in short."""
        return Sketch.of(self.vectors["turn"])


def _integers(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)


def _rows_by_kind(pieces: Sequence[Piece]) -> dict[PieceKind, list[int]]:
    rows: dict[PieceKind, list[int]] = {}
    for row, piece in enumerate(pieces):
        rows.setdefault(piece.kind, []).append(row)
    return rows


def _merged(pieces: Sequence[Piece], kind: PieceKind, rows: list[int]) -> list[int]:
    """The rows, those of one entity led back to the first: spelled alike but for case, accents and endings, it is one wherever named."""
    if kind != "entity":
        return rows
    first: dict[str, int] = {}
    return [first.setdefault(entity_name(pieces[row].text), row) for row in rows]


def _token_index(texts: Sequence[TokenVectors | None]) -> TokenIndex | None:
    """None where those of some texts were not kept: turns are compared by what all of them have."""
    kept = [text for text in texts if text is not None]
    return TokenIndex.of(kept) if kept and len(kept) == len(texts) else None


def _links(pieces: Sequence[Piece], owners: Ints, bounds: Ints) -> Links:
    """Indices that name no turn of their session are left out: entries are written by models."""
    rows = _integers(row for row, piece in enumerate(pieces) for _ in piece.turns)
    turns = bounds[owners[rows]] + _integers(chain.from_iterable(piece.turns for piece in pieces))
    real = turns < bounds[owners[rows] + 1]
    return Links.of(rows[real], turns[real], int(bounds[-1]))
