"""Readers of the file formats histories come in."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from langrecall.loaders import chatgpt, locomo, longmemeval, messages, sessions
from langrecall.loaders.files import read_records
from langrecall.loaders.loaded import Kind, LoadedFile, LoadedHistory
from langrecall.loaders.messages import from_messages
from langrecall.loaders.places import KNOWN, Place, shape
from langrecall.loaders.sessions import dump

__all__ = ["Kind", "LoadedFile", "LoadedHistory", "dump", "from_messages", "load"]


class _Format(Protocol):
    def matches(self, records: Sequence[object]) -> bool: ...

    def histories(
        self, records: Sequence[object], place: Place, *, only: str | None = None
    ) -> tuple[LoadedHistory, ...]: ...


_FORMATS: tuple[tuple[Kind, _Format], ...] = (
    ("locomo", locomo),
    ("longmemeval", longmemeval),
    ("messages", chatgpt),
    ("sessions", sessions),
    ("messages", messages),
)


def load(path: Path, *, only: str | None = None) -> LoadedFile:
    """Read a file of any known shape, told by its content; `only` picks one history of a benchmark file by name.

    Raises `InputError` with one line that names the file, the record, the fault and the mend.
    """
    place, records = Place(str(path)), read_records(path)
    if not records:
        raise place.fault("an empty list", "give a file that holds a history")
    for kind, form in _FORMATS:
        if form.matches(records):
            return LoadedFile(kind, form.histories(records, place, only=only))
    raise place.fault(f"JSON of an unknown shape ({_described(records)})", KNOWN)


def _described(records: Sequence[object]) -> str:
    first = shape(records[0])
    return first if len(records) == 1 else f"a list of {len(records)} records, the first {first}"
