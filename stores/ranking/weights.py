"""How signals become one score: a weighted sum that reads as the log-odds of a turn being evidence.

The weights are those of a softmax regression over the questions of the LoCoMo development conversations, with and without
given facts; left-out conversations do as well as those that were fitted.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from langrecall.stores.ranking.corpus import Floats, Ints

_TURN_WEIGHTS: Final[Mapping[str, float]] = {
    "window_terms": 0.77,
    "session_terms": 0.52,
    "statement": 0.59,
    "context": 0.33,
    "session_fact": 0.26,
    "speaker": 2.5,
    "date": 5.8,
    "time_told": 2.3,
    "names_told": 1.4,
    "asks": -0.75,
    "replies": 0.57,
}

_STANDARDISED: Final = frozenset({"statement", "context", "session_fact"})
"""Similarities, whose range is the encoder's own; BM25 is on the scale of log-odds as it is."""


_ALL = slice(None)


def fuse(signals: Mapping[str, Floats], size: int, *, usual: Ints | slice = _ALL) -> Floats:
    """The weighted sum of the signals that are there; `usual` are the places whose similarities are the standard."""
    total = np.zeros(size, dtype=np.float32)
    for name, values in signals.items():
        total += _TURN_WEIGHTS[name] * (standardise(values, usual) if name in _STANDARDISED else values)
    return total


def standardise(values: Floats, usual: Ints | slice = _ALL) -> Floats:
    """Mean 0 and deviation 1; what is missing (-1) is one deviation below the worst, and what all share says nothing."""
    there = values > -1
    known = values[usual][there[usual]]
    if not known.size:
        return np.zeros_like(values)
    standard = (values - known.mean()) / (known.std() or np.float32(1))
    filled: Floats = np.where(there, standard, standard.min(where=there, initial=0) - 1).astype(np.float32)
    return filled


def best_first(scores: Floats, count: int) -> list[int]:
    """Positions of the `count` best, best first, equal ones in order; what is at minus infinity is left out."""
    found = np.flatnonzero(scores > -np.inf)
    if 0 < count < len(found):
        found = np.sort(found[np.argpartition(-scores[found], count - 1)[:count]])
    ordered: list[int] = found[np.argsort(-scores[found], kind="stable")][:count].tolist()
    return ordered
