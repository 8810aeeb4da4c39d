"""The exact nodes of each preset and of each of its ablations, under a scripted model."""

from collections.abc import Iterator
from typing import Any

import pytest

from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder, ScriptedChatModel

QUERY = "What is Mia's dog called?"
BEAGLE = {"text": "Mia's dog is called Bolt.", "sources": ["s1:2"], "quote": "He is called Bolt."}
ANSWER = "Bolt [1]."
PICTURE = {"source": None, "caption": "a beagle on a sofa"}
TALKS = [
    ["I adopted a dog yesterday, look at this photo!", "What is the dog called, Mia?", "He is called Bolt."],
    ["Mia's dog ate my shoe.", "Was it expensive?", "It cost 90 euros."],
    ["The choir sang tonight.", "Were you nervous?", "Not at all."],
]


# An action that is not open is asked for again: its script has two replies for one reason step.


def step(action: str, argument: str = "", *memory: dict[str, Any]) -> dict[str, Any]:
    return {"reasoning": "so", "memory": list(memory), "missing": [], "action": action, "argument": argument}


def verdict(*queries: str) -> dict[str, Any]:
    evolution = {0: "none", 1: "pruned"}.get(len(queries), "decomposed")
    judged = {"reasoning": "so", "missing": ["more"] if queries else [], "queries": list(queries)}
    return judged | {"sufficient": not queries, "evolution": evolution}


KEEP, GO_ON, ENOUGH = step("answer", "", BEAGLE), step("answer"), verdict()
WITH_PICTURE = step("answer", "", BEAGLE | {"sources": ["s1:0", "s1:2"]})


@pytest.fixture(scope="module")
def history() -> Iterator[HistoryStore]:
    """Three sessions, the first with a picture of which only the caption is known."""
    sessions = [
        {
            "session_id": f"s{number}",
            "time": f"2024-03-0{number}T18:30:00",
            "turns": [{"speaker": ("Mia", "Tom")[place % 2], "text": text} for place, text in enumerate(lines)],
        }
        for number, lines in enumerate(TALKS, start=1)
    ]
    first: Any = sessions[0]["turns"]
    first[0]["images"] = [PICTURE]
    with ChromaHistory.open(None, embeddings=HashEmbedder()) as memory:
        create_ingest_graph(memory.at("mia")).invoke({"sessions": sessions})
        yield memory.at("mia")


