"""Commit: store a wave of sessions with their entries, and report."""

from collections.abc import Sequence
from typing import Any

from langrecall.effects import call
from langrecall.engine.run import IngestRun
from langrecall.ingest_state import (
    Described,
    Failure,
    IngestEvent,
    IngestReport,
    IngestState,
    SessionCounts,
    no_entries,
)
from langrecall.records import Episode, Session
from langrecall.state import Usage
from langrecall.stores.base import PutReport


async def commit(state: IngestState, run: IngestRun) -> dict[str, Any]:
    """Put the described sessions of the wave; failed ones are left for a later run."""
    wave = [entry["id"] for entry in state["described"]]
    entries = {entry["id"]: entry["episode"] for entry in state["described"] if entry["episode"] is not None}
    sessions = await call(run.history.staged, list(entries))
    episodes = {name: Episode.model_validate(episode) for name, episode in entries.items()}
    put = await call(run.history.put, sessions, episodes, describer=run.policy.name, form=run.settings.form)
    await call(run.history.unstage, wave)
    run.emit(IngestEvent(node="commit", session_ids=wave, total=state["total"]))
    return {
        "queue": [name for name in state["queue"] if name not in wave],
        "described": no_entries(),
        "report": added(state["report"], put, sessions, state["described"]),
    }


def added(report: IngestReport, put: PutReport, sessions: Sequence[Session], wave: Sequence[Described]) -> IngestReport:
    """The report with a committed wave counted in."""
    failures = [Failure(session_id=entry["id"], error=entry["error"]) for entry in wave if entry["episode"] is None]
    counts = report["sessions"]
    usage = report["usage"]
    return IngestReport(
        sessions=SessionCounts(
            created=counts["created"] + len(put.created),
            updated=counts["updated"] + len(put.updated),
            skipped=counts["skipped"] + len(put.skipped),
            failed=counts["failed"] + len(failures),
            empty=counts["empty"],
        ),
        turns=report["turns"] + sum(len(session.turns) for session in sessions),
        episodes=report["episodes"] + len(sessions),
        failures=[*report["failures"], *failures],
        usage=Usage(
            calls=usage["calls"] + sum(entry["calls"] for entry in wave),
            prompt_tokens=usage["prompt_tokens"] + sum(entry["prompt_tokens"] for entry in wave),
            completion_tokens=usage["completion_tokens"] + sum(entry["completion_tokens"] for entry in wave),
            seconds=usage["seconds"],
        ),
    )
