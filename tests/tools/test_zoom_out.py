"""Which kept turns an argument means, and what is said of the rest."""

from collections.abc import Iterator
from typing import Any

import pytest

from langrecall.effects import run
from langrecall.engine.run import Run
from langrecall.graphs.ingest import create_ingest_graph
from langrecall.policies.extractive.policy import ExtractivePolicy
from langrecall.records import Session, Turn
from langrecall.settings import Settings
from langrecall.state import MemoryLine, Observation
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.tools.zoom_out import kept_turns, zoom_out

ODD = [
    "Chat with Bo, 2024:0",
    "chat [1]:12",
    "Team; May:0",
    "WhatsApp Chat with Bo 2025-08-30T1800:3",
    "s1:2",
    "x-s1:2",
]


def line(*sources: str) -> MemoryLine:
    return MemoryLine(id="1.1", text="a line", sources=list(sources), quote="a line", verified=True)


@pytest.mark.parametrize("wrapped", ["{}", " [{}]", '"{}".', "around {}, please"])
@pytest.mark.parametrize("turn", ODD)
def test_an_id_is_found_whatever_it_holds(turn: str, wrapped: str) -> None:
    assert kept_turns([line(*ODD)], wrapped.format(turn)) == [turn]


def test_several_ids_are_found_in_their_order() -> None:
    assert kept_turns([line("s1:2", "a b:1", "s2:0")], "s2:0; a b:1") == ["a b:1", "s2:0"]


@pytest.mark.parametrize("argument", ["", "s1:22", "ss1:2", "y-s1:2", "s1:2:0", "S1"])
def test_what_names_no_kept_turn_leaves_all(argument: str) -> None:
    assert kept_turns([line("s1:2"), line("s1:0")], argument) == ["s1:0", "s1:2"]


@pytest.fixture
def history() -> Iterator[HistoryStore]:
    turns = tuple(Turn(session_id="s", index=at, speaker="Mia", role="speaker", text=f"turn {at}") for at in range(9))
    with ChromaHistory.open(None, embeddings=None) as memory:
        sessions = [Session(session_id="s", time=None, turns=turns).model_dump(mode="json")]
        create_ingest_graph(memory.at("mia")).invoke({"sessions": sessions})
        yield memory.at("mia")


@pytest.mark.parametrize(
    ("argument", "note"),
    [
        ("", ""),
        ("s:4", ""),
        ("around s:4", ""),
        ("s:4, zz:9", "dropped unknown ids: zz:9"),
        ("zz:99", "dropped unknown ids: zz:99"),
        ("[zz:99], [a b:1]", "dropped unknown ids: zz:99, a b:1"),
        ("the dog", "dropped unknown ids: the dog"),
        ("s:1", "not kept: s:1"),
        ("s:1, zz:9", "dropped unknown ids: zz:9; not kept: s:1"),
    ],
)
def test_what_else_the_argument_names_is_reported(history: HistoryStore, argument: str, note: str) -> None:
    assert noted(history, argument, Settings()) == note


@pytest.mark.parametrize(("argument", "note"), [("the dog", ""), ("zz:99", "dropped unknown ids: zz:99")])
def test_words_for_another_action_are_no_ids_where_a_cycle_leads_here(
    history: HistoryStore, argument: str, note: str
) -> None:
    assert noted(history, argument, Settings(walk="cycle")) == note


def noted(history: HistoryStore, argument: str, settings: Settings) -> str:
    shown = Observation(
        id="1:zoom_in",
        step=1,
        node="zoom_in",
        kind="turns",
        episodes=[],
        turns=["s:1", "s:4"],
        clipped=[],
        text="",
        tokens=0,
        hidden=0,
    )
    state: Any = {
        "query": "Which turn?",
        "memory": [line("s:4")],
        "argument": argument,
        "observation": [shown],
        "step": 2,
    }
    update = run(zoom_out(state, Run(history, ExtractivePolicy(), settings, emit=lambda _: None)))
    (step,) = update["trajectory"]
    assert step["argument"] == "s:4"
    note: str = step["note"]
    return note
