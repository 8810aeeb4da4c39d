"""A small history in memory and a scripted model, for walks through the graph."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest

from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.records import Session, Turn
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder, ScriptedChatModel

TALKS = [
    ["I adopted a dog yesterday, a beagle.", "What is its name?", "He is called Bolt."],
    ["My sister Runa moved to Trondheim in May.", "Does she like it there?", "She misses the sea."],
    ["Bolt ate my left shoe today.", "Poor shoe. Was it expensive?", "It cost 90 euros."],
    ["I start at the library on Monday.", "Which library?", "The one in Marchmont."],
    ["We watched the regatta with Bolt.", "Who won?", "A boat called Heron."],
    ["The choir sang Fauré tonight.", "Were you nervous?", "Not at all."],
    ["I sold the piano for 1,900 euros.", "To whom?", "To a school in Bruges."],
]


def talks() -> list[Session]:
    """Seven sessions a week apart, Mia and Tom taking turns."""
    sessions = []
    for number, lines in enumerate(TALKS, start=1):
        time = datetime(2024, 3, 4, 18, 30) + timedelta(weeks=number - 1)
        turns = tuple(
            Turn(
                session_id=f"s{number}",
                index=place,
                speaker=("Mia", "Tom")[place % 2],
                role="speaker",
                text=text,
                time=time,
            )
            for place, text in enumerate(lines)
        )
        sessions.append(Session(session_id=f"s{number}", time=time, turns=turns))
    return sessions


@contextmanager
def remembering() -> Iterator[ChromaHistory]:
    """Mia's talks, under the namespace `mia`."""
    with ChromaHistory.open(None, embeddings=HashEmbedder()) as memory:
        sessions = [session.model_dump(mode="json") for session in talks()]
        create_ingest_graph(memory.at("mia")).invoke({"sessions": sessions})
        yield memory


@pytest.fixture
def memory() -> Iterator[ChromaHistory]:
    """Mia's talks, under the namespace `mia`."""
    with remembering() as memory:
        yield memory


@pytest.fixture(scope="session")
def shared_history() -> Iterator[HistoryStore]:
    """Mia's talks once for all tests that only read them."""
    with remembering() as memory:
        yield memory.at("mia")


@pytest.fixture
def history(memory: ChromaHistory) -> HistoryStore:
    return memory.at("mia")


Walk = Callable[..., tuple[dict[str, Any], list[str]]]


@pytest.fixture
def walk(history: HistoryStore) -> Walk:
    """Run a question with a scripted model; returns the whole final state and the nodes in order."""

    def run(
        *replies: Any, query: str = "What is Mia's dog called?", **settings: Any
    ) -> tuple[dict[str, Any], list[str]]:
        model = ScriptedChatModel(replies=list(replies))
        graph = create_recall_graph(history, model, settings=settings)
        nodes: list[str] = []
        state: dict[str, Any] = {}
        chunks: Any = graph.stream({"query": query}, stream_mode=["updates", "values"])
        for mode, chunk in chunks:
            if mode == "updates":
                nodes += list(chunk)
            else:
                state = chunk
        assert not model.replies, "the walk ended before its script"
        return state, nodes

    return run
