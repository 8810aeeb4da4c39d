"""What a reason step decides follows from the policy's wish, the walk, and what is left of the budgets."""

from typing import Any

import pytest

from langrecall.engine.budgets import ANSWER_RESERVE, budget_spent
from langrecall.nodes.reason import decide, open_actions
from langrecall.policies.base import Question, ReasonRequest, Step
from langrecall.records import Image, Turn
from langrecall.settings import Settings
from langrecall.state import Action, MemoryLine, Node, Observation

LINE = MemoryLine(id="1.1", text="a line", sources=["s1:0"], quote="a line", verified=True)
PICTURE = Turn(
    session_id="s1", index=0, speaker="Mira", role="speaker", text="look", images=(Image(caption="a ticket"),)
)
ALL: tuple[Action, ...] = ("search_meta", "read_raw", "zoom_in", "zoom_out", "view", "answer")


def request(
    *,
    came_from: Node = "retrieve",
    steps_left: int = 3,
    turns: tuple[Turn, ...] = (),
    actions: tuple[Action, ...] = ALL,
) -> ReasonRequest:
    seen = Observation(
        id=f"1:{came_from}",
        step=1,
        node=came_from,
        kind="turns",
        episodes=[],
        turns=[],
        clipped=[],
        text="",
        tokens=0,
        hidden=0,
    )
    question = Question("Where?", None, Settings())
    return ReasonRequest(question, "Where?", [], seen, [], turns, actions, ["s1"], [], 2, steps_left)


@pytest.mark.parametrize(
    ("step", "left", "round_", "settings", "expected"),
    [
        (Step(action="read_raw"), 3, 0, Settings(), ("read_raw", "exhausted")),
        (Step(action="read_raw"), 0, 0, Settings(), ("answer", "budget")),
        (Step(action="answer"), 3, 0, Settings(), ("judge", "sufficient")),
        (Step(action="answer"), 0, 0, Settings(), ("judge", "sufficient")),
        (Step(action="answer", missing=["city"]), 3, 0, Settings(max_rounds=0), ("answer", "exhausted")),
        (Step(action="answer"), 3, 3, Settings(), ("answer", "sufficient")),
        (Step(action="answer"), 3, 0, Settings(max_rounds=0), ("answer", "sufficient")),
    ],
)
def test_free_walk(step: Step, left: int, round_: int, settings: Settings, expected: tuple[str, str]) -> None:
    state: Any = {"round": round_, "observation": []}
    assert decide(step, request(steps_left=left), state, settings, kept=[]) == expected


def test_an_action_that_is_not_open_ends_in_an_answer() -> None:
    state: Any = {"round": 0, "observation": []}
    assert decide(Step(action="view"), request(actions=("answer",)), state, Settings(), kept=[]).next == "answer"


@pytest.mark.parametrize(
    ("came_from", "kept", "turns", "changes", "expected"),
    [
        ("zoom_in", [LINE], (), {}, "zoom_out"),
        ("zoom_in", [], (), {}, "judge"),
        ("zoom_in", [LINE], (PICTURE,), {"zoom_out": False}, "view"),
        ("zoom_in", [LINE], (PICTURE,), {"zoom_out": False, "view": False}, "judge"),
        ("zoom_out", [LINE], (PICTURE,), {}, "view"),
        ("zoom_out", [LINE], (), {}, "judge"),
        ("view", [LINE], (PICTURE,), {}, "judge"),
    ],
)
def test_the_cycle_is_zoom_in_zoom_out_view_judge(
    came_from: Node, kept: list[MemoryLine], turns: tuple[Turn, ...], changes: dict[str, Any], expected: str
) -> None:
    state: Any = {"round": 0, "observation": []}
    settings = Settings(walk="cycle", **changes)
    asked = request(came_from=came_from, turns=turns)
    assert decide(Step(action="search_meta"), asked, state, settings, kept=kept).next == expected


@pytest.mark.parametrize(
    ("changes", "closed"),
    [
        ({}, {"view"}),
        ({"raw_data": False}, {"read_raw", "zoom_in", "zoom_out", "view"}),
        ({"metadata": False}, {"read_raw", "view"}),
        ({"zoom_in": False, "zoom_out": False}, {"zoom_in", "zoom_out", "view"}),
        ({"walk": "cycle"}, {"search_meta", "view"}),
    ],
)
def test_ablations_close_actions(changes: dict[str, Any], closed: set[str]) -> None:
    state: Any = {"seen": ["s1", "s2"], "read": ["s1"], "memory": [LINE], "observation": []}
    assert set(ALL) - set(open_actions(state, Settings(**changes), unseen=2, turns=[])) == closed


def test_view_is_open_only_with_an_image_cue() -> None:
    state: Any = {"seen": [], "read": [], "memory": [], "observation": []}
    assert "view" in open_actions(state, Settings(), unseen=0, turns=[PICTURE])


@pytest.mark.parametrize(
    ("used", "upcoming", "now", "expected"),
    [
        (0, 100, 1.0, None),
        (1000, 1000 - ANSWER_RESERVE + 1, 1.0, "max_tokens"),
        (0, 100, 10.0, "max_seconds"),
    ],
)
def test_a_budget_is_spent_before_the_call_that_would_overrun_it(
    used: int, upcoming: int, now: float, expected: str | None
) -> None:
    state: Any = {"started": 0.0, "trajectory": [{"usage": {"prompt_tokens": used, "completion_tokens": 0}}]}
    assert budget_spent(state, Settings(max_tokens=2000, max_seconds=10), now=now, upcoming=upcoming) == expected
