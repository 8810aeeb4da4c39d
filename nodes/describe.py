"""Describe: one call extracts the metadata entry of one session (T2Mem Eq. 3)."""

from typing import Any

from typing_extensions import TypedDict

from langrecall.effects import Effects, attempt, call
from langrecall.engine.run import IngestRun
from langrecall.errors import ModelError
from langrecall.ingest_state import Described, IngestEvent


class DescribeTask(TypedDict):
    """What a parallel branch is sent: ids only, for payloads land in checkpoints."""

    session_id: str
    total: int


def describe(state: DescribeTask, run: IngestRun) -> Effects[dict[str, Any]]:
    """Describe a staged session; a failure is recorded and costs the other sessions nothing."""
    name = state["session_id"]
    (session,) = yield from call(run.history.staged, [name])
    reply = yield from attempt((ModelError,), run.policy.describe, session, run.settings.form)
    run.emit(IngestEvent(node="describe", session_ids=[name], total=state["total"]))
    if isinstance(reply, ModelError):
        failed = Described(id=name, episode=None, error=str(reply), calls=0, prompt_tokens=0, completion_tokens=0)
        return {"described": [failed]}
    done = Described(
        id=name,
        episode=reply.value.model_dump(mode="json"),
        error="",
        calls=reply.spent.calls,
        prompt_tokens=reply.spent.prompt_tokens,
        completion_tokens=reply.spent.completion_tokens,
    )
    return {"described": [done]}
