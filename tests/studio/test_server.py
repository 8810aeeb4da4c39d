"""What Studio and HTTP clients get of a real development server, in the extractive default, without a key."""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk.client import LangGraphClient

from langrecall.graphs.recall import NODES
from langrecall.ingest_state import IngestSettings
from langrecall.settings import Settings
from langrecall.stores.chroma.history import ChromaHistory

pytestmark = pytest.mark.studio

ROOT = Path(__file__).parents[2]
SAMPLE = {"namespace": "sample"}
PIANO = "What did Ilka pay for the old Ibach piano?"
WRIST = "When did Tavish break his wrist?"
LABELLED = {
    ("retrieve", "answer"): "empty history, or rollout off",
    ("reason", "answer"): "no judge, or budget spent",
    ("judge", "refine"): "insufficient",
    ("judge", "answer"): "sufficient, or rounds spent",
}
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


@pytest.fixture
async def sample(client: LangGraphClient, sample_sessions: list[dict[str, Any]]) -> LangGraphClient:
    """The client of a server that holds the sample history."""
    await ingest(client, sample_sessions, "sample")
    return client


@pytest.fixture
async def thread(client: LangGraphClient) -> AsyncIterator[str]:
    made = await client.threads.create()
    yield made["thread_id"]
    await client.threads.delete(made["thread_id"])


async def ingest(client: LangGraphClient, sessions: Any, namespace: str) -> dict[str, Any]:
    result: Any = await client.runs.wait(None, "ingest", input={"sessions": sessions}, context={"namespace": namespace})
    report: dict[str, Any] = result["report"]
    return report


def saying(*texts: str) -> dict[str, Any]:
    turns = [
        {"session_id": "s", "index": place, "speaker": "Mia", "role": "speaker", "text": text}
        for place, text in enumerate(texts)
    ]
    return {"session_id": "s", "turns": turns}


async def schemas(client: LangGraphClient, graph: str) -> Any:
    (assistant,) = await client.assistants.search(graph_id=graph, metadata={"created_by": "system"})
    return await client.assistants.get_schemas(assistant["assistant_id"])


async def failing(client: LangGraphClient, context: dict[str, Any], thread: str | None = None) -> tuple[str, str]:
    given = None if thread else {"query": PIANO}
    result: Any = await client.runs.wait(thread, "recall", input=given, context=context, raise_error=False)
    error = result["__error__"]
    return error["error"], error["message"]


async def test_assistants_are_listed_with_what_they_do(client: LangGraphClient) -> None:
    found = await client.assistants.search(metadata={"created_by": "system"})
    listed: Any = {assistant["name"]: assistant for assistant in found}
    assert sorted(listed) == ["ingest", "recall"]
    assert all(assistant["description"] for assistant in listed.values())


async def test_drawing_has_every_node_and_every_labelled_edge(client: LangGraphClient) -> None:
    drawn: Any = await client.assistants.get_graph("recall")
    assert {node["id"] for node in drawn["nodes"]} == {"__start__", "__end__"} | {node.__name__ for node in NODES}
    labels = {(edge["source"], edge["target"]): edge["data"] for edge in drawn["edges"] if edge.get("data")}
    assert labels == LABELLED
    assert len(drawn["edges"]) == 21


@pytest.mark.parametrize(("graph", "settings"), [("recall", Settings), ("ingest", IngestSettings)])
async def test_each_setting_is_a_field_of_the_form(
    client: LangGraphClient, graph: str, settings: type[Settings | IngestSettings]
) -> None:
    fields = (await schemas(client, graph))["context_schema"]["properties"]
    assert set(fields) == set(settings.model_fields)
    for name, field in fields.items():
        assert field["title"], name
        assert field["description"], name
        assert field["default"] == settings.model_fields[name].default
        kinds = field.get("anyOf", [field])
        if any(kind.get("type") in ("integer", "number") for kind in kinds):
            assert any(set(kind) & set(BOUNDS) for kind in kinds), name


