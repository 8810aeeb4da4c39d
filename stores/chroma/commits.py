"""Commit records: a row counts only while a commit record names it, so nothing is ever half visible."""

import json
from collections.abc import Iterable, Mapping, Sequence
from time import time_ns
from typing import NamedTuple, Self
from uuid import uuid4

from langrecall.grounding.text import VERSION
from langrecall.records import Episode, Session, Turn, epoch
from langrecall.stores.base import SessionInfo
from langrecall.stores.chroma.collections import CollectionRows
from langrecall.stores.chroma.rows import Part, Row, Scalar, chunk_rows, count_kinds, digest, note_rows

KIND = "session"
REMOVED = "removed"
STAGED = "staged"
_GENERATION = "generation"


class Origin(NamedTuple):
    """What a stored session was made from; a difference in any of it means updated."""

    content_hash: str
    describer: str
    form: str
    grounding: int = VERSION


class Commit(NamedTuple):
    """What is visible of a session: the ids of its rows, and what they were made from.

    The first ids of `chunks` are the rows that carry the session's turns, in order; the first of `notes` carries its entry.
    """

    head: Session
    title: str
    origin: Origin
    turns: int
    chunks: tuple[str, ...]
    notes: tuple[str, ...]
    counts: Mapping[str, int]
    stored: int

    @property
    def session_id(self) -> str:
        """Whose commit this is."""
        return self.head.session_id

    @property
    def info(self) -> SessionInfo:
        """The line that a list of sessions shows."""
        return SessionInfo(self.session_id, self.title, self.head.time, self.turns)

    @property
    def carriers(self) -> tuple[str, ...]:
        """The rows that carry the turns, in order."""
        return self.chunks[: self.turns]

    def session(self, turns: Iterable[Turn]) -> Session:
        """The raw session, from the turns that its carriers hold."""
        return self.head.model_copy(update={"turns": tuple(turns)})

    def since(self, before: "Commit | None") -> Self:
        """The same, first stored when `before` was."""
        return self if before is None else self._replace(stored=before.stored)

    def ids(self, part: Part) -> tuple[str, ...]:
        """The ids of the session's rows in one collection."""
        return self.chunks if part == "chunks" else self.notes

    def row(self, kind: str = KIND) -> Row:
        """The record of it; of the kind `REMOVED` it tells what there was, and hides it."""
        metadata: dict[str, Scalar] = {
            "kind": kind,
            "session_id": self.session_id,
            "head": self.head.model_dump_json(exclude_defaults=True),
            "title": self.title,
            "origin": json.dumps(self.origin),
            "turns": self.turns,
            "chunks": " ".join(self.chunks),
            "notes": " ".join(self.notes),
            "counts": json.dumps(self.counts),
            "stored": self.stored,
        }
        time = epoch(self.head.time)
        return Row(commit_id(self.session_id), metadata if time is None else metadata | {"time": time})

    @classmethod
    def of(cls, row: Row) -> Self:
        """Read a record back."""
        metadata = row.metadata
        return cls(
            head=Session.model_validate_json(str(metadata["head"])),
            title=str(metadata["title"]),
            origin=Origin(*json.loads(str(metadata["origin"]))),
            turns=int(metadata["turns"]),
            chunks=tuple(str(metadata["chunks"]).split()),
            notes=tuple(str(metadata["notes"]).split()),
            counts=json.loads(str(metadata["counts"])),
            stored=int(metadata["stored"]),
        )


class StagedSession(NamedTuple):
    """A session as it is to be stored."""

    commit: Commit
    chunks: list[Row]
    notes: list[Row]

    @classmethod
    def of(cls, session: Session, episode: Episode | None, origin: Origin) -> Self:
        """Lay out the rows of a session and its entry."""
        chunks, notes = chunk_rows(session), note_rows(session, episode)
        commit = Commit(
            head=session.model_copy(update={"turns": ()}),
            title=episode.title if episode else "",
            origin=origin,
            turns=len(session.turns),
            chunks=tuple(row.id for row in chunks),
            notes=tuple(row.id for row in notes),
            counts=count_kinds([*chunks, *notes]),
            stored=time_ns(),
        )
        return cls(commit, chunks, notes)

    def rows(self, part: Part) -> list[Row]:
        """The rows of one collection."""
        return self.chunks if part == "chunks" else self.notes


class Generation(NamedTuple):
    """A mark that no other state of the namespace has, and the sessions whose old rows are still to be removed."""

    token: str
    unswept: tuple[str, ...] = ()

    @classmethod
    def new(cls, unswept: Iterable[str]) -> Self:
        """The mark of the state that begins now."""
        return cls(uuid4().hex, tuple(unswept))

    @classmethod
    def of(cls, row: Row) -> Self:
        """Read a mark back."""
        return cls(str(row.metadata["token"]), tuple(json.loads(str(row.metadata["unswept"]))))

    @property
    def row(self) -> Row:
        """The record of it; there is one a namespace."""
        return Row(_GENERATION, {"kind": _GENERATION, "token": self.token, "unswept": json.dumps(self.unswept)})


def commit_id(session_id: str) -> str:
    """The id of a session's commit record."""
    return f"session-{digest(session_id)}"


def staged_id(session_id: str) -> str:
    """The id of a session that is kept aside."""
    return f"staged-{digest(session_id)}"


def staged_row(session: Session) -> Row:
    """A session that is kept aside, whole."""
    metadata = {
        "kind": STAGED,
        "session_id": session.session_id,
        "payload": session.model_dump_json(exclude_defaults=True),
    }
    return Row(staged_id(session.session_id), metadata)


def generation(rows: CollectionRows) -> Generation | None:
    """The mark of what is visible now; None where nothing ever was."""
    return next(map(Generation.of, rows.get("notes", [_GENERATION])), None)


def commits(rows: CollectionRows, session_ids: Iterable[str]) -> dict[str, Commit]:
    """The commits of these sessions, by session id; sessions that are not visible are left out."""
    found = rows.get("notes", [commit_id(session_id) for session_id in dict.fromkeys(session_ids)])
    return {commit.session_id: commit for commit in map(Commit.of, _visible(found))}


def all_commits(rows: CollectionRows) -> list[Commit]:
    """Every commit, in time order."""
    return in_time_order(map(Commit.of, rows.find("notes", [KIND])))


def in_time_order(found: Iterable[Commit]) -> list[Commit]:
    """Undated sessions last, and equal times in the order they were first stored."""
    return sorted(found, key=lambda commit: (commit.head.time is None, epoch(commit.head.time) or 0.0, commit.stored))


def _visible(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.metadata["kind"] == KIND]
