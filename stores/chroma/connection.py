"""A process's connection to a place: one caller at a time, opened anew after a fork and after another process's write."""

import ctypes
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import RLock
from typing import Any, ClassVar, Protocol, TypeVar

from langrecall.errors import StoreError
from langrecall.stores.chroma.erasing import erase_removed
from langrecall.stores.chroma.places import DATABASE, FolderMark, Place, locked

T = TypeVar("T")


class Collection(Protocol):
    """A collection as Chroma has it."""

    @property
    def metadata(self) -> Any: ...  # noqa: ANN401, D102 - Chroma's own types, here and below
    def get(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401, D102
    def upsert(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401, D102
    def delete(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401, D102
    def modify(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401, D102


class Client(Protocol):
    """An open client of a vector database, whose collections measure cosine distance."""

    def collection(self, name: str) -> Collection | None:
        """The collection, if there is one."""
        ...

    def collections(self) -> list[Mapping[str, Any]]:
        """The metadata of all collections."""
        ...

    def create(self, name: str, metadata: Mapping[str, str | int]) -> None:
        """Make a collection, unless there is one."""
        ...

    def drop(self, name: str) -> None:
        """Remove a collection, if there is one."""
        ...

    def batch_size(self) -> int:
        """Rows that one call may write."""
        ...

    def is_full(self) -> bool:
        """Whether it holds as much open as it may."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


class Connection(ABC):
    """Opens a client when it is first used; a server's client is shared by threads, a local one takes them in turn."""

    _home: ClassVar[int | None] = None
    """The process that first used a local client."""
    _client: Client | None

    def __init__(self, place: Place) -> None:
        self.place = place
        self._begin_process()

    @abstractmethod
    def connect(self) -> Client:
        """Open a client."""

    @property
    @abstractmethod
    def lagging(self) -> tuple[type[Exception], ...]:
        """Errors of a client that has cached what another process has changed since."""

    @abstractmethod
    def translated(self) -> AbstractContextManager[None]:
        """Turn the client's errors into `StoreError`s."""

    def call(self, ask: Callable[[Client], T]) -> T:
        """Let `ask` use the client, a second time where the client lagged behind."""
        self._leave_parent()
        with self.translated(), nullcontext() if self.place.url else self._gate:
            try:
                return ask(self._current())
            except self.lagging:
                if self.place.folder:
                    self.close()
                return ask(self._current())

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the place for one writer; on a server many write, each batch by itself."""
        self._leave_parent()
        if self.place.folder is None:
            with nullcontext() if self.place.url else self._writers:
                yield
            return
        with locked(self.place.folder) as mark:
            self._begin(mark)
            try:
                yield
            finally:
                with self._gate:
                    self._mark = mark.end()

    def settled(self) -> str | None:
        """A mark that stays as it is until somebody writes; None while somebody does, and where no such mark is kept."""
        if self.place.folder is None or self._pid != os.getpid():
            return None
        return FolderMark(self.place.folder).settled

    def close(self) -> None:
        """Let go of the place until it is used again."""
        with self._gate:
            if self._client is not None:
                self._client.close()
            self._client = None

    def erase_removed(self) -> None:
        """Take what removed rows and dropped collections leave in a folder off the disk; for a writer."""
        if self.place.folder is not None:
            with self._gate:
                self.close()
                erase_removed(self.place.folder / DATABASE)

    def _begin(self, mark: FolderMark) -> None:
        with self._gate:
            if mark.read() != self._mark or mark.is_open:
                self.close()
            self._mark = mark.begin()

    def _current(self) -> Client:
        with self._gate:
            mark = FolderMark(self.place.folder).read() if self.place.folder else ""
            if self._client is not None and self.place.folder and (mark != self._mark or self._client.is_full()):
                self.close()
            if self._client is None:
                self._client = self._opened()
                self._mark = mark
            return self._client

    def _opened(self) -> Client:
        if self.place.url is None:
            self._stay_home()
        return self.connect()

    def _leave_parent(self) -> None:
        if self._pid == os.getpid():
            return
        if self._client is not None:
            # Its threads stayed in the parent: to drop it, even at exit, would be to wait for them for ever.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._client))
        self._begin_process()

    def _stay_home(self) -> None:
        """Raise rather than hang: a local client that has been used leaves a pool whose threads no forked child has."""
        if Connection._home not in (None, os.getpid()):
            msg = (
                f"{self.place} cannot be used in a forked process whose parent used a history before: fork before the first use, "
                "start processes by 'spawn' or 'forkserver', or use a Chroma server"
            )
            raise StoreError(msg)
        Connection._home = os.getpid()

    def _begin_process(self) -> None:
        self._pid = os.getpid()
        self._gate = RLock()
        self._writers = RLock()
        self._client = None
        self._mark = ""
