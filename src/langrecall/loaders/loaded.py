"""What loading a file gives: one or more histories of sessions, with what was empty or doubtful in them."""

from dataclasses import dataclass
from typing import Literal

from langrecall.records import Session

Kind = Literal["locomo", "longmemeval", "sessions", "messages"]


@dataclass(frozen=True, slots=True)
class LoadedHistory:
    """The sessions of one history in time order.

    `name` is LoCoMo's sample_id or LongMemEval's question_id, None where a file is one history; `empty` are ids of sessions without
    turns, which are not among `sessions`; `warnings` are lines for a person, each naming its session.
    """

    name: str | None
    sessions: tuple[Session, ...]
    empty: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """A file's histories, and which of the known shapes it has."""

    kind: Kind
    histories: tuple[LoadedHistory, ...]
