"""Readers of the file formats histories come in."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from langrecall.loaders import chatgpt, claude, locomo, longmemeval, messages, sessions, zipped
from langrecall.loaders.exports import meta, telegram, whatsapp
from langrecall.loaders.files import as_records, decode, is_lines, parse_json, read_bytes
from langrecall.loaders.loaded import Kind, LoadedFile, LoadedHistory
from langrecall.loaders.messages import from_messages
from langrecall.loaders.named import refuse_only
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
    ("messages", claude),
    ("messages", telegram),
    ("messages", meta),
    ("sessions", sessions),
    ("messages", messages),
)


def load(path: Path, *, only: str | None = None, day_first: bool | None = None) -> LoadedFile:
    """Read a file of any known shape, told by its content; `only` picks one history of a benchmark file by name.

    `day_first` says what `05/08/2023` means in a chat's text whose dates leave it open. Raises `InputError` with one line that
    names the file, the record, the fault and the mend.
    """
    place, data = Place(str(path)), read_bytes(path)
    if zipped.is_zip(data):
        refuse_only(only, place)
        return LoadedFile("messages", zipped.histories(data, place, day_first=day_first))
    text = decode(data, place)
    if whatsapp.matches(text):
        refuse_only(only, place)
        return LoadedFile("messages", whatsapp.histories(text, place, day_first=day_first))
    records = as_records(parse_json(text, place, lines=is_lines(path.name)))
    if not records:
        raise place.fault("an empty list", "give a file that holds a history")
    for kind, form in _FORMATS:
        if form.matches(records):
            return LoadedFile(kind, form.histories(records, place, only=only))
    raise place.fault(f"JSON of an unknown shape ({_described(records)})", KNOWN)


def _described(records: Sequence[object]) -> str:
    first = shape(records[0])
    return first if len(records) == 1 else f"a list of {len(records)} records, the first {first}"
