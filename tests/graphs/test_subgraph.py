"""The recall graph inside a larger graph: as a node that shares keys, and through a function."""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Overwrite, Send
from typing_extensions import TypedDict

from langrecall.errors import NamespaceError
from langrecall.graphs.recall import build_recall, create_recall_graph
from langrecall.settings import Settings
from langrecall.state import Citation, MemoryLine, RecallOutput
from langrecall.stores.base import HistoryMemory, HistoryStore

DOG = "What is the name of the beagle that Mia adopted?"
PIANO = "For how much did Mia sell the piano?"
REGATTA = "Which boat won the regatta?"
TOLD = {DOG: "Bolt", PIANO: "1,900 euros", REGATTA: "Heron"}


class Shared(TypedDict, total=False):
    query: str
    topic: str
    answer: str
    citations: Annotated[list[Citation], operator.add]
    memory: Annotated[list[MemoryLine], operator.add]
    reply: str


@dataclass
class Session:
    user: str
    namespace: str
    model: str = "the parent's own, which is none of ours"


class Loose(TypedDict):
    user: str
    namespace: str
    max_steps: str


def parent(recall: Any, *, context: Any = None, checkpointer: Any = None) -> Any:
    """prepare → recall → finish, over keys of which some are recall's."""

    def prepare(state: Shared) -> Shared:
        return {"query": f"{state['topic']}"}

    def finish(state: Shared) -> Shared:
        return {"reply": f"{state['answer']} ({len(state['citations'])})"}

    graph = StateGraph(Shared, context_schema=context)
    graph.add_node(prepare)
    graph.add_node("recall", recall)
    graph.add_node(finish)
    graph.add_edge(START, "prepare")
    graph.add_edge("prepare", "recall")
    graph.add_edge("recall", "finish")
    graph.add_edge("finish", END)
    return graph.compile(checkpointer=checkpointer)


@pytest.fixture
def alone(history: HistoryStore) -> Callable[[str], dict[str, Any]]:
    """What the recall graph answers by itself."""
    return lambda query: create_recall_graph(history).invoke({"query": query})


@pytest.fixture
def config() -> Any:
    return {"configurable": {"thread_id": "one"}}


def test_a_node_shares_keys_and_duplicates_no_list(history: HistoryStore, alone: Any) -> None:
    own = alone(DOG)
    before = [{"id": "p", "text": "of the parent", "sources": [], "quote": "", "verified": False}]
    result = parent(create_recall_graph(history)).invoke({"topic": DOG, "memory": before})
    assert result["answer"] == own["answer"]
    assert result["citations"] == own["citations"]
    assert result["memory"] == [*before, *own["memory"]]
    assert result["reply"].endswith(f"({len(own['citations'])})")


@pytest.mark.parametrize(
    ("schema", "context"),
    [
        (Session, Session("Mia", "mia")),
        (Session, {"user": "Mia", "namespace": "mia"}),
        (Loose, {"user": "Mia", "namespace": "mia", "max_steps": "the parent's own"}),
        (None, {"user": "Mia", "namespace": "mia"}),
        (Settings, {"namespace": "mia", "max_steps": 1}),
    ],
    ids=["object", "object from a dict", "typed dict", "no schema", "settings"],
)
async def test_the_namespace_is_that_of_the_parents_context(memory: HistoryMemory, schema: Any, context: Any) -> None:
    graph = parent(create_recall_graph(memory), context=schema)
    assert "Bolt" in graph.invoke({"topic": DOG}, context=context)["answer"]
    assert "Bolt" in (await graph.ainvoke({"topic": DOG}, context=context))["answer"]


def test_settings_reach_the_node_through_a_parent_that_has_them_as_context(memory: HistoryMemory) -> None:
    graph = parent(create_recall_graph(memory), context=Settings)
    context = {"namespace": "mia", "rollout": False}
    steps = [step for _, step in graph.stream({"topic": DOG}, context=context, stream_mode="custom", subgraphs=True)]
    assert [step["node"] for step in steps] == ["retrieve", "answer"]


@pytest.mark.parametrize("context", [None, {"user": "Mia"}])
def test_without_a_namespace_anywhere_there_is_an_error(memory: HistoryMemory, context: Any) -> None:
    with pytest.raises(NamespaceError, match="no namespace"):
        parent(create_recall_graph(memory)).invoke({"topic": DOG}, context=context)


@pytest.mark.parametrize("wrapped", [False, True], ids=["node", "function"])
async def test_streams_of_the_parent_carry_its_events(history: HistoryStore, wrapped: bool) -> None:
    recall = create_recall_graph(history)

    async def through(state: Shared) -> Shared:
        result: Any = await recall.ainvoke({"query": state["query"]})
        return {"answer": result["answer"], "citations": result["citations"]}

    graph = parent(through if wrapped else recall)
    modes = ["custom", "updates"]
    events = [event async for event in graph.astream({"topic": DOG}, stream_mode=modes, subgraphs=True)]
    inside = [(mode, data) for place, mode, data in events if place and place[0].startswith("recall:")]
    steps = [data["node"] for mode, data in inside if mode == "custom"]
    assert steps[0] == "retrieve"
    assert steps[-1] == "answer"
    assert steps == [node for mode, data in inside if mode == "updates" for node in data]


