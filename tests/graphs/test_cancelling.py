"""Cancellation and time-outs reach the model and leave the history whole and free."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from filelock import FileLock
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from langrecall.errors import ModelUnavailableError
from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.records import Session, Turn
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder

BOUND = 30.0
"""Seconds a stop may take: far more than it needs, far less than the model would keep it waiting."""
QUERY: Any = {"query": "What is Mia's dog called?"}
LOCK = "langrecall.lock"


@dataclass
class SilentModel:
    """A model server that takes every request, answers none, and notes when the client hangs up."""

    url: str = ""
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    requests: int = 0

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.partition(b":")[2]))
        self.requests += 1
        self.asked.set()
        await reader.read()  # ends when the client closes its side
        self.hung_up.set()
        writer.close()

    def model(self, **options: Any) -> ChatOpenAI:
        return ChatOpenAI(model="small", base_url=self.url, api_key=SecretStr("none"), max_retries=0, **options)


@pytest.fixture
async def silent() -> AsyncIterator[SilentModel]:
    model = SilentModel()
    server = await asyncio.start_server(model.serve, "127.0.0.1", 0)
    model.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    yield model
    server.close()


class HeldEmbedder(HashEmbedder):
    """Embeds documents only when it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.let_go = Event(), Event()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.begun.set()
        self.let_go.wait(BOUND)
        return super().embed_documents(texts)


def session(name: str, *texts: str) -> Session:
    turns = (
        Turn(session_id=name, index=index, speaker="Mia", role="speaker", text=text) for index, text in enumerate(texts)
    )
    return Session(session_id=name, turns=tuple(turns))


def told(*sessions: Session) -> Any:
    return {"sessions": [each.model_dump(mode="json") for each in sessions]}


DOG = session("s1", "I adopted a dog.", "He is called Bolt.")
PIANO = session("s2", "I sold the piano.", "To a school in Bruges.")


@pytest.fixture
def history(tmp_path: Path) -> HistoryStore:
    """A history in a folder, whose one writer holds a lock."""
    history = ChromaHistory.open(tmp_path, embeddings=None).at("mia")
    create_ingest_graph(history).invoke(told(DOG))
    return history


async def cancelled(work: Awaitable[Any], asked: asyncio.Event) -> None:
    task = asyncio.ensure_future(work)
    await asyncio.wait_for(asked.wait(), BOUND)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(asyncio.shield(task), BOUND)


async def timed_out(work: Awaitable[Any], asked: asyncio.Event) -> None:
    task = asyncio.ensure_future(work)
    await asyncio.wait_for(asked.wait(), BOUND)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await task


def free_and_whole(folder: Path, *sessions: Session) -> None:
    """Nobody writes the folder, and what it holds is these sessions, word for word."""
    with FileLock(folder / LOCK, timeout=BOUND), ChromaHistory.open(folder, embeddings=None) as memory:
        history = memory.at("mia")
        assert [info.session_id for info in history.sessions()] == [each.session_id for each in sessions]
        assert [history.session(each.session_id) for each in sessions] == list(sessions)


@pytest.mark.parametrize("stop", [cancelled, timed_out])
async def test_stopping_a_question_hangs_up_on_the_model(
    history: HistoryStore, silent: SilentModel, tmp_path: Path, stop: Callable[..., Awaitable[None]]
) -> None:
    graph = create_recall_graph(history, silent.model())
    await stop(graph.ainvoke(QUERY), silent.asked)
    await asyncio.wait_for(silent.hung_up.wait(), BOUND)
    assert silent.requests == 1
    await asyncio.to_thread(free_and_whole, tmp_path, DOG)
    assert "Bolt" in (await create_recall_graph(history).ainvoke(QUERY))["answer"]


async def test_leaving_a_stream_hangs_up_on_the_model(history: HistoryStore, silent: SilentModel) -> None:
    stream = create_recall_graph(history, silent.model()).astream(QUERY, stream_mode="custom")
    first: Any = await anext(stream)
    assert first["node"] == "retrieve"
    waiting = asyncio.ensure_future(anext(stream))
    await cancelled(waiting, silent.asked)
    await stream.aclose()  # type: ignore[attr-defined]  # astream is an async generator
    await asyncio.wait_for(silent.hung_up.wait(), BOUND)


async def test_stopping_an_ingest_at_the_model_stores_nothing_and_can_be_done_again(
    history: HistoryStore, silent: SilentModel, tmp_path: Path
) -> None:
    await cancelled(create_ingest_graph(history, silent.model()).ainvoke(told(PIANO)), silent.asked)
    await asyncio.wait_for(silent.hung_up.wait(), BOUND)
    await asyncio.to_thread(free_and_whole, tmp_path, DOG)
    report = (await create_ingest_graph(history).ainvoke(told(PIANO)))["report"]
    assert report["sessions"]["created"] == 1
    await asyncio.to_thread(free_and_whole, tmp_path, DOG, PIANO)


async def test_stopping_an_ingest_while_it_stores_leaves_each_session_whole_or_absent(tmp_path: Path) -> None:
    embedder = HeldEmbedder()
    memory = ChromaHistory.open(tmp_path, embeddings=embedder)
    ingest = create_ingest_graph(memory.at("mia"))
    task = asyncio.ensure_future(ingest.ainvoke(told(DOG, PIANO)))
    assert await asyncio.to_thread(embedder.begun.wait, BOUND)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(asyncio.shield(task), BOUND)
    embedder.let_go.set()
    report = (await ingest.ainvoke(told(DOG, PIANO)))["report"]
    counts = report["sessions"]
    assert counts["created"] + counts["updated"] + counts["skipped"] == 2
    await asyncio.to_thread(free_and_whole, tmp_path, DOG, PIANO)
    memory.close()


@pytest.mark.parametrize("awaited", [False, True], ids=["invoke", "ainvoke"])
async def test_a_time_out_of_the_model_is_the_documented_error_and_no_answer(
    history: HistoryStore, silent: SilentModel, awaited: bool
) -> None:
    graph = create_recall_graph(history, silent.model(timeout=0.2))
    with pytest.raises(ModelUnavailableError, match=rf"model 'small' at {silent.url}: .*timed out") as raised:
        await (graph.ainvoke(QUERY) if awaited else asyncio.to_thread(graph.invoke, QUERY))
    assert "\n" not in str(raised.value)
    assert silent.requests == 1
