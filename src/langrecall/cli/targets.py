"""Which loaded history goes to which namespace."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from langrecall.errors import InputError
from langrecall.loaders import load
from langrecall.loaders.loaded import LoadedFile, LoadedHistory
from langrecall.records import Session


@dataclass(frozen=True)
class Target:
    """A namespace and what is to be stored in it."""

    namespace: str
    sessions: tuple[Session, ...]
    empty: int = 0
    warnings: tuple[str, ...] = ()


def plan(paths: Iterable[Path], namespace: str, only: str | None, *, day_first: bool | None = None) -> list[Target]:
    """Load every file before anything is written, and give each history its namespace.

    A single conversation takes `namespace` itself, as does one picked with `only`; several go to `namespace/<name>` each, and
    LongMemEval's always do. Raises `InputError` when two sessions would overwrite each other.
    """
    files = [load(path, only=only, day_first=day_first) for path in paths]
    nested = only is None and (_count(files) > 1 or any(file.kind == "longmemeval" for file in files))
    targets: dict[str, Target] = {}
    for history in (history for file in files for history in file.histories):
        name = f"{namespace}/{history.name}" if nested and history.name else namespace
        targets[name] = _joined(targets.get(name, Target(name, ())), history)
    return list(targets.values())


def _count(files: Sequence[LoadedFile]) -> int:
    return sum(len(file.histories) for file in files)


def _joined(target: Target, history: LoadedHistory) -> Target:
    known = {session.session_id for session in target.sessions}
    twice = next((session for session in history.sessions if session.session_id in known), None)
    if twice:
        msg = (
            f"session {twice.session_id!r} comes from two of the files for namespace {target.namespace!r}: "
            "ingest them into namespaces of their own"
        )
        raise InputError(msg)
    return Target(
        target.namespace,
        target.sessions + history.sessions,
        target.empty + len(history.empty),
        target.warnings + history.warnings,
    )
