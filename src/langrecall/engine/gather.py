"""Gather what a node is to think about: the records behind what was shown or kept, and the few turns before them."""

from collections.abc import Collection, Iterable, Sequence
from math import exp
from typing import NamedTuple

from langrecall.effects import call
from langrecall.engine.observations import looked_at, merge, shown_once
from langrecall.engine.run import Run
from langrecall.engine.turns import people_of, turns_before, turns_read
from langrecall.errors import UnknownIdError
from langrecall.policies.base import Question
from langrecall.records import Episode, Turn
from langrecall.state import Observation, RecallState, sources_of

_RANKED = 300
"""Turns among which the evidence is expected; what a ranking puts after them adds next to nothing."""


class Shown(NamedTuple):
    """What observations show, as one, with the records behind it."""

    observation: Observation
    episodes: list[Episode]
    turns: list[Turn]
    """Those shown whole, then those of which a part is shown."""
    context: list[Turn]
    expected: float | None
    """As `expected_share` tells."""


class Quoted(NamedTuple):
    """The turns that the memory rests on; none where raw data is switched off."""

    turns: list[Turn]
    context: list[Turn]
    people: frozenset[str] = frozenset()
    """Who speaks in and around them."""


async def gather_shown(observations: Sequence[Observation], state: RecallState, run: Run) -> Shown:
    """The records of these observations; raises `UnknownIdError` where one is gone: its session was deleted since."""
    merged = merge(observations)
    episodes = await call(run.history.episodes, merged["episodes"])
    turns = await turns_read([*merged["turns"], *merged["clipped"]], state, run)
    context = await turns_before(merged["turns"], run)
    held = {episode.session_id for episode in episodes} | {turn.id for turn in turns}
    _check_held([*merged["episodes"], *merged["turns"], *merged["clipped"]], held, "the last observation shows")
    expected = await expected_share(state, run)
    return Shown(shown_once(observations, turns, run.settings), episodes, turns, context, expected)


async def gather_quoted(state: RecallState, run: Run) -> Quoted:
    """The turns behind the memory; raises `UnknownIdError` where one is gone: its session was deleted, or the memory edited."""
    if not run.settings.raw_data:
        return Quoted([], [])
    sources = sources_of(state["memory"])
    turns = await turns_read(sources, state, run)
    checked = [line["sources"][0] for line in state["memory"] if line["verified"] and line["sources"]]
    _check_held(checked, {turn.id for turn in turns}, "the memory rests on turn")
    return Quoted(turns, await turns_before(sources, run), await people_of(turns, run))


async def expected_share(state: RecallState, run: Run) -> float | None:
    """The share of the evidence that is expected among the turns shown so far; None where nobody asks or no ranking can tell.

    The hybrid ranking's scores read as log-odds of a turn being evidence (`stores.ranking.weights`), so that their softmax tells where
    the evidence is. Other rankings have scores of no such meaning.
    """
    settings = run.settings
    asks = settings.rollout and run.policy.weighs_expectation
    if not asks or settings.retriever != "hybrid" or not settings.raw_data:
        return None
    search = run.turn_search(state["query"], _RANKED, asked=state.get("asked"))
    hits = await call(run.history.search_turns, search)
    weights = {hit.id: exp(hit.score - hits[0].score) for hit in hits}
    whole = sum(weights.values())
    return sum(weights.get(turn_id, 0.0) for turn_id in looked_at(state["observation"])) / whole if whole else None


def question_of(state: RecallState, run: Run) -> Question:
    """What every role is told."""
    return Question(state["query"], state.get("asked"), run.settings)


def _check_held(needed: Iterable[str], held: Collection[str], what: str) -> None:
    gone = next((name for name in needed if name not in held), None)
    if gone is not None:
        msg = f"{what} {gone!r}, which this history does not hold (any more): ask the question anew"
        raise UnknownIdError(msg)
