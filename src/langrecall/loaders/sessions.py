"""langrecall's own format: sessions of turns, as JSON or JSON lines (docs/formats.md)."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from langrecall.loaders.assembly import Assembled, Said, assemble, history
from langrecall.loaders.faults import Location
from langrecall.loaders.files import beside
from langrecall.loaders.loaded import LoadedHistory
from langrecall.loaders.named import insist_unique, refuse_only
from langrecall.records import Image, Role, Session, Turn

_ROLES: tuple[Role, ...] = get_args(Role)
_MARKS = ("sessions", "turns", "session_id")


def matches(records: Sequence[object]) -> bool:
    """Whether any record looks like a session or a list of them."""
    return any(map(_is_session, records))


def histories(records: Sequence[object], location: Location, *, only: str | None = None) -> tuple[LoadedHistory, ...]:
    """One history without a name. Pictures named by a path relative to the file are found beside it."""
    refuse_only(only, location)
    reader = _Reader(Path(location.file).parent)
    listed = [reader.session(value, where) for where, value in _numbered(records, location)]
    if not listed:
        raise location.fault('an empty list of "sessions"', "give a file that holds a history")
    insist_unique([one.session.session_id for one in listed], location, key="session_id", unit="session")
    return (history(None, listed),)


def dump(sessions: Iterable[Session]) -> str:
    """Write sessions as JSON that loads as the same sessions; what a turn shares with its session is written once."""
    return json.dumps({"sessions": [_written(session) for session in sessions]}, ensure_ascii=False, indent=1)


def _is_session(record: object) -> bool:
    return isinstance(record, Mapping) and "messages" not in record and any(mark in record for mark in _MARKS)


def _numbered(records: Sequence[object], location: Location) -> Iterator[tuple[Location, object]]:
    number = 0
    for record in records:
        inner = location.array(record, "sessions") if isinstance(record, Mapping) and "sessions" in record else [record]
        for session in inner:
            number += 1
            yield location.at(f"session {number}"), session


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads sessions of a file in `folder`."""

    folder: Path

    def session(self, value: object, location: Location) -> Assembled:
        record = location.object(value)
        session_id = location.identifier(record, "session_id")
        location = Location(location.file, f"session {session_id!r}")
        turns = location.array(record, "turns")
        said = [self.turn(turn, location.at(f"turn {number}")) for number, turn in enumerate(turns, 1)]
        source = None if record.get("source") is None else location.string(record, "source")
        return assemble(session_id, said, when=record.get("time"), source=source)

    def turn(self, value: object, location: Location) -> Said:
        turn = location.object(value)
        images = tuple(self.image(image, location) for image in location.array(turn, "images"))
        speaker, role = _who(turn, location)
        return Said(
            speaker=speaker,
            role=role,
            text=location.spoken(turn, "text", images=bool(images)),
            images=images,
            source_id=None if turn.get("id") is None else location.identifier(turn, "id"),
            when=turn.get("time"),
        )

    def image(self, value: object, location: Location) -> Image:
        record = location.object(value)
        fields = {name: location.string(record, name) for name in Image.model_fields if record.get(name) is not None}
        if not fields:
            raise location.fault("an image without source and caption", 'give it a "source" or a "caption"')
        source = fields.get("source")
        return Image(**fields | {"source": source and beside(self.folder, source)})


def _who(turn: Mapping[str, Any], location: Location) -> tuple[str, Role]:
    """A role without a speaker names the speaker; `user` and `assistant` as speakers are roles."""
    role = turn.get("role")
    if role is None:
        speaker = location.string(turn, "speaker")
        return speaker, next((known for known in _ROLES if known == speaker), "speaker")
    if role not in _ROLES:
        raise location.fault(f'"role" is {role!r}', f"the roles are {', '.join(_ROLES)}")
    return (role if turn.get("speaker") is None else location.string(turn, "speaker")), role


def _written(session: Session) -> dict[str, Any]:
    fields = {
        "session_id": session.session_id,
        "time": _iso(session.time) or session.time_text,
        "source": session.source,
        "turns": [_turn_written(turn, session) for turn in session.turns],
    }
    return _without_none(fields)


def _turn_written(turn: Turn, session: Session) -> dict[str, Any]:
    images = [_without_none(image.model_dump()) for image in turn.images]
    fields = {
        "speaker": turn.speaker,
        "role": turn.role,
        "text": turn.text,
        "time": None if turn.time == session.time else _iso(turn.time),
        "id": turn.source_id,
        "images": images or None,
    }
    return _without_none(fields)


def _iso(time: datetime | None) -> str | None:
    return time.isoformat() if time else None


def _without_none(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
