"""Many questions at once wait for the model together, and never for the store on the event loop."""

import asyncio
import gc
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial, wraps
from threading import Barrier, BrokenBarrierError, get_ident
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.records import Session, Turn
from langrecall.settings import Preset
from langrecall.stores.base import HistoryStore, Search
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder, ScriptedServer, ServerReply, ServerRequest

AT_ONCE = 32
CALLS = 3
"""Of the model a question: reason, judge, answer."""
LATENCY = 0.2  # seconds
TRIES = 3
QUERY: Any = {"query": "What is Mia's dog called?"}
BEAGLE = {"text": "Mia's dog is called Bolt.", "sources": ["s1:2"], "quote": "He is called Bolt."}
STEP = {"reasoning": "so", "memory": [BEAGLE], "missing": [], "action": "answer", "argument": ""}
ENOUGH = {"reasoning": "so", "sufficient": True, "missing": [], "queries": [], "evolution": "none"}
STORE = sorted(name for name in vars(HistoryStore) if f"a{name}" in vars(HistoryStore))


def thinking(request: ServerRequest) -> str:
    """What a well-behaved model says in each role."""
    if "<actions>" in request.text:
        return json.dumps(STEP)
    return json.dumps(ENOUGH) if "Current search:" in request.text else "Bolt [1]."


def slowly(request: ServerRequest) -> ServerReply:
    return ServerReply(content=thinking(request), delay=LATENCY)


def asking(history: HistoryStore, server: ScriptedServer) -> Callable[[], Awaitable[dict[str, Any]]]:
    """Put the question to a graph whose model is behind HTTP."""
    model = ChatOpenAI(model="small", base_url=server.url, api_key=SecretStr("none"), max_retries=0)
    graph: Any = create_recall_graph(history, model)
    return partial(graph.ainvoke, QUERY)


def slowdown() -> float:
    """How much longer than its processor time a piece of work takes now: 1 where a core is free."""
    wall, cpu = time.perf_counter(), time.process_time()
    while time.process_time() - cpu < 0.1:
        pass
    return (time.perf_counter() - wall) / (time.process_time() - cpu)


async def test_all_wait_for_the_model_at_the_same_time(history: HistoryStore) -> None:
    together = Barrier(AT_ONCE)

    def hold(request: ServerRequest) -> ServerReply | str:
        try:
            together.wait(200)
        except BrokenBarrierError:
            return ServerReply.error(503, f"only {together.n_waiting} of {AT_ONCE} questions are here")
        return thinking(request)

    with ScriptedServer(hold) as server:
        ask = asking(history, server)
        results = await asyncio.gather(*(ask() for _ in range(AT_ONCE)))
    assert {result["answer"] for result in results} == {"Bolt [1]."}
    assert len(server.requests) == AT_ONCE * CALLS


async def test_thirty_two_take_less_than_a_quarter_of_one_after_the_other(history: HistoryStore) -> None:
    """One after the other is measured on three questions and scaled; both in one process, which plays the server too."""
    ratios: list[float] = []
    with ScriptedServer(slowly) as server:
        ask = asking(history, server)
        while len(ratios) < TRIES and min(ratios, default=1.0) >= 0.25:
            if (busy := slowdown()) > 2:
                pytest.skip(f"too busy here to judge times: work takes {busy:.1f} times its processor time")
            start = time.perf_counter()
            for _ in range(3):
                await ask()
            serial = (time.perf_counter() - start) / 3 * AT_ONCE
            start = time.perf_counter()
            await asyncio.gather(*(ask() for _ in range(AT_ONCE)))
            ratios.append((time.perf_counter() - start) / serial)
            assert serial >= AT_ONCE * CALLS * LATENCY
    assert min(ratios) < 0.25


@pytest.fixture
def threads(history: HistoryStore, monkeypatch: pytest.MonkeyPatch) -> dict[str, set[int]]:
    """The threads that each call of the store is made on."""
    seen: dict[str, set[int]] = {}

    def watched(name: str) -> Callable[..., Any]:
        method = getattr(type(history), name)

        @wraps(method)
        def call(self: HistoryStore, *args: Any, **kwargs: Any) -> Any:
            seen.setdefault(name, set()).add(get_ident())
            return method(self, *args, **kwargs)

        return call

    for name in STORE:
        monkeypatch.setattr(type(history), name, watched(name))
    return seen