def test_parents_checkpointer_serves_it_and_an_interrupt_inside_resumes(history: HistoryStore, config: Any) -> None:
    recall = build_recall(history).compile(interrupt_before=["answer"])
    graph = parent(recall, checkpointer=InMemorySaver())
    graph.invoke({"topic": DOG}, config)
    stopped = graph.get_state(config, subgraphs=True)
    (task,) = stopped.tasks
    assert (stopped.next, task.state.next) == (("recall",), ("answer",))
    assert task.state.values["query"] == DOG
    result = graph.invoke(None, config)
    assert "Bolt" in result["reply"]
    assert not graph.get_state(config).next


async def test_memory_inside_is_edited_through_the_parent(history: HistoryStore, config: Any) -> None:
    recall = build_recall(history).compile(interrupt_before=["answer"])
    graph = parent(recall, checkpointer=InMemorySaver())
    await graph.ainvoke({"topic": DOG}, config)
    inner = (await graph.aget_state(config, subgraphs=True)).tasks[0].state.config
    line = MemoryLine(id="e", text="He is called Bolt.", sources=["s1:2"], quote="He is called Bolt.", verified=True)
    await graph.aupdate_state(inner, {"memory": Overwrite([line])})
    result = await graph.ainvoke(None, config)
    assert result["memory"] == [line]
    assert [citation["turn"] for citation in result["citations"]] == ["s1:2"]


def test_an_interrupt_inside_a_function_resumes_where_it_stopped(history: HistoryStore, config: Any) -> None:
    recall = build_recall(history).compile(interrupt_before=["answer"])

    def through(state: Shared) -> Shared:
        result: Any = recall.invoke({"query": state["query"]})
        return {"answer": result["answer"], "citations": result["citations"]}

    graph = parent(through, checkpointer=InMemorySaver())
    graph.invoke({"topic": DOG}, config)
    assert graph.get_state(config).next == ("recall",)
    resumed: Any = list(graph.stream(None, config, stream_mode="custom", subgraphs=True))
    assert [step["node"] for _, step in resumed] == ["answer"]
    assert "Bolt" in graph.get_state(config).values["reply"]


def test_a_second_question_on_the_parents_thread_starts_clean(history: HistoryStore, alone: Any, config: Any) -> None:
    graph = parent(create_recall_graph(history), checkpointer=InMemorySaver())
    first, second = alone(DOG), alone(PIANO)
    graph.invoke({"topic": DOG}, config)
    result = graph.invoke({"topic": PIANO}, config)
    assert result["answer"] == second["answer"]
    assert result["citations"] == [*first["citations"], *second["citations"]]


class Fan(TypedDict, total=False):
    questions: list[str]
    results: Annotated[list[tuple[str, RecallOutput]], operator.add]
    answer: Annotated[list[str], lambda old, new: [*old, new] if isinstance(new, str) else [*old, *new]]


@pytest.mark.parametrize("checkpointer", [None, InMemorySaver()], ids=["no checkpointer", "checkpointer"])
async def test_parallel_copies_do_not_mix(history: HistoryStore, alone: Any, config: Any, checkpointer: Any) -> None:
    recall = create_recall_graph(history)

    async def ask(state: Any) -> dict[str, Any]:
        result = await recall.ainvoke({"query": state["query"]})
        return {"results": [(state["query"], result)]}

    graph = StateGraph(Fan)
    graph.add_node("ask", ask)
    graph.add_conditional_edges(START, lambda _: [Send("ask", {"query": query}) for query in TOLD], ["ask"])
    found = await graph.compile(checkpointer=checkpointer).ainvoke({"questions": list(TOLD)}, config)
    for query, result in found["results"]:
        own = alone(query)
        assert TOLD[query] in result["answer"]
        assert (result["answer"], result["citations"], result["memory"]) == (
            own["answer"],
            own["citations"],
            own["memory"],
        )
    assert [query for query, _ in found["results"]] == list(TOLD)


@pytest.mark.parametrize("checkpointer", [None, True], ids=["no checkpointer", "checkpointer"])
def test_parallel_copies_of_the_node_itself_do_not_mix(
    history: HistoryStore, alone: Any, config: Any, checkpointer: bool | None
) -> None:
    graph = StateGraph(Fan)
    graph.add_node("recall", create_recall_graph(history))
    graph.add_conditional_edges(START, lambda _: [Send("recall", {"query": query}) for query in TOLD], ["recall"])
    found = graph.compile(checkpointer=InMemorySaver() if checkpointer else None).invoke({"questions": []}, config)
    assert found["answer"] == [alone(query)["answer"] for query in TOLD]
