"""Write a record in one go, and read it back or say in one line why not."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from langrecall.errors import InputError
from langrecall.runs.saved import FORMAT, VERSION, SavedRun

MEND = "make one with langrecall ask ... --save FILE"


@contextmanager
def writing(path: Path) -> Iterator[Callable[[str], None]]:
    """Open a place for text before the work that makes it; the file changes whole or not at all.

    Raises `InputError` on entry where nothing can be written.
    """
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; name a file in it")
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        file = draft.open("x", encoding="utf-8", errors="xmlcharrefreplace", newline="\n")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    try:
        with file:
            yield lambda text: _put(file.write, text, path)
        if draft.stat().st_size:
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


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
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise InputError(f"{path} is a damaged saved run: {where!r}: {fault['msg'].lower()}") from None


def _put(write: Callable[[str], int], text: str, path: Path) -> None:
    try:
        write(text)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
