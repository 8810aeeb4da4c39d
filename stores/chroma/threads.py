"""The async forms of a store that blocks: each call runs in a thread, so that the event loop never waits for it."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import ParamSpec, TypeVar

from langrecall.records import Episode, Session, Turn
from langrecall.stores.base import Changes, HistoryStore, Hit, PutReport, Retriever, SessionInfo, Signals
from langrecall.stores.chroma.pace import beside_event_loop

P = ParamSpec("P")
T = TypeVar("T")


async def to_thread(method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a method in a thread, which is told that an event loop waits."""

    def told() -> T:
        with beside_event_loop():
            return method(*args, **kwargs)

    return await asyncio.to_thread(told)


class ThreadedHistory:
    """Gives a `HistoryStore` its async methods."""

    async def achanges(self: HistoryStore, sessions: Sequence[Session], *, describer: str, form: str) -> Changes:
        """`changes`, in a thread."""
        return await to_thread(self.changes, sessions, describer=describer, form=form)

    async def aput(
        self: HistoryStore, sessions: Sequence[Session], episodes: Mapping[str, Episode], *, describer: str, form: str
    ) -> PutReport:
        """`put`, in a thread."""
        return await to_thread(self.put, sessions, episodes, describer=describer, form=form)

    async def astage(self: HistoryStore, sessions: Sequence[Session]) -> None:
        """`stage`, in a thread."""
        await to_thread(self.stage, sessions)

    async def astaged(self: HistoryStore, session_ids: Iterable[str]) -> list[Session]:
        """`staged`, in a thread."""
        return await to_thread(self.staged, session_ids)

    async def aunstage(self: HistoryStore, session_ids: Iterable[str]) -> None:
        """`unstage`, in a thread."""
        await to_thread(self.unstage, session_ids)

    async def asearch_episodes(
        self: HistoryStore,
        query: str,
        k: int = 5,
        *,
        exclude: Collection[str] = (),
        before: datetime | None = None,
        retriever: Retriever = "hybrid",
        signals: Signals = "all",
    ) -> list[Hit]:
        """`search_episodes`, in a thread."""
        search = self.search_episodes
        return await to_thread(search, query, k, exclude=exclude, before=before, retriever=retriever, signals=signals)

    async def asearch_turns(
        self: HistoryStore,
        query: str,
        k: int = 10,
        *,
        exclude: Collection[str] = (),
        before: datetime | None = None,
        tokens: int | None = None,
        passages: bool = False,
        retriever: Retriever = "hybrid",
        signals: Signals = "all",
    ) -> list[Hit]:
        """`search_turns`, in a thread."""
        return await to_thread(
            self.search_turns,
            query,
            k,
            exclude=exclude,
            before=before,
            tokens=tokens,
            passages=passages,
            retriever=retriever,
            signals=signals,
        )

    async def asessions(self: HistoryStore) -> list[SessionInfo]:
        """`sessions`, in a thread."""
        return await to_thread(self.sessions)

    async def asession(self: HistoryStore, session_id: str) -> Session:
        """`session`, in a thread."""
        return await to_thread(self.session, session_id)

    async def aepisodes(self: HistoryStore, session_ids: Iterable[str]) -> list[Episode]:
        """`episodes`, in a thread."""
        return await to_thread(self.episodes, session_ids)

    async def aturns(self: HistoryStore, turn_ids: Iterable[str]) -> list[Turn]:
        """`turns`, in a thread."""
        return await to_thread(self.turns, turn_ids)

    async def awindow(self: HistoryStore, session_id: str, index: int, width: int) -> list[Turn]:
        """`window`, in a thread."""
        return await to_thread(self.window, session_id, index, width)

    async def adelete(self: HistoryStore, session_id: str) -> bool:
        """`delete`, in a thread."""
        return await to_thread(self.delete, session_id)

    async def aclear(self: HistoryStore) -> int:
        """`clear`, in a thread."""
        return await to_thread(self.clear)

    async def astats(self: HistoryStore) -> dict[str, int]:
        """`stats`, in a thread."""
        return await to_thread(self.stats)
