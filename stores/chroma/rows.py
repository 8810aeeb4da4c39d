"""What is stored: rows in the two collections of a namespace, named by their content."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias, cast

from langrecall.records import Episode, Session, Turn
from langrecall.stores.encoding.encoder import Floats
from langrecall.stores.encoding.pieces import CHUNK_KINDS, Piece, PieceKind, pieces
from langrecall.stores.encoding.token_vectors import TokenVectors, packed, unpacked

Part = Literal["chunks", "notes"]
"""The collection of the raw turns, and the one of everything derived from them, commit records included."""

PARTS: tuple[Part, ...] = ("chunks", "notes")

Scalar: TypeAlias = str | int | float | bool

_TOKENS = "tokens"


class Row(NamedTuple):
    """One record of a collection; without a vector it is stored under a placeholder that no ranking sees."""

    id: str
    metadata: Mapping[str, Scalar]
    text: str = ""
    vector: Floats | None = None

    @property
    def piece(self) -> Piece:
        """The piece that the row was made of."""
        name, turns = json.loads(str(self.metadata["piece"]))
        kind = cast("PieceKind", self.metadata["kind"])  # as `_row` wrote it
        return Piece(name, kind, str(self.metadata["session_id"]), tuple(turns), self.text)

    @property
    def payload(self) -> str:
        """The JSON of the turn or entry that the row carries; empty where it carries none."""
        return str(self.metadata.get("payload", ""))

    @property
    def tokens(self) -> TokenVectors | None:
        """The vectors of the row's single tokens; None where they were not kept."""
        kept = self.metadata.get(_TOKENS)
        return None if kept is None else unpacked(str(kept))

    def embedded(self, vector: Floats | None, tokens: TokenVectors | None) -> "Row":
        """The row with its vector, and with the vectors of its tokens where it is part of a turn."""
        kept = {} if tokens is None or self.metadata["kind"] != "turn" else {_TOKENS: packed(tokens)}
        return self._replace(vector=vector, metadata={**self.metadata, **kept})


def chunk_rows(session: Session) -> list[Row]:
    """The rows of the raw turns: first the one that carries each turn, in order, then the others."""
    made = [piece for piece in pieces(session, None) if piece.kind in CHUNK_KINDS]
    first = {piece.turns[0]: piece for piece in reversed(made) if piece.kind == "turn"}
    carriers = [first.get(turn.index) or _blank(turn) for turn in session.turns]
    held = {piece.id for piece in carriers}
    rows = [_row(piece, turn) for piece, turn in zip(carriers, session.turns, strict=True)]
    return rows + [_row(piece) for piece in made if piece.id not in held]


def note_rows(session: Session, episode: Episode | None) -> list[Row]:
    """The rows of the metadata entry: first the one that carries it, then the others."""
    if episode is None:
        return []
    made = [piece for piece in pieces(session, episode) if piece.kind not in CHUNK_KINDS]
    blank = Piece(f"{session.session_id}:episode", "episode", session.session_id, (), "")
    carrier = next((piece for piece in made if piece.kind == "episode"), blank)
    return [_row(carrier, episode)] + [_row(piece) for piece in made if piece.id != carrier.id]


def digest(*values: object) -> str:
    """96 bits of a hash of JSON values, as 24 characters that fit any id."""
    text = json.dumps(values, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def count_kinds(rows: Iterable[Row]) -> dict[str, int]:
    """How many pieces of each kind have a text."""
    kinds = [str(row.metadata["kind"]) for row in rows if row.text]
    return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}


def _blank(turn: Turn) -> Piece:
    return Piece(f"{turn.id}:turn:0", "turn", turn.session_id, (turn.index,), "")


def _row(piece: Piece, carried: Turn | Episode | None = None) -> Row:
    # Few keys: reading costs 8 microseconds for each.
    metadata: dict[str, Scalar] = {
        "kind": piece.kind,
        "session_id": piece.session_id,
        "piece": json.dumps([piece.id, piece.turns]),
    }
    if carried is not None:
        metadata["payload"] = carried.model_dump_json(exclude_defaults=True)
    return Row(digest(piece.text, metadata), metadata, piece.text)
