"""Files that commands write: the place is tried before the work begins, and the file changes whole or not at all."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from langrecall.errors import InputError

Write = Callable[[str], None]


@contextmanager
def writing(path: Path) -> Iterator[Write]:
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


def writing_if_asked(path: Path | None) -> "AbstractContextManager[Write | None]":
    """As `writing`; without a place there is nothing to write with."""
    return writing(path) if path else nullcontext()


def _put(write: Callable[[str], int], text: str, path: Path) -> None:
    try:
        write(text)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
