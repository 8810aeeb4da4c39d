"""A whole namespace as JSON lines: everything a history keeps, so that it comes back as it was (docs/formats.md)."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from langrecall.loaders.faults import Location, first_fault
from langrecall.loaders.files import read_records
from langrecall.records import Kept

FORMAT = "langrecall history"
VERSION = 1
MEND = "make one with langrecall export FILE"


def dump_archive(kept: Iterable[Kept]) -> Iterator[str]:
    """The lines of an archive: a header, then one session each."""
    yield _line({"format": FORMAT, "version": VERSION})
    for each in kept:
        yield _line(each.model_dump(mode="json", exclude_defaults=True))


def load_archive(path: Path) -> list[Kept]:
    """Read an archive whole before anything is done with it; raises `InputError` with the place of the first fault."""
    location = Location(str(path))
    header, *lines = read_records(path) or [None]
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise location.fault("no exported history", f"{MEND}; other files are for langrecall ingest")
    if header.get("version") != VERSION:
        raise location.fault(
            f"an exported history of version {header.get('version')!r}, and this is version {VERSION}", "export it anew"
        )
    kept = [_read(value, location.at(f"session {number}")) for number, value in enumerate(lines, 1)]
    _insist_unique(kept, location)
    return kept


def _read(value: object, location: Location) -> Kept:
    try:
        return Kept.model_validate(value)
    except ValidationError as error:
        raise location.fault(": ".join(filter(None, first_fault(error))), "export it anew") from None


def _insist_unique(kept: Sequence[Kept], location: Location) -> None:
    twice = [name for name, count in Counter(each.session.session_id for each in kept).items() if count > 1]
    if twice:
        raise location.fault(f"session {twice[0]!r} comes twice", "export it anew")


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
