"""Describe: one call extracts the metadata entry of one session (T2Mem Eq. 3)."""

from typing import Any

from typing_extensions import TypedDict

from langrecall.effects import call
from langrecall.engine.run import IngestRun
from langrecall.errors import ModelError
from langrecall.ingest_state import Described, IngestEvent


class DescribeTask(TypedDict):
    """What a parallel branch is sent: ids only, for payloads land in checkpoints."""

    session_id: str
    total: int


async def describe(state: DescribeTask, run: IngestRun) -> dict[str, Any]:
    """Describe a staged session; a failure is recorded and costs the other sessions nothing."""
    name = state["session_id"]
    (session,) = await call(run.history.staged, [name])
    try:
        reply = await call(run.policy.describe, session, run.settings.form)
    except ModelError as error:
        made = Described(id=name, episode=None, error=str(error), calls=0, prompt_tokens=0, completion_tokens=0)
    else:
        made = Described(
            id=name,
            episode=reply.value.model_dump(mode="json"),
            error="",
            calls=reply.spent.calls,
            prompt_tokens=reply.spent.prompt_tokens,
            completion_tokens=reply.spent.completion_tokens,
        )
    run.emit(IngestEvent(node="describe", session_ids=[name], total=state["total"]))
    return {"described": [made]}
