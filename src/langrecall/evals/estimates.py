"""Means with their number and interval, and percentiles of timings."""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

_Z_95 = 1.959964
"""Half the width of a 95 % interval, in standard deviations of a normal distribution."""


class Estimate(NamedTuple):
    """A mean of `n` shares with its 95 % interval; all None where there is nothing to average."""

    mean: float | None
    n: int
    low: float | None
    high: float | None


def estimate(shares: Iterable[float]) -> Estimate:
    """The mean of shares between 0 and 1, with Wilson's score interval.

    For shares that are not all 0 or 1 the interval is on the safe side: no distribution on [0, 1] varies more than the one that it
    assumes. Unlike a bootstrap it needs no seed and has a width where all shares are equal.
    """
    values = list(shares)
    n = len(values)
    if not n:
        return Estimate(None, 0, None, None)
    mean = sum(values) / n
    scale = 1 + _Z_95**2 / n
    centre = (mean + _Z_95**2 / (2 * n)) / scale
    half = _Z_95 * sqrt(mean * (1 - mean) / n + _Z_95**2 / (4 * n**2)) / scale
    return Estimate(round(mean, 4), n, round(max(centre - half, 0.0), 4), round(min(centre + half, 1.0), 4))


RESAMPLES = 10_000
SEED = 0


def paired_difference(ours: Sequence[float], theirs: Sequence[float]) -> Estimate:
    """The mean of `ours` minus `theirs`, question by question, with the 95 % interval of a bootstrap over the questions.

    The seed is fixed, so that the interval can be recomputed; it has no width where all differences are equal.
    """
    gained = np.asarray(ours, dtype=np.float64) - np.asarray(theirs, dtype=np.float64)
    n = len(gained)
    if not n:
        return Estimate(None, 0, None, None)
    chance = np.random.default_rng(SEED)
    drawn = np.array([gained[chance.integers(0, n, n)].mean() for _ in range(RESAMPLES)])
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Estimate(round(float(gained.mean()), 4), n, round(float(low), 4), round(float(high), 4))


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of all values do not exceed; raises `ValueError` without values."""
    if not values:
        msg = "no values to take a percentile of"
        raise ValueError(msg)
    found: float = np.quantile(values, share, method="inverted_cdf").item()
    return found


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two in the middle."""
    return float(np.median(values))
