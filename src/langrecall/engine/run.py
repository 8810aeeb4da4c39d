"""What a node works with: the history it may ask, the policy that thinks, the settings of this run."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from time import time
from typing import Any

from langrecall.ingest_state import IngestEvent, IngestSettings
from langrecall.pictures.reader import Reader
from langrecall.policies.base import Policy, Reply, Spent
from langrecall.settings import Settings
from langrecall.state import Node, Observation, TrajectoryStep, Usage
from langrecall.stores.base import HistoryStore, Search, SessionInfo, Signals

_NO_CALL: Reply[None] = Reply(None, "store")
"""What a step has to tell of that asked no policy."""


@dataclass(frozen=True)
class Run:
    """One run's collaborators; `emit` receives each trajectory step as it is made, `reader` opens pictures, `now` tells epoch seconds.

    A node gets a run of its own, made when it starts: `since`.
    """

    history: HistoryStore
    policy: Policy
    settings: Settings
    emit: Callable[[TrajectoryStep], None]
    reader: Reader = field(default_factory=Reader)
    now: Callable[[], float] = time
    since: float = field(default_factory=time)

    @property
    def signals(self) -> Signals:
        """What rankings may look at under this run's ablations."""
        if not self.settings.metadata:
            return "raw"
        return "all" if self.settings.raw_data else "metadata"

    def search(self, query: str, k: int | None = None, *, asked: str | None, exclude: Collection[str] = ()) -> Search:
        """A search of sessions as this run makes it; `asked` is the time of asking, as state keeps it."""
        way, before = self.settings.retriever, asked_at(asked)
        return Search(query, k, exclude=exclude, before=before, retriever=way, signals=self.signals)

    def turn_search(
        self,
        query: str,
        k: int | None = None,
        *,
        asked: str | None,
        exclude: Collection[str] = (),
        tokens: int | None = None,
    ) -> Search:
        """A search of turns, shown within `tokens`; by meaning or by words alone it looks at nothing but turns."""
        search = self.search(query, k, asked=asked, exclude=exclude)
        plain = search.retriever in ("dense", "lexical") and search.signals == "all"
        signals = "raw" if plain else search.signals
        return replace(search, tokens=tokens, passages=tokens is not None, signals=signals)

    def record(
        self,
        node: Node,
        step: int,
        *,
        key: str,
        action: str,
        reply: Reply[Any] = _NO_CALL,
        argument: str = "",
        reasoning: str = "",
        observed: Sequence[str] = (),
        tokens: int | None = None,
        note: str = "",
    ) -> list[TrajectoryStep]:
        """Make a node's trajectory step, stream it, and return it as the state update it is; `tokens` unless told are those of the call."""
        spent = reply.spent
        made = TrajectoryStep(
            id=key,
            step=step,
            node=node,
            action=action,
            argument=argument,
            reasoning=reasoning,
            observed=list(observed),
            tokens=spent.prompt_tokens + spent.completion_tokens if tokens is None else tokens,
            source=reply.source,
            note="; ".join(filter(None, [reply.note, note])),
            usage=usage(spent, seconds=self.now() - self.since),
        )
        self.emit(made)
        return [made]

    def record_observation(
        self,
        seen: Observation,
        argument: str,
        *,
        observed: Sequence[str] | None = None,
        reply: Reply[Any] = _NO_CALL,
        note: str = "",
    ) -> list[TrajectoryStep]:
        """`record` for what an action brought back: all its turns, where nothing else is told."""
        return self.record(
            seen["node"],
            seen["step"],
            key=seen["id"],
            action=seen["node"],
            reply=reply,
            argument=argument,
            observed=[*seen["turns"], *seen["clipped"]] if observed is None else observed,
            tokens=seen["tokens"],
            note=note,
        )


@dataclass(frozen=True)
class IngestRun:
    """One ingest's collaborators; `emit` receives progress as it is made."""

    history: HistoryStore
    policy: Policy
    settings: IngestSettings
    emit: Callable[[IngestEvent], None]
    reader: Reader = field(default_factory=Reader)


def usage(spent: Spent, *, seconds: float) -> Usage:
    """What a call cost, as state keeps it."""
    return Usage(
        calls=spent.calls,
        prompt_tokens=spent.prompt_tokens,
        completion_tokens=spent.completion_tokens,
        seconds=round(seconds, 4),
    )


def asked_at(query_time: str | None) -> datetime | None:
    """The time of asking; sessions after its calendar day are left out."""
    return datetime.fromisoformat(query_time) if query_time else None


def eligible(sessions: Sequence[SessionInfo], until: datetime | None) -> list[SessionInfo]:
    """Sessions up to the calendar day of asking; undated ones stay in."""
    if until is None:
        return list(sessions)
    return [session for session in sessions if session.time is None or session.time.date() <= until.date()]
