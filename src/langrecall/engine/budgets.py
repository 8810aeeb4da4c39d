"""The budgets of a question: its evidence, which all observations together are paid from, and its tokens and seconds."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from langrecall.engine.run import Run
from langrecall.settings import Settings
from langrecall.state import Node, Observation, RecallState

ANSWER_RESERVE = 600
"""Tokens of a question's budget that are kept back for the answer."""
_LEAST = 50
"""Tokens under which an observation has no room for a turn: what the cap of one is at least."""


def tokens_left(observations: Sequence[Observation], settings: Settings) -> int | None:
    """What is left of the question's evidence budget; None where it has none."""
    if settings.evidence_tokens is None:
        return None
    return max(settings.evidence_tokens - sum(seen["tokens"] for seen in observations), 0)


def is_spent(observations: Sequence[Observation], settings: Settings) -> bool:
    """Whether the evidence budget has no room for another observation."""
    left = tokens_left(observations, settings)
    return left is not None and left < _LEAST


def within_budget(run: Run, observations: Sequence[Observation], *, branches: int = 1) -> Run:
    """The run with the cap of one observation lowered to what is left of the evidence budget, shared among parallel branches."""
    limits = (run.settings.observation_tokens, tokens_left(observations, run.settings))
    room = min((limit for limit in limits if limit is not None), default=None)
    if room is None:
        return run
    cap = max(room // branches, _LEAST)
    return replace(run, settings=run.settings.model_copy(update={"observation_tokens": cap}))


def budget_spent(
    state: RecallState, settings: Settings, *, now: float, upcoming: int
) -> Literal["max_tokens", "max_seconds"] | None:
    """Which budget the upcoming call of `upcoming` prompt tokens would overrun, if any."""
    used = sum(step["usage"]["prompt_tokens"] + step["usage"]["completion_tokens"] for step in state["trajectory"])
    if settings.max_tokens is not None and used + upcoming + ANSWER_RESERVE > settings.max_tokens:
        return "max_tokens"
    if settings.max_seconds is not None and now - state["started"] >= settings.max_seconds:
        return "max_seconds"
    return None


def stopped(run: Run, node: Node, budget: str, *, step: int, key: str) -> dict[str, Any]:
    """The update of a node whose call would overrun a budget: on to the answer."""
    trajectory = run.record(node, step, key=key, action="answer", note=f"no call: {budget} would be overrun")
    return {"next": "answer", "stop_reason": "budget", "trajectory": trajectory}