@pytest.mark.parametrize("preset", ["t2mem", "memcot", "combined"])
async def test_no_call_of_the_store_is_made_on_the_event_loop(
    history: HistoryStore, threads: dict[str, set[int]], preset: Preset
) -> None:
    said = Turn(session_id="n", index=0, speaker="Mia", role="speaker", text="Bolt learned to swim.")
    session = Session(session_id="n", turns=(said,)).model_dump(mode="json")
    await create_ingest_graph(history).ainvoke({"sessions": [session]})
    graph = create_recall_graph(history, preset=preset)
    asked = ("What is Mia's dog called?", "What did Mia and Tom say about Runa and the cello?", "Who is Zoltan?")
    await asyncio.gather(*(graph.ainvoke({"query": query}) for query in asked))
    assert threads.keys() >= {"put", "stage", "sessions", "turns"}
    assert [name for name, made_on in threads.items() if get_ident() in made_on] == []


async def test_every_awaited_call_of_the_store_leaves_the_event_loop(
    history: HistoryStore, threads: dict[str, set[int]]
) -> None:
    sessions = [await history.asession("s1")]
    how = {"describer": "extractive", "form": "wiki"}
    await history.achanges(sessions, **how)
    await history.astage(sessions)
    await history.aput(await history.astaged(["s1"]), {}, **how)
    await history.aunstage(["s1"])
    await history.asearch_episodes(Search("beagle"))
    await history.asearch_turns(Search("beagle"))
    await history.asessions()
    await history.aepisodes(["s1"])
    await history.aturns(["s1:0"])
    await history.awindow("s1", 0, 1)
    await history.astats()
    await history.adelete("s1")
    await history.aclear()
    assert sorted(threads) == STORE
    assert [name for name, made_on in threads.items() if get_ident() in made_on] == []


@pytest.fixture
def long_history() -> Iterator[HistoryStore]:
    """Six hundred turns of words that few of them share."""
    with ChromaHistory.open(None, embeddings=HashEmbedder()) as memory:
        history = memory.at("long")
        history.put([_session(number) for number in range(20)], {}, describer="extractive", form="wiki")
        history.search_turns("word1")  # the index is built at the first search
        yield history


async def test_the_event_loop_is_not_held_up_by_the_store(long_history: HistoryStore) -> None:
    """In processor time of this process, so that another's work is not taken for ours; the best of three tries."""

    async def recalls() -> None:
        await asyncio.gather(*(_look_up(long_history, number) for number in range(AT_ONCE)))

    held_up: list[float] = []
    while len(held_up) < TRIES and min(held_up, default=1.0) >= 0.05:
        gc.collect()
        held_up.append(await _longest_hold_up(recalls))
    assert min(held_up) < 0.05


async def test_what_holds_the_event_loop_up_is_seen() -> None:
    """A check of the measure above."""

    async def blocking() -> None:
        until = time.process_time() + 0.1
        while time.process_time() < until:
            pass

    assert await _longest_hold_up(blocking) >= 0.1


async def _longest_hold_up(work: Callable[[], Awaitable[None]], *, every: float = 0.005) -> float:
    """The most processor time that passed between two beats of a task that only sleeps."""
    gaps: list[float] = []
    done = asyncio.Event()

    async def beat() -> None:
        while not done.is_set():
            start = time.process_time()
            await asyncio.sleep(every)
            gaps.append(time.process_time() - start)

    heart = asyncio.create_task(beat())
    await asyncio.sleep(2 * every)
    await work()
    done.set()
    await heart
    return max(gaps)


async def _look_up(history: HistoryStore, number: int) -> None:
    query = f"word{number} word{number * 7} word{number * 31}"
    await history.asearch_episodes(Search(query))
    hits = await history.asearch_turns(Search(query, tokens=1000))
    await history.aturns(hit.id for hit in hits)
    await history.awindow(f"s{number % 20}", 3, 2)
    await history.asession(f"s{number % 20}")


def _session(number: int) -> Session:
    name = f"s{number}"
    turns = tuple(
        Turn(
            session_id=name,
            index=index,
            speaker=("Mia", "Tom")[index % 2],
            role="speaker",
            text=" ".join(f"word{(number * 389 + index * 41 + place * 97) % 1999}" for place in range(15)),
        )
        for index in range(30)
    )
    return Session(session_id=name, turns=turns)