CASES: list[tuple[dict[str, Any], list[Any], str]] = [
    (
        {"preset": "t2mem", "k_first": 1},
        [step("search_meta"), step("read_raw", "s1"), KEEP, ANSWER],
        "retrieve reason search_meta reason read_raw reason answer",
    ),
    ({"preset": "t2mem", "rollout": False}, [ANSWER], "retrieve answer"),
    (
        {"preset": "t2mem", "metadata": False, "k_first": 1},
        [step("search_meta"), KEEP, ANSWER],
        "retrieve reason search_meta reason answer",
    ),
    (
        {"preset": "t2mem", "raw_data": False, "k_first": 1},
        [step("search_meta"), GO_ON, ANSWER],
        "retrieve reason search_meta reason answer",
    ),
    ({"preset": "t2mem", "raw_data": False}, [step("read_raw", "s1"), GO_ON, ANSWER], "retrieve reason answer"),
    ({"preset": "t2mem", "metadata": False}, [step("read_raw", "s1"), KEEP, ANSWER], "retrieve reason answer"),
    ({"preset": "t2mem", "rollout": False, "metadata": False}, [ANSWER], "retrieve answer"),
    ({"preset": "t2mem", "rollout": False, "raw_data": False}, [ANSWER], "retrieve answer"),
    (
        {"preset": "memcot"},
        [WITH_PICTURE, GO_ON, GO_ON, verdict("Bolt shoe"), GO_ON, GO_ON, ENOUGH, ANSWER],
        "zoom_in reason zoom_out reason view reason judge refine zoom_in reason zoom_out reason judge answer",
    ),
    (
        {"preset": "memcot", "zoom_out": False},
        [WITH_PICTURE, GO_ON, ENOUGH, ANSWER],
        "zoom_in reason view reason judge answer",
    ),
    (
        {"preset": "memcot", "view": False, "top_k_turns": 2},
        [KEEP, GO_ON, ENOUGH, ANSWER],
        "zoom_in reason zoom_out reason judge answer",
    ),
    ({"preset": "memcot", "zoom_out": False, "view": False}, [KEEP, ENOUGH, ANSWER], "zoom_in reason judge answer"),
    (
        {"preset": "memcot", "max_rounds": 1, "top_k_turns": 2, "view": False},
        [KEEP, GO_ON, verdict("Bolt shoe"), ANSWER],
        "zoom_in reason zoom_out reason judge answer",
    ),
    (
        {
            "preset": "combined",
            "k_first": 1,
            "k_search": 1,
            "raw_floor_tokens": 20,
            "observation_tokens": 200,
        },
        [
            *(step("search_meta"), step("zoom_in", "Bolt", BEAGLE), step("zoom_out", "s1:2"), step("read_raw", "s1")),
            *(step("view", "s1:0"), GO_ON, ENOUGH, ANSWER),
        ],
        "retrieve reason search_meta reason zoom_in reason zoom_out reason read_raw reason view reason judge answer",
    ),
    (
        {"preset": "combined", "raw_floor_tokens": 20},
        [KEEP, verdict("Bolt shoe", "Mia choir"), GO_ON, ENOUGH, ANSWER],
        "retrieve reason judge refine zoom_in zoom_in reason judge answer",
    ),
    ({"preset": "combined"}, [step("view", "s1:0"), KEEP, ENOUGH, ANSWER], "retrieve reason view reason judge answer"),
    ({"preset": "combined", "rollout": False}, [ANSWER], "retrieve answer"),
    (
        {"preset": "combined", "raw_data": False, "k_first": 1, "k_search": 1},
        [step("search_meta"), GO_ON, verdict("shoe"), GO_ON, ENOUGH, ANSWER],
        "retrieve reason search_meta reason judge refine search_meta reason judge answer",
    ),
    (
        {"preset": "combined", "metadata": False, "k_first": 1},
        [step("zoom_in", "shoe"), KEEP, ENOUGH, ANSWER],
        "retrieve reason zoom_in reason judge answer",
    ),
    (
        {"preset": "combined", "zoom_out": False},
        [step("zoom_out", "s1:2"), KEEP, ENOUGH, ANSWER],
        "retrieve reason judge answer",
    ),
    (
        {"preset": "combined", "view": False},
        [step("view", "s1:0"), KEEP, ENOUGH, ANSWER],
        "retrieve reason judge answer",
    ),
    (
        {"preset": "combined", "zoom_out": False, "view": False},
        [step("zoom_in", "shoe"), KEEP, ENOUGH, ANSWER],
        "retrieve reason zoom_in reason judge answer",
    ),
    ({"preset": "combined", "max_rounds": 0}, [KEEP, ANSWER], "retrieve reason answer"),
    (
        {"preset": "combined", "evidence_tokens": 50},
        [step("zoom_in", "shoe"), KEEP, verdict("shoe"), ANSWER],
        "retrieve reason judge answer",
    ),
]


@pytest.mark.parametrize(("settings", "script", "nodes"), CASES, ids=lambda value: str(value)[:60])
def test_the_nodes_in_order(history: HistoryStore, settings: dict[str, Any], script: list[Any], nodes: str) -> None:
    model = ScriptedChatModel(replies=list(script))
    graph = create_recall_graph(history, model, settings=settings)
    walked = [node for chunk in graph.stream({"query": QUERY}, stream_mode="updates") for node in chunk]
    assert " ".join(walked) == nodes
    assert model.replies == []
