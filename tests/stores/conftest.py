"""Histories to put, places to put them in, and a real Chroma server on loopback."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol
from uuid import uuid4

import httpx
import pytest

from langrecall.records import Episode, Event, Fact, Relation, Session, Turn
from langrecall.stores.chroma.bound import BoundHistory
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder

FIRST_DAY = datetime(2024, 3, 1, 19, 30, tzinfo=UTC)


class CountingEmbedder(HashEmbedder):
    """Remembers every text it was given to embed."""

    def __init__(self, dimension: int = 16) -> None:
        super().__init__(dimension)
        self.texts: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.texts += texts
        return super().embed_documents(texts)


class Talk(Protocol):
    def __call__(self, session_id: str, *texts: str, day: int | None = 0) -> Session: ...


def make_session(session_id: str, *texts: str, day: int | None = 0) -> Session:
    """A session of two people in turn, on a day of March 2024."""
    time = None if day is None else FIRST_DAY + timedelta(days=day)
    turns = [
        Turn(session_id=session_id, index=index, speaker=("Ana", "Bo")[index % 2], role="speaker", text=text, time=time)
        for index, text in enumerate(texts)
    ]
    return Session(session_id=session_id, time=time, turns=tuple(turns))


def make_episode(session: Session) -> Episode:
    """An entry with one fact, event and relation a session, resting on its first turn."""
    said = session.turns[0].text if session.turns else "nothing"
    return Episode(
        session_id=session.session_id,
        title=f"Talk {session.session_id}",
        time=session.time,
        participants=session.speakers,
        facts=(Fact(text=f"Ana said: {said}", turns=(0,), speaker="Ana"),),
        events=(Event(text=f"Ana and Bo spoke of {said}", turns=(0,)),),
        relations=(Relation(subject="Ana", predicate="knows", object="Bo", turns=(0,)),),
        entities=("Ana", "Bo"),
        summary=f"They spoke of {said}.",
    )


@pytest.fixture
def talk() -> Talk:
    return make_session


@pytest.fixture
def entry() -> Callable[[Session], Episode]:
    return make_episode


@pytest.fixture
def store() -> Callable[[BoundHistory, Sequence[Session]], tuple[tuple[str, ...], ...]]:
    """Put sessions with their entries."""

    def put(history: BoundHistory, sessions: Sequence[Session]) -> tuple[tuple[str, ...], ...]:
        entries = {session.session_id: make_episode(session) for session in sessions}
        return history.put(sessions, entries, describer="test", form="wiki")

    return put


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Chroma server of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("server")
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(folder), "--port", str(port)]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen([*command, "--host", "127.0.0.1"], stdout=log, stderr=log, cwd=folder) as server,
    ):
        url = f"http://127.0.0.1:{port}"
        _wait_for(url)
        yield url
        server.terminate()


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{url}/api/v2/heartbeat").is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.1)
    pytest.fail("the Chroma server did not start")


@pytest.fixture(params=["memory", "folder", "server"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str | None:
    """Where a history may live."""
    if request.param == "server":
        return str(request.getfixturevalue("chroma_server"))
    return None if request.param == "memory" else str(tmp_path / "db")


@pytest.fixture(params=["hash", "lexical"])
def memory(request: pytest.FixtureRequest, place: str | None, embedder: CountingEmbedder) -> Iterator[ChromaHistory]:
    """An empty place with and without embeddings."""
    with ChromaHistory.open(place, embeddings=embedder if request.param == "hash" else None) as opened:
        yield opened


@pytest.fixture
def history(memory: ChromaHistory) -> Iterator[BoundHistory]:
    """A namespace that no other test uses."""
    bound = memory.at(f"test-{uuid4()}")
    yield bound
    bound.clear()
