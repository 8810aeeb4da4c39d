"""Every way of running a graph, over every way of keeping its checkpoints: one answer, and a checkpoint that can be gone on from."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from langrecall.graphs.recall import build_recall, create_recall_graph
from langrecall.stores.base import HistoryStore

QUERIES = (
    "What is the name of the beagle that Mia adopted?",
    "For how much did Mia sell the piano?",
    "Who is the president of France?",
)
KEYS = ("answer", "abstained", "citations", "memory", "coverage", "stop_reason")
SYNC, ASYNC = ("invoke", "stream", "batch"), ("ainvoke", "astream", "abatch")

Keep = Callable[[Path], AbstractContextManager[Any]]
AsyncKeep = Callable[[Path], AbstractAsyncContextManager[Any]]


@contextmanager
def no_checkpointer(path: Path) -> Iterator[None]:
    yield None


@contextmanager
def in_memory(path: Path) -> Iterator[InMemorySaver]:
    yield InMemorySaver()


@contextmanager
def sqlite(path: Path) -> Iterator[SqliteSaver]:
    with SqliteSaver.from_conn_string(str(path / "checkpoints.db")) as saver:
        yield saver


@asynccontextmanager
async def awaited(keep: Keep, path: Path) -> AsyncIterator[Any]:
    with keep(path) as saver:
        yield saver


@asynccontextmanager
async def async_sqlite(path: Path) -> AsyncIterator[AsyncSqliteSaver]:
    async with AsyncSqliteSaver.from_conn_string(str(path / "checkpoints.db")) as saver:
        yield saver


KEEPS: tuple[Keep, ...] = (no_checkpointer, in_memory, sqlite)
ASYNC_KEEPS: dict[str, AsyncKeep] = {
    "no_checkpointer": partial(awaited, no_checkpointer),
    "in_memory": partial(awaited, in_memory),
    "async_sqlite": async_sqlite,
}


@pytest.fixture(scope="module")
def history(shared_history: HistoryStore) -> HistoryStore:
    return shared_history


@pytest.fixture(scope="module")
def expected(history: HistoryStore) -> list[dict[str, Any]]:
    """The answers of a graph that keeps nothing."""
    graph = create_recall_graph(history)
    answers = [told(graph.invoke({"query": query})) for query in QUERIES]
    assert [answer["abstained"] for answer in answers] == [False, False, True]
    return answers


def told(result: Any) -> dict[str, Any]:
    """What an answer says, without how long it took."""
    return {key: result[key] for key in KEYS}


def thread(name: object) -> Any:
    return {"configurable": {"thread_id": str(name)}}


def run(graph: Any, method: str, queries: Sequence[str]) -> list[dict[str, Any]]:
    """Ask each question on a thread of its own."""
    given = [{"query": query} for query in queries]
    configs = [thread(place) for place in range(len(given))]
    if method == "batch":
        return [told(result) for result in graph.batch(given, configs)]
    if method == "stream":
        states = [
            list(graph.stream(one, config, stream_mode="values")) for one, config in zip(given, configs, strict=True)
        ]
        return [told(state[-1]) for state in states]
    return [told(graph.invoke(one, config)) for one, config in zip(given, configs, strict=True)]


async def arun(graph: Any, method: str, queries: Sequence[str]) -> list[dict[str, Any]]:
    """As `run`, by the awaited methods."""
    given = [{"query": query} for query in queries]
    configs = [thread(place) for place in range(len(given))]
    if method == "abatch":
        return [told(result) for result in await graph.abatch(given, configs)]
    pairs = zip(given, configs, strict=True)
    if method == "astream":
        states = [[state async for state in graph.astream(one, config, stream_mode="values")] for one, config in pairs]
        return [told(state[-1]) for state in states]
    return [told(await graph.ainvoke(one, config)) for one, config in pairs]


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("method", SYNC)
def test_each_way_of_calling_gives_one_answer(
    history: HistoryStore, expected: list[dict[str, Any]], tmp_path: Path, keep: Keep, method: str
) -> None:
    with keep(tmp_path) as saver:
        assert run(create_recall_graph(history, checkpointer=saver), method, QUERIES) == expected


@pytest.mark.parametrize("keep", ASYNC_KEEPS)
@pytest.mark.parametrize("method", ASYNC)
async def test_each_way_of_awaiting_gives_one_answer(
    history: HistoryStore, expected: list[dict[str, Any]], tmp_path: Path, keep: str, method: str
) -> None:
    async with ASYNC_KEEPS[keep](tmp_path) as saver:
        assert await arun(create_recall_graph(history, checkpointer=saver), method, QUERIES) == expected


@pytest.mark.parametrize("method", SYNC)
async def test_a_thread_of_an_async_program_may_call_over_the_async_checkpointer(
    history: HistoryStore, expected: list[dict[str, Any]], tmp_path: Path, method: str
) -> None:
    async with async_sqlite(tmp_path) as saver:
        graph = create_recall_graph(history, checkpointer=saver)
        assert await asyncio.to_thread(run, graph, method, QUERIES) == expected


@pytest.mark.parametrize("method", SYNC)
@pytest.mark.parametrize("keep", [in_memory, sqlite])
def test_an_interrupted_question_is_gone_on_with_by_a_graph_made_anew(
    history: HistoryStore, expected: list[dict[str, Any]], tmp_path: Path, keep: Keep, method: str
) -> None:
    with keep(tmp_path) as saver:
        stopping = build_recall(history).compile(checkpointer=saver, interrupt_before=["answer"])
        begin(stopping, method)
        assert stopping.get_state(thread(0)).next == ("answer",)
        with nullcontext(saver) if keep is in_memory else keep(tmp_path) as reopened:
            graph = create_recall_graph(history, checkpointer=reopened)
            assert told(graph.invoke(None, thread(0))) == expected[0]
            assert graph.get_state(thread(0)).next == ()


@pytest.mark.parametrize("method", ASYNC)
@pytest.mark.parametrize("keep", ["in_memory", "async_sqlite"])
async def test_an_interrupted_question_is_gone_on_with_when_awaited(
    history: HistoryStore, expected: list[dict[str, Any]], tmp_path: Path, keep: str, method: str
) -> None:
    async with ASYNC_KEEPS[keep](tmp_path) as saver:
        stopping = build_recall(history).compile(checkpointer=saver, interrupt_before=["answer"])
        await abegin(stopping, method)
        assert (await stopping.aget_state(thread(0))).next == ("answer",)
        async with nullcontext(saver) if keep == "in_memory" else async_sqlite(tmp_path) as reopened:
            result = await create_recall_graph(history, checkpointer=reopened).ainvoke(None, thread(0))
        assert told(result) == expected[0]


def test_what_was_kept_by_the_sync_form_is_gone_on_with_by_the_async_one(
    history: HistoryStore, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    with sqlite(tmp_path) as saver:
        stopping = build_recall(history).compile(checkpointer=saver, interrupt_before=["judge"])
        stopping.invoke({"query": QUERIES[0]}, thread(0))
        assert stopping.get_state(thread(0)).next == ("judge",)

    async def go_on() -> Any:
        async with async_sqlite(tmp_path) as reopened:
            return await create_recall_graph(history, checkpointer=reopened).ainvoke(None, thread(0))

    assert told(asyncio.run(go_on())) == expected[0]


def test_an_earlier_checkpoint_is_forked_and_the_later_ones_stay(
    history: HistoryStore, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    with sqlite(tmp_path) as saver:
        graph = create_recall_graph(history, checkpointer=saver)
        assert told(graph.invoke({"query": QUERIES[0]}, thread(0))) == expected[0]
        before = list(graph.get_state_history(thread(0)))
        first = next(state for state in before if state.next == ("retrieve",))
        forked = graph.update_state(first.config, {"query": QUERIES[1]}, as_node="__start__")
        assert told(graph.invoke(None, forked)) == expected[1]
        kept = [state.config for state in graph.get_state_history(thread(0))]
        assert all(state.config in kept for state in before)
        assert len(kept) > len(before)


def begin(graph: Any, method: str) -> None:
    given, config = {"query": QUERIES[0]}, thread(0)
    if method == "stream":
        list(graph.stream(given, config))
    elif method == "batch":
        graph.batch([given], [config])
    else:
        graph.invoke(given, config)


async def abegin(graph: Any, method: str) -> None:
    given, config = {"query": QUERIES[0]}, thread(0)
    if method == "astream":
        _ = [update async for update in graph.astream(given, config)]
    elif method == "abatch":
        await graph.abatch([given], [config])
    else:
        await graph.ainvoke(given, config)
