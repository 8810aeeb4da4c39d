"""The recall graph as a tool: what the model sees of it, what it gets back, and whose history is asked."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.checkpoint.memory import InMemorySaver
from syrupy.assertion import SnapshotAssertion

from langrecall.agents.tool import create_recall_tool
from langrecall.errors import NamespaceError
from langrecall.graphs.ingest import create_ingest_graph
from langrecall.state import RecallOutput
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder, ScriptedChatModel

DOG = "What is the name of the beagle that Mia adopted?"
STEP = {
    "reasoning": "so",
    "memory": [{"text": "Mia adopted a beagle called Bolt.", "sources": ["s:0"], "quote": "I adopted a beagle called Bolt."}],
    "missing": [],
    "action": "answer",
    "argument": "",
}  # fmt: skip
ENOUGH = {"reasoning": "so", "sufficient": True, "missing": [], "queries": [], "evolution": "none"}


@dataclass
class User:
    name: str
    namespace: str


@pytest.fixture
def memory() -> Iterator[ChromaHistory]:
    memory = ChromaHistory.open(None, embeddings=HashEmbedder())
    for namespace, dog in {"mia": "Bolt", "tom": "Rex"}.items():
        lines = [f"I adopted a beagle called {dog}.", "How lovely!"]
        turns = [
            {"session_id": "s", "index": place, "speaker": ("Mia", "Tom")[place], "role": "speaker", "text": text}
            for place, text in enumerate(lines)
        ]
        session = {"session_id": "s", "time": "2024-03-04T18:30", "turns": turns}
        create_ingest_graph(memory.at(namespace)).invoke({"sessions": [session]})
    yield memory
    memory.close()


def calling(query: str, call_id: str = "c1") -> AIMessage:
    return AIMessage("", tool_calls=[{"name": "recall", "args": {"query": query}, "id": call_id}])


def agent(tool: Any, *replies: Any, **options: Any) -> tuple[Any, ScriptedChatModel]:
    model = ScriptedChatModel(replies=list(replies))
    return create_agent(model, [tool], **options), model


def tool_messages(result: dict[str, Any]) -> list[ToolMessage]:
    return [message for message in result["messages"] if isinstance(message, ToolMessage)]


@pytest.mark.parametrize("query", ["", " "])
@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
def test_a_blank_question_is_sent_back_and_the_turn_goes_on(memory: ChromaHistory, query: str, way: str) -> None:
    asking, _ = agent(create_recall_tool(memory.at("mia")), calling(query), "What shall I look up?")
    given = {"messages": [("user", "Hm.")]}
    result = asking.invoke(given) if way == "invoke" else asyncio.run(asking.ainvoke(given))
    (told,) = tool_messages(result)
    assert (told.status, told.artifact) == ("error", None)
    assert str(told.content).startswith(f"query is {query!r}: give the question as text")
    assert result["messages"][-1].content == "What shall I look up?"


def test_the_model_sees_a_question_and_nothing_else(memory: ChromaHistory, snapshot: SnapshotAssertion) -> None:
    tool = create_recall_tool(memory)
    assert json.dumps(convert_to_openai_tool(tool), indent=1, sort_keys=True) == snapshot


def test_name_and_description_are_the_callers(memory: ChromaHistory) -> None:
    tool = create_recall_tool(memory, name="diary", description="Look into the diary.")
    shown = convert_to_openai_tool(tool)["function"]
    assert (shown["name"], shown["description"]) == ("diary", "Look into the diary.")


def test_an_agent_gets_the_answer_with_its_sources_and_the_rest_as_artifact(
    memory: ChromaHistory, snapshot: SnapshotAssertion
) -> None:
    recalling = ScriptedChatModel(replies=[STEP, ENOUGH, "A beagle called Bolt [1]."])
    graph, model = agent(create_recall_tool(memory.at("mia"), recalling), calling(DOG), "Bolt.")
    (message,) = tool_messages(graph.invoke({"messages": [("user", "What is my dog called?")]}))
    assert message.content == snapshot
    assert message.artifact.keys() == RecallOutput.__annotations__.keys()
    assert message.artifact["citations"][0]["turn"] == "s:0"
    json.dumps(message.artifact)
    assert message.text in model.calls[1].text


@pytest.mark.parametrize(
    ("schema", "context"),
    [(User, User("Tom", "tom")), (None, {"name": "Tom", "namespace": "tom"})],
    ids=["object", "dict"],
)
async def test_the_namespace_is_that_of_the_agents_context(memory: ChromaHistory, schema: Any, context: Any) -> None:
    tool = create_recall_tool(memory)
    for awaited in (False, True):
        graph, _ = agent(tool, calling(DOG), "Rex.", context_schema=schema)
        given: Any = {"messages": [("user", "What is my dog called?")]}
        result = await graph.ainvoke(given, context=context) if awaited else graph.invoke(given, context=context)
        (message,) = tool_messages(result)
        assert "Rex" in message.text
        assert "Bolt" not in str(message)


def test_the_model_cannot_choose_a_namespace(memory: ChromaHistory) -> None:
    tool = create_recall_tool(memory.at("mia"))
    asked = {"name": "recall", "args": {"query": DOG, "namespace": "tom"}, "id": "c1", "type": "tool_call"}
    assert "Rex" not in str(tool.invoke(asked))


def test_without_a_namespace_there_is_an_error_and_no_default(memory: ChromaHistory) -> None:
    graph, _ = agent(create_recall_tool(memory), calling(DOG))
    with pytest.raises(NamespaceError, match="no namespace"):
        graph.invoke({"messages": [("user", "What is my dog called?")]})


def test_called_twice_at_once_it_does_not_mix(memory: ChromaHistory) -> None:
    both = AIMessage("", tool_calls=[*calling(DOG).tool_calls, *calling("Who said: how lovely?", "c2").tool_calls])
    graph, _ = agent(create_recall_tool(memory.at("mia")), both, "Done.", checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "one"}}
    first, second = tool_messages(graph.invoke({"messages": [("user", "Two things.")]}, config))
    alone = create_recall_tool(memory.at("mia"))
    assert [first.content, second.content] == [
        alone.invoke({"query": DOG}),
        alone.invoke({"query": "Who said: how lovely?"}),
    ]


def test_nothing_found_is_said_in_words(memory: ChromaHistory) -> None:
    said = create_recall_tool(memory.at("nobody")).invoke({"query": DOG})
    assert "Nothing in the earlier conversations answers this." in said


async def test_the_agents_streams_carry_its_steps_and_none_of_its_tokens(memory: ChromaHistory) -> None:
    recalling = ScriptedChatModel(replies=[STEP, ENOUGH, "A beagle called Bolt [1]."])
    graph, _ = agent(create_recall_tool(memory.at("mia"), recalling), calling(DOG), "It is Bolt.")
    given: Any = {"messages": [("user", "What is my dog called?")]}
    modes = ["custom", "messages"]
    events = [event async for event in graph.astream(given, stream_mode=modes, subgraphs=True)]
    assert [data["node"] for _, mode, data in events if mode == "custom"] == ["retrieve", "reason", "judge", "answer"]
    tokens = [data[0] for _, mode, data in events if mode == "messages"]
    assert "".join(token.text for token in tokens if not isinstance(token, ToolMessage)) == "It is Bolt."
