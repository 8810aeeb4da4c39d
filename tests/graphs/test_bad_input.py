"""What cannot be answered is one clear error, whichever way the graph is called; the same over HTTP: tests/studio/test_server.py."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Overwrite

from langrecall.errors import (
    InputError,
    LangRecallError,
    ModelConfigError,
    NamespaceError,
    SettingsError,
    UnknownIdError,
)
from langrecall.graphs.ingest import build_ingest, create_ingest_graph
from langrecall.graphs.recall import build_recall, create_recall_graph
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory

DOG = "What is the name of the beagle that Mia adopted?"
THREAD: Any = {"configurable": {"thread_id": "one"}}
GONE = r"which this history does not hold \(any more\): ask the question anew"
NODES = ("reason", "judge", "answer")

Call = Callable[..., Any]


def invoke(graph: Any, *args: Any, **options: Any) -> Any:
    return graph.invoke(*args, **options)


def ainvoke(graph: Any, *args: Any, **options: Any) -> Any:
    return asyncio.run(graph.ainvoke(*args, **options))


def stream(graph: Any, *args: Any, **options: Any) -> Any:
    return list(graph.stream(*args, stream_mode="values", **options))[-1]


ways = pytest.mark.parametrize("call", [invoke, ainvoke, stream])


def fault(call: Callable[[], Any]) -> tuple[type[LangRecallError], str]:
    with pytest.raises(LangRecallError) as raised:
        call()
    return raised.type, str(raised.value)


MIA = {"namespace": "mia"}
IN_BOTH: list[tuple[Any, type[LangRecallError], str]] = [
    (None, NamespaceError, "no namespace: pass context="),
    ({}, NamespaceError, "no namespace: pass context="),
    ({"namespace": ""}, NamespaceError, "no namespace: pass context="),
    ({"namespace": 7}, SettingsError, "setting 'namespace' is 7: "),
    (MIA | {"model": "openai:b"}, ModelConfigError, "model 'openai:b' is not allowed here: the allowed models are "),
    (MIA | {"model": "gpt"}, ModelConfigError, "model 'gpt' is not allowed here: the allowed models are extractive, "),
]
IN_RECALL: list[tuple[Any, type[LangRecallError], str]] = [
    (
        MIA | {"max_stesp": 3},
        SettingsError,
        "unknown setting 'max_stesp': did you mean 'max_steps'? the settings are preset, namespace, ",
    ),
    (MIA | {"max_steps": 0}, SettingsError, "setting 'max_steps' is 0: input should be greater than or equal to 1"),
    (MIA | {"preset": "t3mem"}, SettingsError, "setting 'preset' is 't3mem': input should be 't2mem', 'memcot' or "),
]
IN_INGEST: list[tuple[Any, type[LangRecallError], str]] = [
    (
        MIA | {"max_steps": 3},
        SettingsError,
        "unknown setting 'max_steps': the settings are namespace, model, form, wave",
    ),
    (MIA | {"wave": 0}, SettingsError, "setting 'wave' is 0: input should be greater than or equal to 1"),
]


@ways
@pytest.mark.parametrize(("context", "kind", "message"), IN_BOTH + IN_RECALL)
def test_a_context_that_recall_cannot_use(
    memory: ChromaHistory, call: Call, context: Any, kind: type[LangRecallError], message: str
) -> None:
    graph = build_recall(memory, allowed_models={"extractive", "openai:a"}).compile()
    raised, told = fault(lambda: call(graph, {"query": DOG}, context=context))
    assert raised is kind
    assert told.startswith(message)
    assert "\n" not in told


@ways
@pytest.mark.parametrize(("context", "kind", "message"), IN_BOTH + IN_INGEST)
def test_a_context_that_ingest_cannot_use(
    memory: ChromaHistory, call: Call, context: Any, kind: type[LangRecallError], message: str
) -> None:
    graph = build_ingest(memory, allowed_models={"extractive", "openai:a"}).compile()
    given = {"sessions": [{"session_id": "n", "turns": [{"speaker": "Mia", "text": "Hello."}]}]}
    raised, told = fault(lambda: call(graph, given, context=context))
    assert raised is kind
    assert told.startswith(message)
    assert "\n" not in told
    assert memory.namespaces() == ["mia"]


@ways
@pytest.mark.parametrize("preset", ["t2mem", "memcot", "combined"])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "no query: give the question as text"),
        ({"question": DOG}, "no query: give the question as text"),
        ({"query": None}, "query is None: give the question as text"),
        ({"query": 5}, "query is 5: give the question as text"),
        ({"query": " \n"}, "query is ' \\n': give the question as text"),
        ({"query": DOG, "query_time": "not a time"}, "query_time is 'not a time': give an ISO time, such as "),
        ({"query": DOG, "query_time": 1710000000}, "query_time is 1710000000: give an ISO time, such as "),
    ],
)
def test_a_question_that_cannot_be_asked(
    memory: ChromaHistory, call: Call, preset: Any, given: Any, message: str
) -> None:
    raised, told = fault(lambda: call(create_recall_graph(memory.at("mia"), preset=preset), given))
    assert raised is InputError
    assert told.startswith(message)
    assert "\n" not in told


@pytest.mark.parametrize("asked", [None, "", "2024-05-31", "2024-05-31T18:30+02:00"])
def test_a_time_of_asking_may_be_left_out_or_be_any_iso_time(memory: ChromaHistory, asked: str | None) -> None:
    assert "Bolt" in create_recall_graph(memory.at("mia")).invoke({"query": DOG, "query_time": asked})["answer"]


def test_a_missing_namespace_tells_a_client_of_the_server_first_what_it_can_do(memory: ChromaHistory) -> None:
    _, told = fault(lambda: create_recall_graph(memory).invoke({"query": DOG}))
    assert (
        told
        == 'no namespace: pass context={"namespace": ...} with the run, or (from Python) bind the history with memory.at(...)'
    )


@ways
def test_a_namespace_that_is_not_the_bound_one(memory: ChromaHistory, call: Call) -> None:
    graph = create_recall_graph(memory.at("mia"))
    assert fault(lambda: call(graph, {"query": DOG}, context={"namespace": "tom"}))[0] is NamespaceError
    assert "Bolt" in call(graph, {"query": DOG}, context={"namespace": "mia"})["answer"]


@ways
@pytest.mark.parametrize("node", NODES)
def test_resuming_over_a_deleted_history(memory: ChromaHistory, call: Call, node: str) -> None:
    graph = build_recall(memory.at("mia")).compile(checkpointer=InMemorySaver(), interrupt_before=[node])
    call(graph, {"query": DOG}, THREAD)
    memory.at("mia").clear()
    raised, told = fault(lambda: call(graph, None, THREAD))
    assert raised is UnknownIdError
    assert told.startswith("the last observation shows 's" if node == "reason" else "the memory rests on turn 's1:")
    assert told.endswith(GONE.replace("\\", ""))


@pytest.mark.parametrize("settings", [{}, {"raw_policy": "model"}, {"metadata": False}])
@pytest.mark.parametrize("rollout", [True, False])
def test_nothing_is_told_of_a_session_that_was_deleted_meanwhile(
    memory: ChromaHistory, settings: dict[str, Any], rollout: bool
) -> None:
    history = memory.at("mia")
    builder = build_recall(history, settings=settings | {"rollout": rollout})
    graph = builder.compile(checkpointer=InMemorySaver(), interrupt_after=["retrieve"])
    graph.invoke({"query": DOG}, THREAD)
    history.delete("s1")
    with pytest.raises(UnknownIdError, match=GONE):
        graph.invoke(None, THREAD)
    assert "Bolt." not in str(create_recall_graph(history).invoke({"query": "How is the beagle called?"})["memory"])


@ways
@pytest.mark.parametrize("node", NODES)
def test_resuming_a_checkpoint_of_another_version(memory: ChromaHistory, call: Call, node: str) -> None:
    graph = build_recall(memory.at("mia")).compile(checkpointer=InMemorySaver(), interrupt_before=[node])
    call(graph, {"query": DOG}, THREAD)
    graph.update_state(THREAD, {"version": 0})
    assert fault(lambda: call(graph, None, THREAD)) == (
        InputError,
        "this question was begun with state version 0, and this is version 2: ask it anew",
    )


@ways
def test_a_thread_with_a_checkpoint_of_another_version_takes_new_questions(memory: ChromaHistory, call: Call) -> None:
    saver = InMemorySaver()
    stopped = build_recall(memory.at("mia")).compile(checkpointer=saver, interrupt_before=["reason"])
    call(stopped, {"query": "Who sold the piano?"}, THREAD)
    stopped.update_state(THREAD, {"version": 0})
    assert "Bolt" in call(create_recall_graph(memory.at("mia"), checkpointer=saver), {"query": DOG}, THREAD)["answer"]


@ways
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "no sessions: give a list, "),
        ({"session": []}, "no sessions: give a list, "),
        ({"sessions": None}, "sessions is None: give a list, "),
        ({"sessions": "no"}, "sessions is 'no': give a list, "),
        ({"sessions": {"session_id": "n"}}, "sessions is {'session_id': 'n'}: give a list, "),
    ],
)
def test_an_ingest_without_a_list_of_sessions(memory: ChromaHistory, call: Call, given: Any, message: str) -> None:
    raised, told = fault(lambda: call(create_ingest_graph(memory.at("mia")), given))
    assert raised is InputError
    assert told.startswith(message)


@ways
@pytest.mark.parametrize(
    ("sessions", "message"),
    [
        ([{"session_id": "n", "turns": [{"text": "Hello."}]}], "session 0 of the input, field 'turns.0.speaker': "),
        ([{"turns": []}], "session 0 of the input, field 'session_id': field required"),
        (["n"], "session 0 of the input is a string: make it an object with a session_id and turns"),
        ([{"session_id": "n"}, None], "session 1 of the input is null: make it an object"),
        ([{"session_id": "n"}, {"session_id": "n"}], "session id 'n' comes twice in the input: "),
    ],
)
def test_sessions_that_cannot_be_used(memory: ChromaHistory, call: Call, sessions: Any, message: str) -> None:
    raised, told = fault(lambda: call(create_ingest_graph(memory.at("mia")), {"sessions": sessions}))
    assert raised is InputError
    assert told.startswith(message)


LINE = {
    "id": "mine",
    "text": "Mia's dog is Bolt.",
    "sources": ["s1:2"],
    "quote": "He is called Bolt.",
    "verified": True,
}


@pytest.mark.parametrize(
    ("node", "edit", "fault"),
    [
        (
            "answer",
            {"memory": [LINE | {"sources": ["my own note"]}]},
            "its source 'my own note' is no turn id: give ids",
        ),
        ("answer", {"memory": [LINE | {"quote": None}]}, "its quote is None: give a text"),
        ("answer", {"memory": [{"id": "mine", "text": "Bolt."}]}, "no sources: give a list"),
        ("reason", {"observation": Overwrite([])}, "observation is empty: the search rests on it"),
        ("reason", {"step": 3}, "no observation of step 3: set step to that of the last one"),
        ("judge", {"queries": Overwrite([])}, "queries is empty"),
        ("judge", {"argument": None}, "argument is None: leave it a text"),
    ],
)
def test_a_state_that_was_edited_out_of_shape_is_one_clear_line(
    history: HistoryStore, node: str, edit: dict[str, Any], fault: str
) -> None:
    graph = create_recall_graph(history, checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    graph.invoke({"query": DOG}, thread, interrupt_before=[node])
    graph.update_state(thread, edit)
    with pytest.raises(InputError, match=fault) as caught:
        graph.invoke(None, thread)
    assert "\n" not in str(caught.value)


def test_a_line_of_ones_own_without_sources_is_kept_and_never_cited(history: HistoryStore) -> None:
    graph = create_recall_graph(history, checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    graph.invoke({"query": DOG}, thread, interrupt_before=["answer"])
    graph.update_state(thread, {"memory": [LINE | {"sources": []}]})
    result = graph.invoke(None, thread)
    (mine,) = [line for line in result["memory"] if line["id"] == "mine"]
    assert (mine["verified"], mine["sources"]) == (False, [])
    assert all(cited["turn"] for cited in result["citations"])
