"""Put what was said together into sessions, and sessions into a history."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from langrecall.loaders.dates import parse_date
from langrecall.loaders.faults import listed
from langrecall.loaders.loaded import LoadedHistory
from langrecall.records import Image, Role, Session, Turn, in_time_order


@dataclass(frozen=True, slots=True)
class Said:
    """A turn before it has its place in a session; `when` is its own date as the file has it."""

    speaker: str
    role: Role
    text: str
    images: tuple[Image, ...] = ()
    source_id: str | None = None
    when: object = None


@dataclass(frozen=True, slots=True)
class Assembled:
    """A session and what is doubtful about it."""

    session: Session
    warnings: tuple[str, ...] = ()


def assemble(session_id: str, said: Sequence[Said], *, when: object = None, source: str | None = None) -> Assembled:
    """Number the turns and date them: a turn without a date takes its session's, a session without one its first dated turn's."""
    own = [parse_date(one.when) for one in said]
    date = parse_date(when) or next(filter(None, own), None)
    turns = tuple(_turn(session_id, index, one, own[index] or date) for index, one in enumerate(said))
    unread = str(when) if _unread(when) else None
    doubts = [(f"session {session_id!r}", when)] if unread else []
    doubts += [(f"turn '{session_id}:{index}'", one.when) for index, one in enumerate(said) if _unread(one.when)]
    return Assembled(
        Session(session_id=session_id, time=date, time_text=unread, turns=turns, source=source),
        tuple(_date_warning(where, text) for where, text in doubts),
    )


def history(name: str | None, assembled: Iterable[Assembled], *, warnings: Iterable[str] = ()) -> LoadedHistory:
    """Order sessions by time and set those without turns apart."""
    parts = list(assembled)
    full = [part.session for part in parts if part.session.turns]
    return LoadedHistory(
        name=name,
        sessions=tuple(in_time_order(full)),
        empty=tuple(part.session.session_id for part in parts if not part.session.turns),
        warnings=(*(line for part in parts for line in part.warnings), *_undated(full), *warnings),
    )


def _turn(session_id: str, index: int, said: Said, time: datetime | None) -> Turn:
    return Turn(
        session_id=session_id,
        index=index,
        speaker=said.speaker,
        role=said.role,
        text=said.text,
        time=time,
        images=said.images,
        source_id=said.source_id,
    )


def _unread(when: object) -> bool:
    return when is not None and str(when).strip() != "" and parse_date(when) is None


def _date_warning(where: str, when: object) -> str:
    return f"{where}: the date {when!r} cannot be read for certain and is kept as text; write it like 2024-05-31T18:30"


def _undated(sessions: Iterable[Session]) -> list[str]:
    ids = [repr(session.session_id) for session in sessions if session.time is None and session.time_text is None]
    return [f"no date: session {listed(ids)}; relative dates said there cannot be resolved"] if ids else []
