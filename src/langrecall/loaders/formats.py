"""Every file format that can be loaded, in the order in which it is tried: a new one is a module and a line here."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from langrecall.loaders import locomo, longmemeval, messages, sessions, zipped
from langrecall.loaders.exports import chatgpt, claude, meta, telegram, whatsapp
from langrecall.loaders.faults import KNOWN, Location, shape
from langrecall.loaders.files import as_records, decode, is_lines, parse_json, read_bytes
from langrecall.loaders.loaded import Kind, LoadedFile, LoadedHistory
from langrecall.loaders.named import refuse_only


class _Format(Protocol):
    def matches(self, records: Sequence[object]) -> bool: ...

    def histories(
        self, records: Sequence[object], location: Location, *, only: str | None = None
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
    location, data = Location(str(path)), read_bytes(path)
    if zipped.is_zip(data):
        refuse_only(only, location)
        return LoadedFile("messages", zipped.histories(data, location, day_first=day_first))
    text = decode(data, location)
    if whatsapp.matches(text):
        refuse_only(only, location)
        return LoadedFile("messages", whatsapp.histories(text, location, day_first=day_first))
    records = as_records(parse_json(text, location, lines=is_lines(path.name)))
    if not records:
        raise location.fault("an empty list", "give a file that holds a history")
    for kind, form in _FORMATS:
        if form.matches(records):
            return LoadedFile(kind, form.histories(records, location, only=only))
    raise location.fault(f"JSON of an unknown shape ({_described(records)})", KNOWN)


def _described(records: Sequence[object]) -> str:
    first = shape(records[0])
    return first if len(records) == 1 else f"a list of {len(records)} records, the first {first}"
