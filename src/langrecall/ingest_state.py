"""The settings and the state of one ingest: ids and entries only; raw sessions are staged in the store."""

from typing import Annotated, Any, Literal

from langgraph.types import Overwrite
from pydantic import Field
from typing_extensions import TypedDict

from langrecall.choices import Choices
from langrecall.settings import MetadataForm
from langrecall.state import Usage, union_by_id


class IngestSettings(Choices, title="langrecall ingest settings"):
    """How a history is ingested."""

    namespace: str | None = Field(
        default=None, title="Namespace", description="Whose history it is; required unless the graph is bound to one."
    )
    model: str | None = Field(
        default=None, title="Model", description='"extractive" or "provider:model"; unset: the graph\'s own model.'
    )
    form: MetadataForm = Field(
        default="wiki", title="Metadata form", description="What a metadata entry holds (T2Mem: wiki)."
    )
    wave: int = Field(
        default=32,
        ge=1,
        le=1000,
        title="Wave",
        description="Sessions that are described side by side and stored together.",
    )


class Described(TypedDict):
    """What became of one session's describe call; `episode` is None where it failed."""

    id: str
    episode: dict[str, Any] | None
    error: str
    calls: int
    prompt_tokens: int
    completion_tokens: int


class IngestEvent(TypedDict):
    """Progress: a session described, or a wave committed, of `total` sessions to do."""

    node: Literal["stage", "describe", "commit"]
    session_ids: list[str]
    total: int


class Failure(TypedDict):
    """A session that was not stored, and why."""

    session_id: str
    error: str


class SessionCounts(TypedDict):
    """Sessions by what became of them."""

    created: int
    updated: int
    skipped: int
    failed: int
    empty: int


class IngestReport(TypedDict):
    """What an ingest did; `turns` and `episodes` count what was written."""

    sessions: SessionCounts
    turns: int
    episodes: int
    failures: list[Failure]
    usage: Usage


class IngestInput(TypedDict):
    """Sessions as plain JSON, in the shape of `records.Session`."""

    sessions: list[dict[str, Any]]


class IngestOutput(TypedDict):
    """What a caller gets."""

    report: IngestReport


class IngestState(TypedDict):
    """Everything the ingest graph knows."""

    sessions: list[dict[str, Any]]
    """The input; emptied once staged."""
    queue: list[str]
    """Session ids still to be described and committed, in time order. Written by stage and commit."""
    total: int
    """How many there were. Written by stage, read for progress."""
    described: Annotated[list[Described], union_by_id]
    """This wave's entries. Written by describe, emptied by commit."""
    report: IngestReport
    """Written by stage and commit."""


def first_report(*, skipped: int, empty: int) -> IngestReport:
    """The report before anything is written."""
    return IngestReport(
        sessions=SessionCounts(created=0, updated=0, skipped=skipped, failed=0, empty=empty),
        turns=0,
        episodes=0,
        failures=[],
        usage=Usage(calls=0, prompt_tokens=0, completion_tokens=0, seconds=0.0),
    )


def no_entries() -> Any:  # noqa: ANN401 - LangGraph's own marker
    """The update that empties `described`."""
    return Overwrite([])
