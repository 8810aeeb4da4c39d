"""Run a graph to its end, handing over each `custom` event as it happens."""

import asyncio
import warnings
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from langrecall.errors import LangRecallError
from langrecall.settings import Settings
from langrecall.stores.base import HistoryStore

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    from langrecall.runs.recorder import Recorder
    from langrecall.runs.walk import Stretch
    from langrecall.state import RecallInput, RecallState, TrajectoryStep

    Event = tuple[Literal["custom", "values"], Any]


class InterruptionError(LangRecallError):
    """Ctrl-C stopped work of which a part is done; says how much, and how to go on."""


def quietly(step: "TrajectoryStep") -> None:
    """Let a step go by unseen."""


def recall(
    history: HistoryStore,
    query: str,
    *,
    at: str | None = None,
    model: str = "extractive",
    settings: Settings | None = None,
    on_step: "Callable[[TrajectoryStep], None]" = quietly,
    recorder: "Recorder | None" = None,
) -> "RecallState":
    """Put a question to a history and return the finished state."""
    from langrecall.runs.walk import Stretch
    from langrecall.state import RecallInput

    asked = RecallInput(query=query, query_time=at)
    return recall_in_stretches(history, asked, [Stretch(settings or Settings(), model)], on_step, recorder)


def recall_in_stretches(
    history: HistoryStore,
    asked: "RecallInput",
    stretches: "Sequence[Stretch]",
    on_step: "Callable[[TrajectoryStep], None]",
    recorder: "Recorder | None" = None,
) -> "RecallState":
    """The same for a walk whose settings or model change on the way."""
    from langrecall.runs.recorder import Recorder
    from langrecall.runs.walk import walk

    return cast("RecallState", _drained(walk(history, asked, stretches, recorder or Recorder()), on_step))


def follow(
    graph: "CompiledStateGraph[Any, Any, Any, Any]", given: Mapping[str, Any], on_event: Callable[[Any], None]
) -> dict[str, Any]:
    """Run the graph on `given` and return its last state."""
    # Not `stream`: its threads cannot be interrupted, and Ctrl-C would wait for every model call under way.
    events = graph.astream(given, stream_mode=["custom", "values"])
    return _drained(cast("AsyncIterator[Event]", events), on_event)


def _drained(events: "AsyncIterator[Event]", on_event: Callable[[Any], None]) -> dict[str, Any]:
    with warnings.catch_warnings():
        # LangGraph leaves what it has not yet started without a word when Ctrl-C cancels it.
        warnings.filterwarnings("ignore", "coroutine 'arun_with_retry' was never awaited", RuntimeWarning)
        return asyncio.run(_drain(events, on_event))


async def _drain(events: "AsyncIterator[Event]", on_event: Callable[[Any], None]) -> dict[str, Any]:
    state: dict[str, Any] = {}
    async for mode, event in events:
        if mode == "custom":
            on_event(event)
        else:
            state = event
    return state
