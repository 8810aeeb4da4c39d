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
from langrecall.state import MemoryLine, Observation, TrajectoryStep
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.tools.zoom_out import zoom_out


def line(*sources: str) -> MemoryLine:
    return MemoryLine(id="1.1", text="a line", sources=list(sources), quote="a line", verified=True)


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
        ("around s:1", "not kept: s:1"),
        ("s:4-5", "dropped unknown ids: s:5"),
        ("s:1, zz:9", "dropped unknown ids: zz:9; not kept: s:1"),
    ],
)
def test_what_else_the_argument_names_is_reported(history: HistoryStore, argument: str, note: str) -> None:
    assert noted(history, argument, Settings()) == note


@pytest.mark.parametrize(
    ("argument", "centres"),
    [
        ("", "s:4, s:1, s:2"),
        ("s:1", "s:1"),
        ("s:2; around [s:4]", "s:4, s:2"),
        ("s:1-2", "s:1, s:2"),
        ("s:7, the dog", "s:4, s:1, s:2"),
    ],
)
def test_the_kept_turns_that_are_named_are_widened_or_all_newest_line_first(
    history: HistoryStore, argument: str, centres: str
) -> None:
    assert widened(history, argument, Settings(), line("s:1", "s:2"), line("s:4"))["argument"] == centres


@pytest.mark.parametrize(("argument", "note"), [("the dog", ""), ("zz:99", "dropped unknown ids: zz:99")])
def test_words_for_another_action_are_no_ids_where_a_cycle_leads_here(
    history: HistoryStore, argument: str, note: str
) -> None:
    assert noted(history, argument, Settings(walk="cycle")) == note


def noted(history: HistoryStore, argument: str, settings: Settings) -> str:
    step = widened(history, argument, settings, line("s:4"))
    assert step["argument"] == "s:4"
    return step["note"]


def widened(history: HistoryStore, argument: str, settings: Settings, *memory: MemoryLine) -> TrajectoryStep:
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
        "memory": memory,
        "argument": argument,
        "observation": [shown],
        "step": 2,
    }
    update = run(zoom_out(state, Run(history, ExtractivePolicy(), settings, emit=lambda _: None)))
    step: TrajectoryStep
    (step,) = update["trajectory"]
    return step
