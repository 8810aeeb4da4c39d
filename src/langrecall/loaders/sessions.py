"""langrecall's own format: sessions of turns, as JSON or JSON lines (docs/formats.md)."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from langrecall.loaders.assembly import Assembled, Said, assemble, history
from langrecall.loaders.files import beside
from langrecall.loaders.loaded import LoadedHistory
from langrecall.loaders.named import insist_unique, refuse_only
from langrecall.loaders.places import Place
from langrecall.records import Image, Role, Session, Turn

_ROLES: tuple[Role, ...] = get_args(Role)
_MARKS = ("sessions", "turns", "session_id")


def matches(records: Sequence[object]) -> bool:
    """Whether any record looks like a session or a list of them."""
    return any(map(_is_session, records))


def histories(records: Sequence[object], place: Place, *, only: str | None = None) -> tuple[LoadedHistory, ...]:
    """One history without a name. Pictures named by a path relative to the file are found beside it."""
    refuse_only(only, place)
    reader = _Reader(Path(place.file).parent)
    listed = [reader.session(value, where) for where, value in _numbered(records, place)]
    if not listed:
        raise place.fault('an empty list of "sessions"', "give a file that holds a history")
    insist_unique([one.session.session_id for one in listed], place, key="session_id", unit="session")
    return (history(None, listed),)


def dump(sessions: Iterable[Session]) -> str:
    """Write sessions as JSON that loads as the same sessions; what a turn shares with its session is written once."""
    return json.dumps({"sessions": [_written(session) for session in sessions]}, ensure_ascii=False, indent=1)


def _is_session(record: object) -> bool:
    return isinstance(record, Mapping) and "messages" not in record and any(mark in record for mark in _MARKS)


def _numbered(records: Sequence[object], place: Place) -> Iterator[tuple[Place, object]]:
    number = 0
    for record in records:
        inner = place.array(record, "sessions") if isinstance(record, Mapping) and "sessions" in record else [record]
        for session in inner:
            number += 1
            yield place.at(f"session {number}"), session


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads sessions of a file in `folder`."""

    folder: Path

    def session(self, value: object, place: Place) -> Assembled:
        record = place.object(value)
        session_id = place.identifier(record, "session_id")
        place = Place(place.file, f"session {session_id!r}")
        turns = place.array(record, "turns")
        said = [self.turn(turn, place.at(f"turn {number}")) for number, turn in enumerate(turns, 1)]
        source = None if record.get("source") is None else place.string(record, "source")
        return assemble(session_id, said, when=record.get("time"), source=source)

    def turn(self, value: object, place: Place) -> Said:
        turn = place.object(value)
        images = tuple(self.image(image, place) for image in place.array(turn, "images"))
        speaker, role = _who(turn, place)
        return Said(
            speaker=speaker,
            role=role,
            text=place.spoken(turn, "text", images=bool(images)),
            images=images,
            source_id=None if turn.get("id") is None else place.identifier(turn, "id"),
            when=turn.get("time"),
        )

    def image(self, value: object, place: Place) -> Image:
        record = place.object(value)
        fields = {name: place.string(record, name) for name in Image.model_fields if record.get(name) is not None}
        if not fields:
            raise place.fault("an image without source and caption", 'give it a "source" or a "caption"')
        source = fields.get("source")
        return Image(**fields | {"source": source and beside(self.folder, source)})


def _who(turn: Mapping[str, Any], place: Place) -> tuple[str, Role]:
    """A role without a speaker names the speaker; `user` and `assistant` as speakers are roles."""
    role = turn.get("role")
    if role is None:
        speaker = place.string(turn, "speaker")
        return speaker, next((known for known in _ROLES if known == speaker), "speaker")
    if role not in _ROLES:
        raise place.fault(f'"role" is {role!r}', f"the roles are {', '.join(_ROLES)}")
    return (role if turn.get("speaker") is None else place.string(turn, "speaker")), role


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
