"""Files that commands write: the place is tried before the work begins, and the file changes whole or not at all."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from shutil import copymode
from stat import S_ISDIR, S_ISREG
from typing import Literal, TextIO

from langrecall.errors import InputError

Write = Callable[[str], None]


@contextmanager
def writing(path: Path) -> Iterator[Write]:
    """Open a place for text before the work that makes it; the file that it names or links to changes whole or not at all.

    A pipe or a device is written as it is. Raises `InputError` on entry where nothing can be written.
    """
    with _telling(path):
        target, draft = _places(path)
        file = _opened(draft, target)
    texts: list[str] = []
    try:
        yield texts.append
        with _telling(path):
            with file:
                file.writelines(texts)
            if texts and draft != target:
                draft.replace(target)
    finally:
        file.close()
        if draft != target:
            draft.unlink(missing_ok=True)


def writing_if_asked(path: Path | None) -> "AbstractContextManager[Write | None]":
    """As `writing`; without a place there is nothing to write with."""
    return writing(path) if path else nullcontext()


def _places(path: Path) -> tuple[Path, Path]:
    """The file that is meant, and the draft beside it that is to take its place; twice `path` where no file can take its place."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        pass  # a new file, or the one that a link names
    else:
        if S_ISDIR(mode):
            raise InputError(f"cannot write {path}: it is a folder; name a file in it")
        if not S_ISREG(mode):
            return path, path
    target = Path(os.path.realpath(path))
    return target, target.with_name(f".{target.name}.{os.getpid()}")


def _opened(draft: Path, target: Path) -> TextIO:
    """Open the draft, which others may read as far as they may read what it is to replace."""
    mode: Literal["w", "x"] = "w" if draft == target else "x"
    file = draft.open(mode, encoding="utf-8", errors="xmlcharrefreplace", newline="\n")
    with suppress(FileNotFoundError, PermissionError):  # it is new, or its file system knows no such rights
        copymode(target, draft)
    return file


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
