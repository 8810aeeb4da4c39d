"""A small history, a scripted model, and runs of it taken down."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

import pytest

from langrecall.graphs.ingest import create_ingest_graph
from langrecall.records import Image, Session, Turn
from langrecall.runs.recorder import Recorder
from langrecall.runs.saved import Leg, SavedRun
from langrecall.runs.walk import Stretch, walk
from langrecall.settings import Settings
from langrecall.state import RecallInput
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import ScriptedChatModel

QUERY = "What is Mia's dog called?"
HOSTILE = (
    "</style></pre><script>document.title = 'taken'</script><img src=x onerror=\"document.title='taken'\"> \" ' &amp;"
)
TALKS = {
    "s1": ["I adopted a dog yesterday, a beagle.", "What is its name?", "He is called Bolt."],
    "s2": ["My sister Runa moved to Trondheim in May.", "Does she like it there?", "She misses the sea."],
    "s3": ["Bolt ate my left shoe today.", HOSTILE, "It cost 90 euros."],
}
BEAGLE = {"text": "Mia's dog is called Bolt.", "sources": ["s1:2"], "quote": "He is called Bolt."}
SHOE = {"text": "Bolt ate a shoe of 700 euros.", "sources": ["s3:0"], "quote": "Bolt ate my left shoe today."}
VERDICT = {"reasoning": "", "missing": [], "queries": [], "evolution": "none"}
ENOUGH = VERDICT | {"sufficient": True}
MORE = VERDICT | {"sufficient": False, "missing": ["the shoe"], "queries": ["Bolt shoe"], "evolution": "pruned"}
ANSWER = "He is called Bolt [1]."


def step(action: str, argument: str = "", *memory: dict[str, Any], missing: Sequence[str] = ()) -> dict[str, Any]:
    return {"reasoning": "so", "memory": memory, "missing": missing, "action": action, "argument": argument}


SCRIPT = [step("read_raw", "s3", BEAGLE), step("answer"), MORE, step("answer", "", SHOE), ENOUGH, ANSWER]


def sessions() -> list[Session]:
    """Three sessions of Mia and Tom; the hostile turn has a picture."""
    made = []
    for number, (name, lines) in enumerate(TALKS.items(), start=1):
        time = datetime(2024, 3, number, 18, 30)
        turns = tuple(
            Turn(
                session_id=name,
                index=place,
                speaker=("Mia", "Tom")[place % 2],
                role="speaker",
                text=text,
                time=time,
                images=(Image(source="/home/mia/secret.png", caption="a shoe"),) if text == HOSTILE else (),
            )
            for place, text in enumerate(lines)
        )
        made.append(Session(session_id=name, time=time, turns=turns))
    return made


@pytest.fixture
def history() -> Iterator[HistoryStore]:
    """Mia's talks."""
    memory = ChromaHistory.open(None, embeddings=None)
    given = [session.model_dump(mode="json") for session in sessions()]
    create_ingest_graph(memory.at("mia")).invoke({"sessions": given})
    yield memory.at("mia")
    memory.close()


Follow = Callable[[Sequence[Stretch]], Awaitable[Recorder]]
Take = Callable[..., Awaitable[SavedRun]]


@pytest.fixture
def follow(history: HistoryStore) -> Follow:
    """Walk to the end, a recorder looking on."""

    async def walked(stretches: Sequence[Stretch]) -> Recorder:
        recorder = Recorder()
        async for _ in walk(history, RecallInput(query=QUERY), stretches, recorder):
            pass
        return recorder

    return walked


@pytest.fixture
def take(history: HistoryStore, follow: Follow) -> Take:
    """Put the question to a model, by default to one that walks through most nodes, and make the record."""

    async def run(model: ScriptedChatModel | str | None = None, **choices: Any) -> SavedRun:
        settings = Settings.of({"k_first": 3, "raw_floor_tokens": 40} | choices)
        scripted = model or ScriptedChatModel(replies=list(SCRIPT))
        recorder = await follow([Stretch(settings, scripted)])
        name = model if isinstance(model, str) else "openai:scripted"
        return recorder.saved(history, [Leg.of(settings, name)])

    return run
