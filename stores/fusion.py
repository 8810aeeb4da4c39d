"""How signals become one score: each standardised over the corpus, then a weighted sum."""

from collections.abc import Mapping

import numpy as np

from langrecall.stores.corpus import Floats

TURN_WEIGHTS: Mapping[str, float] = {
    "window_terms": 0.5,
    "session_terms": 0.27,
    "statement": 0.6,
    "context": 0.32,
    "session_fact": 0.3,
    "speaker": 1.2,
    "date": 1.5,
    "time_told": 0.8,
    "names_told": 0.2,
    "asks": -0.4,
    "replies": 0.2,
}

AS_IS = frozenset({"speaker", "date", "time_told", "names_told", "asks", "replies"})
"""Signals between 0 and 1 that mean the same in every corpus, and are not standardised."""


def fuse(signals: Mapping[str, Floats], weights: Mapping[str, float], size: int) -> Floats:
    """The weighted sum of the signals that are there."""
    total = np.zeros(size, dtype=np.float32)
    for name, values in signals.items():
        total += weights[name] * (values if name in AS_IS else standardise(values))
    return total


def standardise(values: Floats) -> Floats:
    """Mean 0 and deviation 1; a constant signal says nothing and becomes 0."""
    deviation = values.std() if values.size else 0.0
    return (values - values.mean()) / deviation if deviation > 0 else np.zeros_like(values)
