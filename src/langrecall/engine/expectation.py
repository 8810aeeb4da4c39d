"""How much of the evidence has been seen, by the ranking's own estimate."""

from collections.abc import Collection
from math import exp

from langrecall.effects import call
from langrecall.engine.run import Run, asked_at

RANKED = 300
"""Turns among which the evidence is expected; what a ranking puts after them adds next to nothing."""


async def expected_share(query: str, query_time: str | None, shown: Collection[str], run: Run) -> float | None:
    """The share of the evidence that is expected among the turns shown, whole or in part; None where nobody asks or no ranking can tell.

    The hybrid ranking's scores read as log-odds of a turn being evidence (`stores.fusion`), so that their softmax tells where
    the evidence is. Other rankings have scores of no such meaning.
    """
    if not run.policy.weighs_expectation or run.settings.retriever != "hybrid" or not run.settings.raw_data:
        return None
    hits = await call(
        run.history.search_turns,
        query,
        RANKED,
        before=asked_at(query_time),
        retriever=run.settings.retriever,
        signals=run.turn_signals,
    )
    weights = {hit.id: exp(hit.score - hits[0].score) for hit in hits}
    whole = sum(weights.values())
    return sum(weights.get(turn, 0.0) for turn in set(shown)) / whole if whole else None
