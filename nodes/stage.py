"""Stage: check the sessions, tell what is new, and keep those aside in the store."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from langrecall.effects import call
from langrecall.engine.run import IngestRun
from langrecall.errors import InputError, UnknownIdError
from langrecall.ingest_state import IngestEvent, IngestState, first_report, no_entries
from langrecall.loaders.faults import first_fault, shape
from langrecall.records import Session, in_time_order


async def stage(state: IngestState, run: IngestRun) -> dict[str, Any]:
    """Stage what is created or updated; unchanged and empty sessions are only counted."""
    given = read_sessions(state["sessions"])
    sessions = await _with_pictures([session for session in given if session.turns], run)
    changes = await call(run.history.changes, sessions, describer=run.policy.name, form=run.settings.form)
    wanted = {*changes.created, *changes.updated}
    queue = [session for session in in_time_order(sessions) if session.session_id in wanted]
    await call(run.history.stage, queue)
    run.emit(IngestEvent(node="stage", session_ids=[], total=len(queue)))
    return {
        "sessions": [],
        "queue": [session.session_id for session in queue],
        "total": len(queue),
        "described": no_entries(),
        "report": first_report(skipped=len(changes.unchanged), empty=len(given) - len(sessions)),
    }


async def _with_pictures(sessions: list[Session], run: IngestRun) -> list[Session]:
    """The sessions with the text of their pictures; what was read at an earlier ingest is not read again."""
    read: list[Session] = []
    for session in sessions:
        if any(turn.images for turn in session.turns):
            before = await _held(session.session_id, run)
            read.append(await call(run.reader.with_ocr, session, before))
        else:
            read.append(session)
    return read


async def _held(session_id: str, run: IngestRun) -> Session | None:
    try:
        return await call(run.history.session, session_id)
    except UnknownIdError:
        return None


def read_sessions(given: Iterable[Mapping[str, Any] | Session]) -> list[Session]:
    """The sessions as records; raises `InputError` naming the first that is malformed or comes twice.

    A turn may leave out what its session tells: the session's id, its place, the time; and its role, if a named person speaks.
    """
    sessions: list[Session] = []
    for place, item in enumerate(given):
        if not isinstance(item, Mapping | Session):
            msg = f"session {place} of the input is {shape(item)}: make it an object with a session_id and turns"
            raise InputError(msg)
        try:
            sessions.append(Session.model_validate(_filled(item)))
        except ValidationError as error:
            where, problem = first_fault(error)
            msg = f"session {place} of the input, field {where!r}: {problem}"
            raise InputError(msg) from None
    twice = [name for name, count in Counter(session.session_id for session in sessions).items() if count > 1]
    if twice:
        msg = f"session id {twice[0]!r} comes twice in the input: give each session an id of its own"
        raise InputError(msg)
    return sessions


def _filled(item: Mapping[str, Any] | Session) -> Mapping[str, Any] | Session:
    if isinstance(item, Session) or not isinstance(item.get("turns"), list):
        return item
    told = {"session_id": item.get("session_id"), "time": item.get("time"), "role": "speaker"}
    turns = [
        {**told, "index": index, **turn} if isinstance(turn, Mapping) else turn
        for index, turn in enumerate(item["turns"])
    ]
    return {**item, "turns": turns}
