"""What a stream carries: one typed event a node, and of the model's tokens the answer's alone."""

import json
from collections.abc import Mapping
from typing import Any, get_args, get_origin

import pytest

from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.ingest_state import IngestEvent
from langrecall.records import Session
from langrecall.settings import Preset
from langrecall.state import TrajectoryStep
from langrecall.stores.base import HistoryStore
from langrecall.testing import ScriptedChatModel

QUERY: Any = {"query": "What is Mia's dog called?"}
BEAGLE = {"text": "Mia's dog is called Bolt.", "sources": ["s1:2"], "quote": "He is called Bolt."}
STEP = {"reasoning": "so", "memory": [BEAGLE], "missing": [], "action": "answer", "argument": ""}
MORE = {"reasoning": "so", "sufficient": False, "missing": ["more"], "queries": ["Bolt shoe"], "evolution": "pruned"}
ENOUGH = MORE | {"sufficient": True, "missing": [], "queries": []}
ANSWER = "The dog is called Bolt [1]."
SCRIPT = [STEP, MORE, STEP, ENOUGH, ANSWER]


def fits(value: object, kind: Any) -> bool:
    """Whether a value of plain JSON is of a type as an event's annotation writes it."""
    if get_origin(kind) is list:
        return isinstance(value, list) and all(fits(item, get_args(kind)[0]) for item in value)
    if get_args(kind):
        return value in get_args(kind)
    if isinstance(kind, type) and hasattr(kind, "__total__"):
        return isinstance(value, Mapping) and is_event(value, kind)
    return isinstance(value, int | float if kind is float else kind)


def is_event(value: Mapping[str, Any], kind: Any) -> bool:
    return value.keys() == kind.__annotations__.keys() and all(
        fits(value[name], part) for name, part in kind.__annotations__.items()
    )


@pytest.mark.parametrize("preset", ["t2mem", "memcot", "combined"])
def test_every_node_emits_one_step_of_the_documented_type(history: HistoryStore, preset: Preset) -> None:
    graph = create_recall_graph(history, preset=preset)
    events: Any = list(graph.stream(QUERY, stream_mode=["custom", "updates"]))
    steps = [event for mode, event in events if mode == "custom"]
    assert all(is_event(step, TrajectoryStep) for step in steps)
    assert [step["node"] for step in steps] == [node for mode, event in events if mode == "updates" for node in event]
    assert len({step["id"] for step in steps}) == len(steps)


def test_ingest_emits_its_progress(history: HistoryStore) -> None:
    sessions = [Session(session_id=f"n{n}").model_dump(mode="json") | _turns(f"n{n}") for n in range(3)]
    events: Any = list(create_ingest_graph(history).stream({"sessions": sessions}, stream_mode="custom"))
    assert all(is_event(event, IngestEvent) for event in events)
    assert [event["node"] for event in events] == ["stage", "describe", "describe", "describe", "commit"]
    assert {event["total"] for event in events} == {3}


def test_messages_carry_the_tokens_of_the_answer_alone(history: HistoryStore) -> None:
    model = ScriptedChatModel(replies=list(SCRIPT))
    streamed: Any = list(create_recall_graph(history, model).stream(QUERY, stream_mode="messages", subgraphs=True))
    assert len(model.calls) == len(SCRIPT)
    tokens = [message.text for _, (message, _) in streamed]
    assert len(tokens) > 3
    assert "".join(tokens) == ANSWER


@pytest.mark.parametrize("thoughts", ["<thought>Who is Bolt? [2]</thought>\n", "<think>A dog</think>"])
async def test_messages_carry_no_thoughts(history: HistoryStore, thoughts: str) -> None:
    graph = create_recall_graph(history, ScriptedChatModel(replies=[*SCRIPT[:-1], f"{thoughts}{ANSWER}"] * 2))
    streamed: Any = list(graph.stream(QUERY, stream_mode="messages"))
    awaited: Any = [chunk async for chunk in graph.astream(QUERY, stream_mode="messages")]
    for chunks in (streamed, awaited):
        assert "".join(message.text for message, _ in chunks) == ANSWER
        assert len([message for message, _ in chunks if message.text]) > 3
        assert thoughts.strip() in "".join(
            message.additional_kwargs.get("reasoning_content", "") for message, _ in chunks
        )


def test_thoughts_that_an_earlier_reply_closed_without_opening_are_held_back_too(history: HistoryStore) -> None:
    closing = [f"so it is</think>{json.dumps(reply)}" for reply in SCRIPT[:-1]]
    graph = create_recall_graph(history, ScriptedChatModel(replies=[*closing, f"A dog.</think>{ANSWER}"]))
    streamed: Any = list(graph.stream(QUERY, stream_mode="messages"))
    assert "".join(message.text for message, _ in streamed) == ANSWER


async def test_messages_carry_the_tokens_of_the_answer_alone_when_awaited(history: HistoryStore) -> None:
    model = ScriptedChatModel(replies=list(SCRIPT))
    graph = create_recall_graph(history, model)
    streamed: Any = [chunk async for chunk in graph.astream(QUERY, stream_mode="messages")]
    assert "".join(message.text for message, _ in streamed) == ANSWER
    assert {metadata["langgraph_node"] for _, metadata in streamed} == {"answer"}


def _turns(session_id: str) -> dict[str, Any]:
    turn = {"session_id": session_id, "index": 0, "speaker": "Mia", "role": "speaker", "text": "The choir sang again."}
    return {"turns": [turn]}