async def test_input_and_output_are_described(client: LangGraphClient) -> None:
    recall, store = await schemas(client, "recall"), await schemas(client, "ingest")
    assert set(recall["input_schema"]["properties"]) == {"query", "query_time"}
    assert recall["input_schema"]["required"] == ["query"]
    outputs = {
        "answer",
        "abstained",
        "citations",
        "answer_support",
        "supported",
        "memory",
        "coverage",
        "usage",
        "stop_reason",
    }
    assert set(recall["output_schema"]["properties"]) == outputs
    assert set(store["input_schema"]["properties"]) == {"sessions"}


async def test_sessions_are_stored_once(client: LangGraphClient, sample_sessions: list[dict[str, Any]]) -> None:
    first = await ingest(client, sample_sessions, "once")
    assert (first["sessions"]["created"], first["turns"]) == (12, sum(len(s["turns"]) for s in sample_sessions))
    again = await ingest(client, sample_sessions, "once")
    assert (again["sessions"]["created"], again["sessions"]["skipped"]) == (0, 12)


async def test_a_run_streams_values_updates_and_one_event_a_node(sample: LangGraphClient) -> None:
    parts = [
        part
        async for part in sample.runs.stream(
            None, "recall", input={"query": WRIST}, context=SAMPLE, stream_mode=["values", "updates", "custom"]
        )
    ]
    assert {part.event for part in parts} == {"metadata", "values", "updates", "custom"}
    steps: Any = [part.data for part in parts if part.event == "custom"]
    assert [step["node"] for step in steps] == [name for part in parts if part.event == "updates" for name in part.data]
    assert steps[0]["node"] == "retrieve"
    final: Any = [part.data for part in parts if part.event == "values"][-1]
    assert "14 March 2024" in final["answer"]
    assert "chat-03:2" in [citation["turn"] for citation in final["citations"]]


async def test_an_assistant_keeps_a_preset_and_runs_add_to_it(sample: LangGraphClient, thread: str) -> None:
    context: Any = {"preset": "t2mem", "k_first": 2, **SAMPLE}
    assistant = await sample.assistants.create("recall", context=context, name="two entries")
    await sample.runs.wait(thread, assistant["assistant_id"], input={"query": PIANO}, context={"max_steps": 1})
    state: Any = await sample.threads.get_state(thread)
    assert [step["node"] for step in state["values"]["trajectory"]] == ["retrieve", "reason", "answer"]
    assert len(state["values"]["observation"][0]["episodes"]) == 2
    await sample.assistants.delete(assistant["assistant_id"])


async def test_memory_is_edited_at_an_interrupt_and_the_answer_rests_on_it(
    sample: LangGraphClient, thread: str
) -> None:
    await sample.runs.wait(thread, "recall", input={"query": PIANO}, context=SAMPLE, interrupt_before=["answer"])
    stopped: Any = await sample.threads.get_state(thread)
    assert stopped["next"] == ["answer"]
    assert stopped["values"]["observation"][0]["text"].startswith("## chat-")
    line = {
        "id": "mine",
        "text": "Ilka had the Ibach for 250 euros.",
        "sources": ["chat-03:9"],
        "quote": "An Ibach upright from 1912, out of a school in Bruges, for 250 euros.",
        "verified": True,
    }
    twisted = line | {"id": "twisted", "text": "Ilka had the Ibach for 900 euros."}
    await sample.threads.update_state(thread, {"memory": {"__overwrite__": [line, twisted]}})
    edited: Any = await sample.threads.get_state(thread)
    assert (edited["next"], edited["values"]["memory"]) == (["answer"], [line, twisted])
    result: Any = await sample.runs.wait(thread, "recall", input=None, context=SAMPLE)
    assert [citation["turn"] for citation in result["citations"]] == ["chat-03:9"]
    assert [kept["verified"] for kept in result["memory"]] == [True, False]


