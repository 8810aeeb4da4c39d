"""The evidence budget of a question: all of its observations together are one set, paid for once."""

from collections.abc import Sequence
from dataclasses import replace

from langrecall.run import Run
from langrecall.settings import Settings
from langrecall.state import Observation

LEAST = 50
"""Tokens under which an observation has no room for a turn: what the cap of one is at least."""


def tokens_left(observations: Sequence[Observation], settings: Settings) -> int | None:
    """What is left of the question's evidence budget; None where it has none."""
    if settings.evidence_tokens is None:
        return None
    return max(settings.evidence_tokens - sum(seen["tokens"] for seen in observations), 0)


def is_spent(observations: Sequence[Observation], settings: Settings) -> bool:
    """Whether the evidence budget has no room for another observation."""
    left = tokens_left(observations, settings)
    return left is not None and left < LEAST


def within_budget(run: Run, observations: Sequence[Observation], *, branches: int = 1) -> Run:
    """The run with the cap of one observation lowered to what is left of the evidence budget, shared among parallel branches."""
    limits = (run.settings.observation_tokens, tokens_left(observations, run.settings))
    room = min((limit for limit in limits if limit is not None), default=None)
    if room is None:
        return run
    cap = max(room // branches, LEAST)
    return replace(run, settings=run.settings.model_copy(update={"observation_tokens": cap}))
