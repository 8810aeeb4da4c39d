"""Where a history lives: in memory, in a folder that one process writes at a time, or on a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
from filelock import FileLock, Timeout

from langrecall.errors import InputError, StoreError, StoreUnavailableError

DATABASE = "chroma.sqlite3"
_LOCK = "langrecall.lock"
_MARK = "langrecall.generation"
_OPEN = "writing "
_PATIENCE = 60.0  # seconds a writer waits for another
_HEARTBEAT = 10.0  # seconds a server may take to say that it lives


@dataclass(frozen=True)
class Place:
    """One of a folder and an address, or neither: in memory."""

    folder: Path | None = None
    url: str | None = None

    @classmethod
    def parse(cls, place: str | Path | None) -> Self:
        """Read what `open` was given; raises `InputError` for what is neither a folder nor an address."""
        if place is None:
            return cls()
        if isinstance(place, str) and "://" in place:
            return cls(url=_address(place))
        if not str(place).strip():
            msg = "no place for the history: give a folder, 'http://host:port', or None for memory"
            raise InputError(msg)
        folder = Path(place).expanduser()
        if folder.exists() and not folder.is_dir():
            msg = f"{folder} is a file: a history is kept in a folder"
            raise InputError(msg)
        return cls(folder=folder)

    @property
    def exists(self) -> bool:
        """Whether there can be anything to read."""
        return self.folder is None or (self.folder / DATABASE).exists()

    def __str__(self) -> str:
        if self.url:
            # A password in the address is nobody's to read.
            address = urlsplit(self.url)
            return address._replace(netloc=address.netloc.rpartition("@")[2]).geturl()
        return str(self.folder) if self.folder else "the in-memory history"


class FolderMark:
    """Who wrote a folder last: a mark that changes with the start and the end of every write.

    Chroma answers from what it has cached of a folder, so a client that meets a mark it does not know is closed and opened anew.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self) -> str:
        """The mark now; empty in a folder that was never written."""
        try:
            return (self._folder / _MARK).read_text(encoding="utf-8", errors="replace")  # damaged: a mark nobody knows
        except (FileNotFoundError, NotADirectoryError):
            return ""

    @property
    def is_open(self) -> bool:
        """Whether the last write began and did not end: it is under way, or was killed."""
        return self.read().startswith(_OPEN)

    @property
    def settled(self) -> str | None:
        """The mark that the last write ended with; None where none has ended since the last began."""
        mark = self.read()
        return None if mark.startswith(_OPEN) or not mark else mark

    def begin(self) -> str:
        """Mark the start of a write; one that was killed leaves this mark behind."""
        return self._set(f"{_OPEN}{uuid4().hex}")

    def end(self) -> str:
        """Mark the end of a write."""
        return self._set(uuid4().hex)

    def _set(self, mark: str) -> str:
        with _writable(self._folder):
            (self._folder / _MARK).write_text(mark)
        return mark


@contextmanager
def locked(folder: Path) -> Iterator[FolderMark]:
    """Hold a folder for one writer among all processes and threads, making it where it is missing."""
    lock = FileLock(folder / _LOCK, timeout=_PATIENCE)
    try:
        with _writable(folder):
            folder.mkdir(parents=True, exist_ok=True)
            lock.acquire()
    except Timeout:
        msg = f"{folder} has been written by another process for more than {_PATIENCE:.0f} seconds: try again later"
        raise StoreUnavailableError(msg) from None
    try:
        yield FolderMark(folder)
    finally:
        lock.release()


@contextmanager
def _writable(folder: Path) -> Iterator[None]:
    try:
        yield
    except Timeout:  # an OSError too
        raise
    except OSError as error:
        msg = f"{folder} cannot be written: {error.strerror or error}"
        raise StoreError(msg) from None


def check_server(place: Place) -> None:
    """Raise `StoreUnavailableError` where no Chroma server answers, or something else does."""
    try:
        reply = httpx.get(f"{place.url}/api/v2/heartbeat", timeout=_HEARTBEAT)
    except httpx.HTTPError as error:
        msg = f"no Chroma server answers at {place}: {error}"
        raise StoreUnavailableError(msg) from None
    if not reply.is_success or "heartbeat" not in reply.text:
        msg = f"what answers at {place} is no Chroma server: HTTP {reply.status_code}"
        raise StoreUnavailableError(msg)


def _address(text: str) -> str:
    address = urlsplit(text)
    if address.scheme not in ("http", "https") or not address.hostname:
        msg = f"{text!r} is no Chroma server: give 'http://host:port', a folder, or None for memory"
        raise InputError(msg)
    return text.rstrip("/")
