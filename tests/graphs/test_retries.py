"""What may work again later is tried again in one layer: by the client for a model, by `RetryPolicy` for the store."""

import asyncio
import json
import time
from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from langrecall.errors import ModelUnavailableError, StoreError, StoreUnavailableError, UnknownIdError
from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.records import Session, Turn
from langrecall.stores.base import HistoryStore
from langrecall.testing import ScriptedChatModel, ScriptedServer, ServerReply

QUERY: Any = {"query": "What is Mia's dog called?"}
ATTEMPTS = 3
"""LangGraph's own `RetryPolicy`, unchanged."""
RETRIES = 2
BEAGLE = {"text": "Mia's dog is called Bolt.", "sources": ["s1:2"], "quote": "He is called Bolt."}
STEP = {"reasoning": "so", "memory": [BEAGLE], "missing": [], "action": "answer", "argument": ""}
ENOUGH = {"reasoning": "so", "sufficient": True, "missing": [], "queries": [], "evolution": "none"}
NEW = Session(
    session_id="n", turns=(Turn(session_id="n", index=0, speaker="Mia", role="speaker", text="Bolt can swim."),)
)


class Flaky:
    """What is known of a method of the store that fails a number of times, then works."""

    def __init__(self, failures: int, error: StoreError) -> None:
        self.calls = 0
        self._failures, self._error = failures, error

    def count(self) -> None:
        self.calls += 1
        if self.calls <= self._failures:
            raise self._error


@pytest.fixture
def flaky(history: HistoryStore, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Flaky]:
    """Let a method of the store fail; it is set on the class, for a node asks a bound method for its async form."""

    def make(name: str, failures: int, error: StoreError | None = None) -> Flaky:
        known = Flaky(failures, error or StoreUnavailableError("no Chroma server answers"))
        method = getattr(type(history), name)

        @wraps(method)
        def failing(self: HistoryStore, *args: Any, **kwargs: Any) -> Any:
            known.count()
            return method(self, *args, **kwargs)

        monkeypatch.setattr(type(history), name, failing)
        return known

    return make


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two tries LangGraph waits for nothing."""

    async def at_once(seconds: float) -> None:
        await asyncio.sleep(0)

    def now(seconds: float) -> None:
        pass

    for module, sleep in ((time, now), (asyncio, at_once)):
        quick = ModuleType(module.__name__)
        vars(quick).update(vars(module) | {"sleep": sleep})
        monkeypatch.setattr(f"langgraph.pregel._retry.{module.__name__}", quick)


async def invoked(graph: Any, given: Any, *, awaited: bool) -> Any:
    return await graph.ainvoke(given) if awaited else graph.invoke(given)


both = pytest.mark.parametrize("awaited", [False, True], ids=["invoke", "ainvoke"])


@both
async def test_a_model_that_is_down_is_asked_by_its_client_alone(history: HistoryStore, awaited: bool) -> None:
    with ScriptedServer(lambda _: ServerReply.error(503, "loading", retry_after_ms="1")) as server:
        model = ChatOpenAI(model="small", base_url=server.url, api_key=SecretStr("none"), max_retries=RETRIES)
        with pytest.raises(ModelUnavailableError, match=r"'small' at .*: .*loading"):
            await invoked(create_recall_graph(history, model), QUERY, awaited=awaited)
        assert len(server.requests) == 1 + RETRIES


@both
async def test_a_model_that_comes_back_costs_the_other_calls_nothing(history: HistoryStore, awaited: bool) -> None:
    with ScriptedServer() as server:
        down = ServerReply.error(503, "loading", retry_after_ms="1")
        server.enqueue(down, json.dumps(STEP), down, down, json.dumps(ENOUGH), "Bolt [1].")
        model = ChatOpenAI(model="small", base_url=server.url, api_key=SecretStr("none"), max_retries=RETRIES)
        result = await invoked(create_recall_graph(history, model), QUERY, awaited=awaited)
        assert (result["answer"], result["usage"]["calls"], len(server.requests)) == ("Bolt [1].", 3, 6)


@both
async def test_a_store_that_stays_away_is_asked_three_times(
    history: HistoryStore, flaky: Callable[..., Flaky], awaited: bool
) -> None:
    search = flaky("search_episodes", failures=99)
    with pytest.raises(StoreUnavailableError, match="no Chroma server answers"):
        await invoked(create_recall_graph(history), QUERY, awaited=awaited)
    assert search.calls == ATTEMPTS


@both
@pytest.mark.parametrize("error", [StoreError("a damaged database"), UnknownIdError("no session 's9'")])
async def test_a_fault_that_stays_is_not_tried_again(
    history: HistoryStore, flaky: Callable[..., Flaky], awaited: bool, error: StoreError
) -> None:
    search = flaky("search_episodes", 1, error)
    with pytest.raises(type(error)):
        await invoked(create_recall_graph(history), QUERY, awaited=awaited)
    assert search.calls == 1


@both
@pytest.mark.parametrize("name", ["search_episodes", "sessions", "turns"])
async def test_a_store_that_comes_back_costs_no_model_call(
    history: HistoryStore, flaky: Callable[..., Flaky], awaited: bool, name: str
) -> None:
    method = flaky(name, failures=ATTEMPTS - 1)
    model = ScriptedChatModel(replies=[STEP, ENOUGH, "Bolt [1]."])
    result = await invoked(create_recall_graph(history, model), QUERY, awaited=awaited)
    assert method.calls >= ATTEMPTS
    assert (result["answer"], len(model.calls)) == ("Bolt [1].", 3)


async def test_a_store_that_fails_before_the_answer_repeats_none_of_its_tokens(
    history: HistoryStore, flaky: Callable[..., Flaky]
) -> None:
    model = ScriptedChatModel(replies=[STEP, ENOUGH, "Bolt [1]."])
    graph = create_recall_graph(history, model)
    tokens = []
    events: Any = graph.astream(QUERY, stream_mode=["messages", "updates"])
    async for mode, event in events:
        if mode == "updates" and "judge" in event:
            flaky("sessions", failures=1)
        if mode == "messages":
            tokens.append(event[0].text)
    assert "".join(tokens) == "Bolt [1]."


@both
@pytest.mark.parametrize("name", ["stage", "put"])
async def test_an_ingest_whose_store_comes_back_stores_once_and_describes_once(
    history: HistoryStore, flaky: Callable[..., Flaky], awaited: bool, name: str
) -> None:
    method = flaky(name, failures=1)
    entry = {"title": "Swimming", "topics": [], "events": [], "facts": [], "entities": []}
    model = ScriptedChatModel(replies=[entry])
    ingest = create_ingest_graph(history, model)
    result = await invoked(ingest, {"sessions": [NEW.model_dump(mode="json")]}, awaited=awaited)
    assert result["report"]["sessions"]["created"] == 1
    assert (method.calls, len(model.calls)) == (2, 1)
    assert history.session("n") == NEW
