"""A chat model on the server: named by a run's context, streamed to the client as the answer's tokens alone."""

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import pytest
from langgraph_sdk import get_client

from langrecall.testing import ScriptedServer, ServerRequest

pytestmark = pytest.mark.studio

STEP = {
    "reasoning": "the name is said",
    "memory": [{"sources": ["s:0"], "quote": "The dog is called Bolt.", "text": "Mia's dog is called Bolt."}],
    "missing": [],
    "action": "answer",
    "argument": "",
}
VERDICT = {"reasoning": "it is there", "sufficient": True, "missing": [], "queries": [], "evolution": "none"}
ANSWER = "The dog is called Bolt [1]."
TALK: Any = {
    "session_id": "s",
    "turns": [{"session_id": "s", "index": 0, "speaker": "Mia", "role": "speaker", "text": "The dog is called Bolt."}],
}


class Server(Protocol):
    url: str
    log: str


class Starter(Protocol):
    def __call__(self, folder: Path, environ: dict[str, str]) -> AbstractContextManager[Server]: ...


def thinking(request: ServerRequest) -> str:
    """What a well-behaved model says in each role."""
    if "<actions>" in request.text:
        return json.dumps(STEP)
    return json.dumps(VERDICT) if "Current search:" in request.text else ANSWER


@pytest.fixture
def model() -> Iterator[ScriptedServer]:
    with ScriptedServer(thinking) as server:
        yield server


async def test_messages_carry_the_answer_alone(start_server: Starter, model: ScriptedServer, tmp_path: Path) -> None:
    environ = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "none", "LANGRECALL_ALLOWED_MODELS": "openai:scripted"}
    context: Any = {"namespace": "mia"}
    with start_server(tmp_path, environ) as server:
        async with get_client(url=server.url, api_key=None) as client:
            await client.runs.wait(None, "ingest", input={"sessions": [TALK]}, context=context)
            parts: Any = [
                part
                async for part in client.runs.stream(
                    None,
                    "recall",
                    input={"query": "What is the dog called?"},
                    context=context | {"model": "openai:scripted"},
                    stream_mode=["messages-tuple", "values"],
                )
            ]
        assert "Heads up! LangGraph dev" not in server.log
    tokens = [part.data[0]["content"] for part in parts if part.event == "messages"]
    assert len(tokens) > 3
    assert "".join(tokens) == ANSWER
    assert {part.data[1]["langgraph_node"] for part in parts if part.event == "messages"} == {"answer"}
    final = parts[-1].data
    assert (final["answer"], final["usage"]["calls"], final["stop_reason"]) == (ANSWER, 3, "sufficient")
