"""Of the evolved queries, what is dropped is told."""

from typing import Any

import pytest

from langrecall.effects import run
from langrecall.engine.run import Run
from langrecall.nodes.refine import refine
from langrecall.policies.extractive.policy import ExtractivePolicy
from langrecall.settings import Settings
from langrecall.state import Query

TRIED = [Query(id="q0", text="Where did Mira move?", failed="no city")]


def note_of(*proposed: str) -> str:
    state: Any = {"verdict": {"queries": list(proposed)}, "queries": TRIED, "round": 1, "step": 2}
    history: Any = None
    update = run(refine(state, Run(history, ExtractivePolicy(), Settings(), emit=lambda _: None)))
    note: str = update["trajectory"][0]["note"]
    return note


@pytest.mark.parametrize(
    ("proposed", "note"),
    [
        (["Mira flat"], ""),
        (["Mira flat", "where did Mira move"], "dropped proposed queries: 1 repeated"),
        (["Mira flat", "mira flat!", "🎂"], "dropped proposed queries: 1 repeated, 1 without words"),
        ([f"query {n}" for n in range(500)], "dropped proposed queries: 496 over the limit of 4"),
        (
            ["query 9"] * 2 + [f"query {n}" for n in range(9)],
            "dropped proposed queries: 1 repeated, 6 over the limit of 4",
        ),
    ],
)
def test_the_note_says_what_was_dropped_and_why(proposed: list[str], note: str) -> None:
    assert note_of(*proposed) == note
