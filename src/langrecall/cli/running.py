"""Run a graph to its end, handing over each `custom` event as it happens."""

import asyncio
import warnings
from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

from langrecall.settings import Settings
from langrecall.stores.base import HistoryStore

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    from langrecall.state import RecallState, TrajectoryStep


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
) -> "RecallState":
    """Put a question to a history and return the finished state."""
    from langrecall.graphs.recall import create_recall_graph

    graph = create_recall_graph(history, model, settings=settings)
    return cast("RecallState", follow(graph, {"query": query, "query_time": at}, on_step))


def follow(
    graph: "CompiledStateGraph[Any, Any, Any, Any]", given: Mapping[str, Any], on_event: Callable[[Any], None]
) -> dict[str, Any]:
    """Run the graph on `given` and return its last state."""
    with warnings.catch_warnings():
        # LangGraph leaves what it has not yet started without a word when Ctrl-C cancels it.
        warnings.filterwarnings("ignore", "coroutine 'arun_with_retry' was never awaited", RuntimeWarning)
        return asyncio.run(_follow(graph, given, on_event))


async def _follow(
    graph: "CompiledStateGraph[Any, Any, Any, Any]", given: Mapping[str, Any], on_event: Callable[[Any], None]
) -> dict[str, Any]:
    # Not `stream`: its threads cannot be interrupted, and Ctrl-C would wait for every model call under way.
    state: dict[str, Any] = {}
    events = cast(
        "AsyncIterator[tuple[Literal['custom', 'values'], Any]]", graph.astream(given, stream_mode=["custom", "values"])
    )
    async for mode, event in events:
        if mode == "custom":
            on_event(event)
        else:
            state = event
    return state