@pytest.mark.parametrize("stopped_before", ["retrieve", "reason"])
async def test_time_travel_asks_another_question_from_an_earlier_checkpoint(
    sample: LangGraphClient, thread: str, stopped_before: str
) -> None:
    first: Any = await sample.runs.wait(thread, "recall", input={"query": PIANO}, context=SAMPLE)
    history: Any = await sample.threads.get_history(thread, limit=50)
    then = [state for state in history if state["next"] == [stopped_before]][-1]
    author = "__start__" if stopped_before == "retrieve" else None
    forked: Any = await sample.threads.update_state(
        thread, {"query": WRIST}, as_node=author, checkpoint=then["checkpoint"]
    )
    second: Any = await sample.runs.wait(thread, "recall", input=None, context=SAMPLE, checkpoint=forked["checkpoint"])
    assert "14 March 2024" in second["answer"]
    assert "14 March 2024" not in first["answer"]
    assert len(await sample.threads.get_history(thread, limit=99)) > len(history)


async def test_two_namespaces_at_once_do_not_leak(client: LangGraphClient) -> None:
    words = {"ann": "marigold", "bob": "heron"}
    for name, word in words.items():
        await ingest(client, [saying(f"The password of the boathouse is {word}.")], name)

    async def ask(name: str) -> tuple[str, str]:
        result = await client.runs.wait(
            None, "recall", input={"query": "What is the password of the boathouse?"}, context={"namespace": name}
        )
        return name, str(result)

    for name, result in await asyncio.gather(*(ask(name) for name in ["ann", "bob"] * 4)):
        (other,) = set(words) - {name}
        assert words[name] in result
        assert words[other] not in result


@pytest.mark.parametrize(
    ("context", "error", "message"),
    [
        ({}, "NamespaceError", "no namespace: pass context"),
        ({"namespace": ""}, "NamespaceError", "no namespace: pass context"),
        (SAMPLE | {"max_stesp": 3}, "SettingsError", "unknown setting 'max_stesp': did you mean 'max_steps'? the settings are preset"),
        (SAMPLE | {"max_steps": 0}, "SettingsError", "setting 'max_steps' is 0: input should be greater than or equal to 1"),
        (SAMPLE | {"model": "openai:gpt-9"}, "ModelConfigError", "model 'openai:gpt-9' is not allowed here"),
    ],
)  # fmt: skip
async def test_bad_context_is_one_clear_error(
    client: LangGraphClient, context: dict[str, Any], error: str, message: str
) -> None:
    kind, told = await failing(client, context)
    assert kind == error
    assert told.startswith(message)
    assert "\n" not in told


async def test_the_graph_retriever_over_entries_without_a_graph_is_one_clear_error(sample: LangGraphClient) -> None:
    kind, told = await failing(sample, SAMPLE | {"retriever": "graph"})
    assert kind == "InputError"
    assert told.startswith(
        "namespace 'sample' has no graph: its entries are in form 'wiki', and retriever 'graph' needs"
    )
    assert "\n" not in told


@pytest.mark.parametrize(
    ("context", "error", "message"),
    [
        ({}, "NamespaceError", "no namespace: pass context"),
        ({"namespace": "bad", "wvae": 3}, "SettingsError", "unknown setting 'wvae': did you mean 'wave'? the settings are namespace"),
        ({"namespace": "bad", "wave": 0}, "SettingsError", "setting 'wave' is 0: input should be greater than or equal to 1"),
        ({"namespace": "bad", "model": "openai:gpt-9"}, "ModelConfigError", "model 'openai:gpt-9' is not allowed here"),
    ],
)  # fmt: skip
async def test_bad_context_of_an_ingest_is_one_clear_error_and_stores_nothing(
    client: LangGraphClient, folder: Path, context: Any, error: str, message: str
) -> None:
    given: Any = {"sessions": [saying("The password of the boathouse is heron.")]}
    result: Any = await client.runs.wait(None, "ingest", input=given, context=context, raise_error=False)
    told = result["__error__"]
    assert told["error"] == error
    assert told["message"].startswith(message)
    with ChromaHistory.open(folder, embeddings=None) as memory:
        assert "bad" not in memory.namespaces()


