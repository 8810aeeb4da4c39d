"""What a history is made of: sessions of turns, and the metadata entry (episode) of each session."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

Role = Literal["speaker", "user", "assistant", "system", "tool"]
"""`speaker` is a named person; `system` and `tool` turns are kept and shown, but are nobody's speech."""

Granularity = Literal["day", "weekend", "week", "month", "season", "year", "years"]


class Record(BaseModel):
    """A frozen value that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class TurnId:
    """The two halves of a turn's id, `"<session_id>:<index>"`; the session id may itself hold colons."""

    session_id: str
    index: int

    def __str__(self) -> str:
        return f"{self.session_id}:{self.index}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Split an id; raises `ValueError` when it has no index."""
        session_id, colon, index = text.rpartition(":")
        if not colon or not index.isdecimal():
            msg = f"{text!r} is no turn id: expected '<session_id>:<index>'"
            raise ValueError(msg)
        return cls(session_id, int(index))


class Image(Record):
    """A picture attached to a turn. `source` is a path, URL or data URI and is never fetched by itself."""

    source: str | None = None
    caption: str | None = None
    ocr: str | None = None


class Turn(Record):
    """One message of a session; `index` counts from 0 and `source_id` is the file's own id, such as `D1:3`."""

    session_id: str
    index: int
    speaker: str
    role: Role
    text: str
    time: datetime | None = None
    images: tuple[Image, ...] = ()
    source_id: str | None = None

    @property
    def id(self) -> str:
        """`"<session_id>:<index>"`."""
        return str(TurnId(self.session_id, self.index))


class Session(Record):
    """A conversation held at one sitting. `time` keeps its own offset or is naive; `time_text` holds a date nobody could parse."""

    session_id: str
    time: datetime | None = None
    time_text: str | None = None
    turns: tuple[Turn, ...] = ()
    source: str | None = None

    @model_validator(mode="after")
    def _turns_belong(self) -> Self:
        for index, turn in enumerate(self.turns):
            if (turn.session_id, turn.index) != (self.session_id, index):
                msg = f"turn {turn.id!r} stands at place {index} of session {self.session_id!r}"
                raise ValueError(msg)
        return self

    @property
    def speakers(self) -> tuple[str, ...]:
        """Who speaks, in order of first appearance; system and tool turns are nobody's speech."""
        spoken = (turn.speaker for turn in self.turns if turn.role not in ("system", "tool"))
        return tuple(dict.fromkeys(spoken))

    @property
    def content_hash(self) -> str:
        """SHA-256 of everything a reader could see of the session."""
        return _digest(self.model_dump(mode="json", exclude={"source"}))


class Event(Record):
    """Something that happened, with the indices of the turns that say so and its grounded time, if any."""

    text: str
    turns: tuple[int, ...] = ()
    time: str | None = None


class Fact(Record):
    """Something stated, with the indices of the turns that state it."""

    text: str
    turns: tuple[int, ...] = ()
    speaker: str | None = None


class Relation(Record):
    """Two entities and how they are related, with the indices of the turns that say so."""

    subject: str
    predicate: str
    object: str
    turns: tuple[int, ...] = ()


class TimeCue(Record):
    """A time expression of a turn and the days it means, both ends included."""

    text: str
    turn: int
    start: date
    end: date
    granularity: Granularity


class Episode(Record):
    """The metadata entry of one session (T2Mem's i_k); its source link L(i_k) is `session_id`."""

    session_id: str
    title: str
    time: datetime | None = None
    participants: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    facts: tuple[Fact, ...] = ()
    entities: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    time_cues: tuple[TimeCue, ...] = ()
    summary: str = ""


class Kept(Record):
    """A session as a history keeps it, with its entry and who made that (a model's name, or `extractive`) in which form."""

    session: Session
    episode: Episode | None = None
    describer: str
    form: str

    @model_validator(mode="after")
    def _entry_belongs(self) -> Self:
        if self.episode is not None and self.episode.session_id != self.session.session_id:
            msg = f"the entry of {self.episode.session_id!r} stands beside session {self.session.session_id!r}"
            raise ValueError(msg)
        return self


def epoch(time: datetime | None) -> float | None:
    """Seconds since 1970; a naive time is read as UTC, so that mixed histories still have one order."""
    if time is None:
        return None
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def in_time_order(sessions: Iterable[Session]) -> list[Session]:
    """Sort by time; sessions without a time keep their place after the dated ones."""
    return sorted(sessions, key=lambda session: (session.time is None, epoch(session.time) or 0.0))


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
