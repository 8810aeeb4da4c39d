"""A record as text, and back or in one line why not."""

import json
from pathlib import Path

from pydantic import ValidationError

from langrecall.errors import InputError
from langrecall.loaders.faults import first_fault
from langrecall.runs.saved import FORMAT, VERSION, SavedRun

MEND = "make one with langrecall ask ... --save FILE"


def dump_run(run: SavedRun) -> str:
    """The record as JSON text."""
    return json.dumps(run.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"


def load_run(path: Path) -> SavedRun:
    """Read a record; raises `InputError` for what is none, or is one of another version, and `OSError` for an unreadable file."""
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise InputError(f"{path} is no saved run: it is not JSON; {MEND}") from None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(f"{path} is no saved run: {MEND}")
    if value.get("version") != VERSION:
        raise InputError(
            f"{path} is a saved run of version {value.get('version')!r}, and this is version {VERSION}: save it anew"
        )
    try:
        return SavedRun.model_validate(value)
    except ValidationError as error:
        where, problem = first_fault(error)
        raise InputError(f"{path} is a damaged saved run: {where!r}: {problem}") from None
