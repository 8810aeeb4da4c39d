"""A finished run as one self-contained record: what was asked, seen, said by the model, remembered and answered."""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, Literal, Self

from pydantic import field_validator

from langrecall.loaders.text import clean
from langrecall.records import Record, Turn
from langrecall.settings import PRESETS, Settings, resolve
from langrecall.state import MemoryLine, Observation, Query, RecallOutput, TrajectoryStep
from langrecall.stores.base import SessionInfo

FORMAT: Final = "langrecall run"
VERSION: Final = 1
"""Of the record's shape."""

_PERSONAL = ("namespace", "model")
"""Settings that a record keeps elsewhere: whose history it was, and which model each leg had."""

FaultKind = Literal["overflow", "option", "invalid", "malformed", "failed"]
"""Why a call gave no reply, as far as it matters for what is tried next."""


class ModelReply(Record):
    """What a model said, as it came: text or content blocks, and tool calls whether usable or not."""

    content: Any
    tool_calls: tuple[dict[str, Any], ...] = ()
    invalid_tool_calls: tuple[dict[str, Any], ...] = ()
    usage: dict[str, int] | None = None
    finish_reason: str | None = None


class ModelFault(Record):
    """Why there was no reply; `message` is the provider's own, with keys masked."""

    kind: FaultKind
    message: str


class ModelCall(Record):
    """One request to a model, by the node that made it and the digest of its messages, and its outcome."""

    node: str
    digest: str
    outcome: ModelReply | ModelFault


class Leg(Record):
    """What holds from reason step `from_step` on: the model and every setting; `chosen` names those set by hand."""

    from_step: int
    model: str
    settings: dict[str, Any]
    chosen: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: Settings, model: str, *, from_step: int = 0) -> Self:
        """The leg of a graph that is built with these settings."""
        resolved = resolve(settings).model_dump(mode="json", exclude=set(_PERSONAL))
        chosen = sorted(set(settings.chosen()) - {*_PERSONAL, "preset"})
        return cls(from_step=from_step, model=settings.model or model, settings=resolved, chosen=tuple(chosen))

    def changed(self, changes: dict[str, Any], model: str | None, *, from_step: int) -> Self:
        """The leg that follows this one where a run is forked; a new preset leaves only what was set by hand."""
        kept = {name: self.settings[name] for name in self.chosen} if "preset" in changes else self.settings
        settings = Settings.of(kept | changes)
        resolved = Settings.of(PRESETS[settings.preset] | settings.chosen())
        by_hand = {*self.chosen, *changes} - {*_PERSONAL, "preset"}
        made = self.of(resolved, model or self.model, from_step=from_step)
        return made.model_copy(update={"chosen": tuple(sorted(by_hand))})


class HistoryMark(Record):
    """What the history was, so that a replay over another is refused."""

    sessions: int
    digest: str

    @classmethod
    def of(cls, sessions: Sequence[SessionInfo]) -> Self:
        """The mark of a history that holds these sessions."""
        rows = [[known.session_id, known.title, _iso(known.time), known.turns] for known in sessions]
        return cls(sessions=len(sessions), digest=digest(rows))


class SessionLine(Record):
    """A session that was seen: what its metadata entry is called."""

    session_id: str
    title: str
    time: datetime | None
    turns: int


class SavedStep(Record):
    """One node's doing as it was streamed, and the memory after it."""

    event: TrajectoryStep
    memory: list[MemoryLine]


class SavedRun(Record):
    """Everything a run was: `calls` are what its model said, `turns` the raw text of every turn that was shown, quoted or cited."""

    format: Literal["langrecall run"] = FORMAT
    version: Literal[1] = VERSION
    langrecall: str
    saved: datetime
    question: str
    query_time: str | None
    namespace: str
    history: HistoryMark
    legs: tuple[Leg, ...]
    calls: tuple[ModelCall, ...]
    steps: tuple[SavedStep, ...]
    observations: tuple[Observation, ...]
    queries: tuple[Query, ...]
    seen: tuple[str, ...]
    read: tuple[str, ...]
    sessions: tuple[SessionLine, ...]
    turns: tuple[Turn, ...]
    output: RecallOutput

    @field_validator("output", mode="before")
    @classmethod
    def _of_old(cls, output: Any) -> Any:  # noqa: ANN401 - anything may stand in a file
        """A run that was saved before sentences were checked says of none that it is supported."""
        return {"answer_support": [], "supported": False} | output if isinstance(output, dict) else output

    @property
    def last_step(self) -> int:
        """How many reason calls were made."""
        return max((step.event["step"] for step in self.steps), default=0)


def digest(value: object) -> str:
    """SHA-256 of plain JSON; half a surrogate pair counts as the U+FFFD it is saved as."""
    return hashlib.sha256(clean(json.dumps(value, ensure_ascii=False)).encode()).hexdigest()


def _iso(time: datetime | None) -> str | None:
    return time.isoformat() if time else None