@pytest.mark.parametrize(
    ("graph", "given", "message"),
    [
        ("recall", {}, "no query: give the question as text"),
        ("recall", {"question": PIANO}, "no query: give the question as text"),
        ("recall", {"query": 5}, "query is 5: give the question as text"),
        ("recall", {"query": " "}, "query is ' ': give the question as text"),
        ("recall", {"query": PIANO, "query_time": "not a time"}, "query_time is 'not a time': give an ISO time"),
        ("ingest", {}, "no sessions: give a list"),
        ("ingest", {"sessions": "no"}, "sessions is 'no': give a list"),
        ("ingest", {"sessions": ["no"]}, "session 0 of the input is a string: make it an object"),
    ],
)
async def test_bad_input_is_one_clear_error(
    client: LangGraphClient, graph: str, given: dict[str, Any], message: str
) -> None:
    result: Any = await client.runs.wait(None, graph, input=given, context={"namespace": "bad"}, raise_error=False)
    told = result["__error__"]
    assert told["error"] == "InputError"
    assert told["message"].startswith(message)
    assert "\n" not in told["message"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
@pytest.mark.parametrize("page", ["README.md", "docs/server.md"])
def test_curl_of_the_docs_ingests_and_asks(server: Any, page: str) -> None:
    scripts = re.findall(r"```sh\n((?:(?!```).)*curl.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    if not scripts:
        pytest.skip(f"{page} shows no curl")
    script = scripts[0].replace("http://127.0.0.1:2024", server.url).replace('"alice"', f'"{page}"')
    ran = subprocess.run(["bash", "-ec", script], capture_output=True, text=True, check=True, timeout=60)
    stored, end = json.JSONDecoder().raw_decode(ran.stdout)
    answered = json.loads(ran.stdout[end:])
    assert stored["report"]["turns"] == 2
    assert "9-10 March 2024" in answered["answer"]
    assert answered["citations"][0]["turn"] == "chat-1:0"


async def test_bad_sessions_are_one_clear_error(client: LangGraphClient) -> None:
    with pytest.raises(Exception, match=r"InputError: session 0 of the input, field 'turns.0.speaker': field required"):
        await ingest(client, [{"session_id": "s", "turns": [{"session_id": "s", "index": 0}]}], "bad")


@pytest.mark.parametrize(
    ("node", "shown"), [("reason", "the last observation shows 's'"), ("answer", "the memory rests on turn 's:0'")]
)
async def test_resuming_over_a_deleted_history_is_one_clear_error(
    client: LangGraphClient, thread: str, folder: Path, node: str, shown: str
) -> None:
    await ingest(client, [saying("The password of the boathouse is heron.")], "gone")
    context: Any = {"namespace": "gone"}
    query = "What is the password of the boathouse?"
    await client.runs.wait(thread, "recall", input={"query": query}, context=context, interrupt_before=[node])
    with ChromaHistory.open(folder, embeddings=None) as memory:
        assert memory.at("gone").clear() == 1
    kind, told = await failing(client, context, thread)
    assert (kind, told) == (
        "UnknownIdError",
        f"{shown}, which this history does not hold (any more): ask the question anew",
    )


async def test_resuming_a_checkpoint_of_another_version_is_one_clear_error(
    sample: LangGraphClient, thread: str
) -> None:
    await sample.runs.wait(thread, "recall", input={"query": PIANO}, context=SAMPLE, interrupt_before=["answer"])
    await sample.threads.update_state(thread, {"version": 0})
    kind, told = await failing(sample, SAMPLE, thread)
    assert (kind, told) == (
        "InputError",
        "this question was begun with state version 0, and this is version 2: ask it anew",
    )
    again: Any = await sample.runs.wait(thread, "recall", input={"query": WRIST}, context=SAMPLE)
    assert "14 March 2024" in again["answer"]
