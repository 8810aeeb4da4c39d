"""Every path through the recall graph, driven by a scripted model over a real store."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from langrecall.graphs.recall import create_recall_graph
from langrecall.stores.base import HistoryStore
from langrecall.testing import ScriptedChatModel

BEAGLE = {"text": "Mia's dog is called Bolt.", "sources": ["s1:2"], "quote": "He is called Bolt."}
ANSWER = "Bolt [1]."


def step(action: str, argument: str = "", *memory: dict[str, Any], missing: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"reasoning": "so", "memory": list(memory), "missing": list(missing), "action": action, "argument": argument}


def verdict(*queries: str, sufficient: bool = False) -> dict[str, Any]:
    missing = [] if sufficient else ["the rest"]
    evolution = "pruned" if queries else "none"
    return {
        "reasoning": "so",
        "sufficient": sufficient,
        "missing": missing,
        "queries": list(queries),
        "evolution": evolution,
    }


SUFFICIENT = verdict(sufficient=True)


def test_t2mem_searches_reads_and_answers(walk: Any) -> None:
    state, nodes = walk(
        step("search_meta"), step("read_raw", "s1"), step("answer", "", BEAGLE), ANSWER, preset="t2mem", k_first=2
    )
    assert nodes == ["retrieve", "reason", "search_meta", "reason", "read_raw", "reason", "answer"]
    assert (state["answer"], state["stop_reason"], state["abstained"]) == ("Bolt [1].", "sufficient", False)
    assert len(state["seen"]) == 3
    assert state["read"] == ["s1"]


def test_t2mem_stops_after_max_steps_and_says_so(walk: Any) -> None:
    state, nodes = walk(*[step("search_meta")] * 5, "NOT IN MEMORY", preset="t2mem", k_first=1)
    assert nodes.count("reason") == 5
    assert nodes[-2:] == ["reason", "answer"]
    assert (state["stop_reason"], state["abstained"], state["citations"]) == ("budget", True, [])


def test_t2mem_reads_beyond_no_cap_and_never_sees_a_session_twice(walk: Any) -> None:
    state, _ = walk(*[step("search_meta")] * 4, step("answer"), ANSWER, preset="t2mem", k_first=3)
    shown = [name for seen in state["observation"] for name in seen["episodes"]]
    assert sorted(shown) == [f"s{number}" for number in range(1, 8)]


def test_read_raw_of_an_unseen_entry_is_refused_and_the_model_is_told(history: HistoryStore) -> None:
    model = ScriptedChatModel(replies=[step("read_raw", "s9"), step("answer"), "NOT IN MEMORY"])
    graph = create_recall_graph(history, model, preset="t2mem")
    events = list(graph.stream({"query": "What is Mia's dog called?"}, stream_mode="custom"))
    (refused,) = [event for event in events if event["node"] == "read_raw"]
    assert refused["note"].startswith("Refused: 's9' is not among the entries seen so far")
    assert "Refused: 's9'" in model.calls[1].text


def test_combined_confirms_an_answer_with_the_judge(walk: Any) -> None:
    state, nodes = walk(step("answer", "", BEAGLE), SUFFICIENT, ANSWER)
    assert nodes == ["retrieve", "reason", "judge", "answer"]
    assert state["stop_reason"] == "sufficient"


def test_combined_evolves_the_query_side_by_side(walk: Any) -> None:
    state, nodes = walk(
        step("answer", "", BEAGLE),
        verdict("Bolt shoe", "Bolt regatta"),
        step("answer"),
        SUFFICIENT,
        ANSWER,
        k_first=1,
        raw_floor_tokens=30,
    )
    assert nodes == ["retrieve", "reason", "judge", "refine", "zoom_in", "zoom_in", "reason", "judge", "answer"]
    branches = [seen["id"] for seen in state["observation"] if seen["step"] == 1]
    assert branches == ["1:zoom_in:r1.1", "1:zoom_in:r1.2"]
    assert [query["text"] for query in state["queries"]] == ["What is Mia's dog called?", "Bolt shoe", "Bolt regatta"]
    assert state["queries"][0]["failed"] == "the rest"


def test_a_judge_that_repeats_itself_leads_to_unseen_metadata_and_ends(walk: Any) -> None:
    same = verdict("what is mia's dog called")
    state, nodes = walk(
        step("answer"), same, step("answer"), same, step("answer"), same, "NOT IN MEMORY", k_first=1, k_search=1
    )
    assert nodes.count("search_meta") == 2
    assert "zoom_in" not in nodes
    assert state["stop_reason"] == "budget"


@pytest.mark.parametrize("action", ["zoom_in", "zoom_out", "search_meta", "read_raw"])
def test_every_action_comes_back_to_reason(walk: Any, action: str) -> None:
    argument = {"zoom_in": "Bolt", "zoom_out": "s1:2", "search_meta": "Bolt", "read_raw": "s1"}[action]
    _, nodes = walk(step(action, argument, BEAGLE), step("answer"), SUFFICIENT, ANSWER, k_first=6, k_search=1)
    assert nodes[2:4] == [action, "reason"]


@pytest.mark.parametrize(("cap", "shown"), [(None, 2), (1000, 21), (60, 3)])
def test_zoom_in_shows_k_turns_or_what_the_cap_allows(walk: Any, cap: int | None, shown: int) -> None:
    chosen = {"raw_policy": "model", "top_k_turns": 2, "observation_tokens": cap, "evidence_tokens": None}
    state, _ = walk(step("zoom_in", "Bolt", BEAGLE), step("answer"), SUFFICIENT, ANSWER, **chosen)
    (found,) = [seen for seen in state["observation"] if seen["id"].endswith(":zoom_in")]
    assert len(found["turns"]) == shown


def test_a_stretch_of_turns_is_its_turns_and_what_the_history_does_not_hold_is_reported(walk: Any) -> None:
    said = BEAGLE | {"sources": ["s1:0-2", "s1:99"]}
    state, _ = walk(step("answer", "", said), SUFFICIENT, ANSWER)
    assert [sorted(line["sources"]) for line in state["memory"]] == [["s1:0", "s1:1", "s1:2"]]
    assert "dropped unknown ids: s1:99" in [each["note"] for each in state["trajectory"]]


@pytest.mark.parametrize("source", ["s1:abc", "s1:", "nonsense"])
def test_a_source_that_is_no_turn_is_dropped_and_reported(walk: Any, source: str) -> None:
    state, _ = walk(step("answer", "", {"text": "Bolt.", "sources": [source], "quote": ""}, BEAGLE), SUFFICIENT, ANSWER)
    assert all(source not in line["sources"] for line in state["memory"])
    assert any(each["note"].startswith("dropped unknown ids") for each in state["trajectory"])


@pytest.mark.parametrize("preset", ["combined", "memcot"])
def test_the_next_question_on_a_thread_is_asked_at_its_own_time_or_none(history: HistoryStore, preset: Any) -> None:
    graph = create_recall_graph(history, preset=preset, settings={"retriever": "lexical"}, checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    everything = graph.invoke({"query": "Bolt?"}, thread)["coverage"]["ranked"]
    early: Any = {"query": "Bolt?", "query_time": "1999-01-01"}
    assert graph.invoke(early, thread)["coverage"]["ranked"] < everything
    assert graph.invoke({"query": "Bolt?"}, thread)["coverage"]["ranked"] == everything
    graph.invoke(early, thread, interrupt_before=["answer"])
    assert graph.invoke(None, thread)["coverage"]["ranked"] < everything
    graph.invoke(early, thread, interrupt_before=["answer"])
    assert graph.invoke({"query": "Bolt?"}, thread)["coverage"]["ranked"] == everything


def test_memcot_zooms_in_and_out_and_judges_each_round(walk: Any) -> None:
    state, nodes = walk(
        step("answer", "", BEAGLE), step("answer"), verdict("Bolt beagle"), step("answer"), step("answer"), SUFFICIENT, ANSWER,
        preset="memcot", top_k_turns=3, window=1,
    )  # fmt: skip
    cycle = ["zoom_in", "reason", "zoom_out", "reason", "judge"]
    assert nodes == [*cycle, "refine", *cycle, "answer"]
    assert state["round"] == 2


def test_memcot_without_zoom_out_judges_after_selecting(walk: Any) -> None:
    _, nodes = walk(step("answer", "", BEAGLE), SUFFICIENT, ANSWER, preset="memcot", zoom_out=False)
    assert nodes == ["zoom_in", "reason", "judge", "answer"]


def test_without_rollout_the_first_observation_is_answered_from(history: HistoryStore) -> None:
    model = ScriptedChatModel(replies=["Bolt."])
    graph = create_recall_graph(history, model, settings={"rollout": False})
    nodes = [
        node for chunk in graph.stream({"query": "What is Mia's dog called?"}, stream_mode="updates") for node in chunk
    ]
    assert nodes == ["retrieve", "answer"]
    assert "He is called Bolt." in model.calls[0].text


def test_without_raw_data_nothing_raw_is_shown_or_cited(history: HistoryStore) -> None:
    model = ScriptedChatModel(replies=[step("read_raw", "s1", BEAGLE), step("answer"), SUFFICIENT, ANSWER])
    graph = create_recall_graph(history, model, settings={"raw_data": False})
    result = graph.invoke({"query": "What is Mia's dog called?"})
    assert result["citations"] == []
    assert result["coverage"]["read"] == 0
    assert all("zoom_in" not in call.text.split("<actions>")[-1] for call in model.calls[:1])


def test_without_metadata_the_loop_runs_over_raw_sessions(walk: Any) -> None:
    state, nodes = walk(
        step("search_meta"), step("answer", "", BEAGLE), ANSWER, preset="t2mem", metadata=False, k_first=2
    )
    assert nodes == ["retrieve", "reason", "search_meta", "reason", "answer"]
    assert state["seen"] == state["read"]
    assert all(seen["episodes"] == [] for seen in state["observation"])


def test_an_empty_history_answers_without_a_loop() -> None:
    from langrecall.stores.chroma.history import ChromaHistory

    model = ScriptedChatModel(replies=["NOT IN MEMORY"])
    graph = create_recall_graph(ChromaHistory.open(None, embeddings=None).at("nobody"), model)
    result = graph.invoke({"query": "Anything?"})
    assert (result["abstained"], result["stop_reason"], result["coverage"]["sessions"]) == (True, "exhausted", 0)


@pytest.mark.parametrize(
    ("budget", "named"), [({"max_tokens": 700}, "max_tokens"), ({"max_seconds": 1e-9}, "max_seconds")]
)
def test_a_spent_budget_ends_in_an_answer_that_says_so(walk: Any, budget: dict[str, Any], named: str) -> None:
    state, nodes = walk("NOT IN MEMORY", **budget)
    assert nodes == ["retrieve", "reason", "answer"]
    assert state["stop_reason"] == "budget"
    assert named in state["trajectory"][1]["note"]


@pytest.mark.parametrize(
    "claim",
    [
        {"text": "Mia's dog is called Bolt and is 7 years old.", "sources": ["s1:2"], "quote": "He is called Bolt."},
        {"text": "Runa's dog is called Bolt.", "sources": ["s1:2"], "quote": "He is called Bolt."},
        {"text": "Mia's dog is called Bolt.", "sources": ["s1:2"], "quote": "His name is Bolt, I think."},
    ],
)
def test_false_claims_with_true_quotes_and_false_quotes_are_never_cited(walk: Any, claim: dict[str, Any]) -> None:
    state, _ = walk(step("answer", "", claim), SUFFICIENT, ANSWER)
    assert [line["verified"] for line in state["memory"]] == [False]
    assert state["citations"] == []
    assert state["answer"] == "Bolt."


def test_ids_that_were_never_shown_are_dropped_and_reported(walk: Any) -> None:
    claim = {"text": "Mia's dog is called Bolt.", "sources": ["s99:1", "s1:2"], "quote": "He is called Bolt."}
    state, _ = walk(step("answer", "", claim), SUFFICIENT, ANSWER)
    assert state["memory"][0]["sources"] == ["s1:2"]
    assert any("s99:1" in step["note"] for step in state["trajectory"])


def test_a_new_question_on_the_same_thread_starts_clean(history: HistoryStore) -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    first = [step("answer", "", BEAGLE), SUFFICIENT, ANSWER]
    model = ScriptedChatModel(replies=[*first, step("answer"), SUFFICIENT, "NOT IN MEMORY"])
    graph = create_recall_graph(history, model, checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "one"}}
    assert graph.invoke({"query": "What is Mia's dog called?"}, config)["memory"]
    second = graph.invoke({"query": "Where does Runa live?"}, config)
    assert (second["memory"], second["abstained"]) == ([], True)
    state = graph.get_state(config).values
    assert {seen["step"] for seen in state["observation"]} == {0}


def test_sessions_after_the_day_of_asking_are_left_out(history: HistoryStore) -> None:
    model = ScriptedChatModel(replies=[step("answer"), SUFFICIENT, "NOT IN MEMORY"])
    result = create_recall_graph(history, model).invoke(
        {"query": "What did Bolt eat?", "query_time": "2024-03-11T09:00"}
    )
    assert (result["coverage"]["sessions"], result["coverage"]["ranked"]) == (7, 2)
    assert "left shoe" not in model.calls[0].text


async def test_ainvoke_walks_as_invoke_does(history: HistoryStore) -> None:
    script = [step("search_meta"), step("answer", "", BEAGLE), SUFFICIENT, ANSWER]
    sync = create_recall_graph(history, ScriptedChatModel(replies=list(script)), settings={"k_first": 2}).invoke(
        {"query": "What is Mia's dog called?"}
    )
    graph = create_recall_graph(history, ScriptedChatModel(replies=list(script)), settings={"k_first": 2})
    result = await graph.ainvoke({"query": "What is Mia's dog called?"})
    assert (result["answer"], result["citations"]) == (sync["answer"], sync["citations"])
