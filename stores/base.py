"""The history store seen from above: one namespace's sessions, their metadata, and the two searches."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime
from typing import Literal, NamedTuple, Protocol, Self

from typing_extensions import TypedDict, Unpack

from langrecall.effects import twin
from langrecall.records import Episode, Session, Turn

Retriever = Literal["dense", "lexical", "hybrid", "graph"]
Signals = Literal["all", "metadata", "raw"]
"""What a ranking may look at: both, the metadata entries alone (w/o raw data), or the raw turns alone (w/o metadata)."""


class SearchFields(TypedDict, total=False):
    """The fields of a `Search` that every search may be given as keywords."""

    exclude: Collection[str]
    before: datetime | None
    retriever: Retriever
    signals: Signals


class TurnFields(SearchFields, total=False):
    """And those that only a search of turns may."""

    tokens: int | None
    passages: bool


@dataclass(frozen=True)
class Search:
    """What is searched for, and how; `tokens` and `passages` are for turns alone.

    Example:
        >>> Search.of("the name of the canoe", k=3, exclude=["s1"]).exclude
        frozenset({'s1'})

    """

    query: str
    k: int | None = None
    """At most so many hits; with None 5 sessions, or 10 turns. With `tokens` it is not looked at."""
    _: KW_ONLY
    exclude: Collection[str] = frozenset()
    """Ids of what is left out, kept as a frozenset: sessions, or among turns also single ones; unknown ids are no fault."""
    before: datetime | None = None
    """The time of asking: sessions after its calendar day are left out, and "last week" in the query is the week before it."""
    tokens: int | None = None
    """In place of the `k` best: the turns that best cover the query and cost at most so many tokens to show."""
    passages: bool = False
    """Count a turn that costs more than `tokens` as one passage of it, for a caller who shows no more; else it is left out."""
    retriever: Retriever = "hybrid"
    signals: Signals = "all"

    def __post_init__(self) -> None:
        object.__setattr__(self, "exclude", frozenset(self.exclude))

    @classmethod
    def of(cls, query: "Search | str", k: int | None = None, **fields: Unpack[TurnFields]) -> "Search":
        """The value a call in keywords stands for; keywords beside a `Search` are put in place of its own."""
        search = query if isinstance(query, Search) else cls(query)
        return replace(search, k=search.k if k is None else k, **fields)


class Hit(NamedTuple):
    """One search result: the id of a session or turn and its score, comparable within one result list only."""

    id: str
    score: float


class Changes(NamedTuple):
    """What `put` would do, as session ids in the order given; nothing is written."""

    created: tuple[str, ...]
    updated: tuple[str, ...]
    unchanged: tuple[str, ...]


class PutReport(NamedTuple):
    """What `put` did, as session ids in the order given."""

    created: tuple[str, ...]
    updated: tuple[str, ...]
    skipped: tuple[str, ...]

    @classmethod
    def total(cls, reports: Iterable["PutReport"]) -> Self:
        """What several did, one after the other."""
        done = list(reports)
        return cls(*(tuple(name for report in done for name in report[at]) for at in range(len(cls._fields))))


class SessionInfo(NamedTuple):
    """One line about a stored session."""

    session_id: str
    title: str
    time: datetime | None
    turns: int


class HistoryStore(Protocol):
    """One namespace of a history. Every method has an async form with an `a` in front, which `ThreadedHistory` gives.

    Raises `StoreUnavailableError` where a retry may help, `UnknownIdError` for an id that names nothing here.
    """

    @property
    def namespace(self) -> str:
        """The namespace every call is bound to."""
        ...

    def changes(self, sessions: Sequence[Session], *, describer: str, form: str) -> Changes:
        """Tell created, updated and unchanged apart before any model is paid for.

        A session is unchanged when its content hash, describer, metadata form and grounding version are those of its commit record.
        """
        ...

    def put(
        self, sessions: Sequence[Session], episodes: Mapping[str, Episode], *, describer: str, form: str
    ) -> PutReport:
        """Store sessions with their entries (by session id); idempotent, and never half visible."""
        ...

    def stage(self, sessions: Sequence[Session]) -> None:
        """Keep raw sessions aside under their ids, invisible to every search and read, until `put` or `unstage`."""
        ...

    def staged(self, session_ids: Iterable[str]) -> list[Session]:
        """Staged sessions, in the order asked for; unknown ids are left out."""
        ...

    def unstage(self, session_ids: Iterable[str]) -> None:
        """Drop staged sessions; unknown ids are no fault."""
        ...

    def search_episodes(self, search: Search, /) -> list[Hit]:
        """Rank sessions: hits by session id, best first."""
        ...

    def search_turns(self, search: Search, /) -> list[Hit]:
        """Rank turns: hits by turn id, best first."""
        ...

    def sessions(self) -> list[SessionInfo]:
        """All sessions in time order, undated ones last."""
        ...

    def session(self, session_id: str) -> Session:
        """The raw session, L(i_k)."""
        ...

    def episodes(self, session_ids: Iterable[str]) -> list[Episode]:
        """The metadata entries of these sessions, in the order asked for; unknown ids are left out."""
        ...

    def turns(self, turn_ids: Iterable[str]) -> list[Turn]:
        """These turns, in the order asked for; unknown ids are left out."""
        ...

    def window(self, session_id: str, index: int, width: int) -> list[Turn]:
        """The turn and the turns of `width` chunks on each side of it, within its session, in order."""
        ...

    def delete(self, session_id: str) -> bool:
        """Remove a session and everything derived from it; False when there was none.

        Its texts leave a folder's database too, unless another process reads just then: then they do with the next removal.
        """
        ...

    def clear(self) -> int:
        """Remove every session of the namespace; returns how many there were."""
        ...

    def stats(self) -> dict[str, int]:
        """Counts: sessions, turns, chunks, facts."""
        ...

    async def achanges(self, sessions: Sequence[Session], *, describer: str, form: str) -> Changes: ...
    async def aput(
        self, sessions: Sequence[Session], episodes: Mapping[str, Episode], *, describer: str, form: str
    ) -> PutReport: ...
    async def astage(self, sessions: Sequence[Session]) -> None: ...
    async def astaged(self, session_ids: Iterable[str]) -> list[Session]: ...
    async def aunstage(self, session_ids: Iterable[str]) -> None: ...
    async def asearch_episodes(self, search: Search, /) -> list[Hit]: ...
    async def asearch_turns(self, search: Search, /) -> list[Hit]: ...
    async def asessions(self) -> list[SessionInfo]: ...
    async def asession(self, session_id: str) -> Session: ...
    async def aepisodes(self, session_ids: Iterable[str]) -> list[Episode]: ...
    async def aturns(self, turn_ids: Iterable[str]) -> list[Turn]: ...
    async def awindow(self, session_id: str, index: int, width: int) -> list[Turn]: ...
    async def adelete(self, session_id: str) -> bool: ...
    async def aclear(self) -> int: ...
    async def astats(self) -> dict[str, int]: ...


class ThreadedHistory:
    """Gives a `HistoryStore` its async methods: each call runs in a thread."""

    achanges = twin(HistoryStore.changes)
    aput = twin(HistoryStore.put)
    astage = twin(HistoryStore.stage)
    astaged = twin(HistoryStore.staged)
    aunstage = twin(HistoryStore.unstage)
    asearch_episodes = twin(HistoryStore.search_episodes)
    asearch_turns = twin(HistoryStore.search_turns)
    asessions = twin(HistoryStore.sessions)
    asession = twin(HistoryStore.session)
    aepisodes = twin(HistoryStore.episodes)
    aturns = twin(HistoryStore.turns)
    awindow = twin(HistoryStore.window)
    adelete = twin(HistoryStore.delete)
    aclear = twin(HistoryStore.clear)
    astats = twin(HistoryStore.stats)


class HistoryMemory(Protocol):
    """A place that holds many namespaces."""

    def at(self, namespace: str) -> HistoryStore:
        """The namespace's bound view; raises `NamespaceError` when the name is empty."""
        ...

    def namespaces(self) -> list[str]:
        """The namespaces that hold at least one session, sorted."""
        ...
