"""Two ways of doing a thing, timed by turns: what slows the machine down meanwhile slows both."""

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import NamedTuple, ParamSpec, TypeVar

from langrecall.evals.estimates import median, percentile

T = TypeVar("T")
P = ParamSpec("P")


class Pair(NamedTuple):
    """Seconds that ours and the reference took on the same task."""

    ours: float
    reference: float


def seconds(work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> float:
    """How long one call takes."""
    started = perf_counter()
    work(*args, **kwargs)
    return perf_counter() - started


def by_turns(tasks: Iterable[T], ours: Callable[[T], object], reference: Callable[[T], object]) -> list[Pair]:
    """Time both on each task, ours first on every other one."""
    pairs = []
    for number, task in enumerate(tasks):
        if number % 2:
            taken = seconds(reference, task)
            pairs.append(Pair(seconds(ours, task), taken))
        else:
            taken = seconds(ours, task)
            pairs.append(Pair(taken, seconds(reference, task)))
    return pairs


def ratio_at(pairs: Iterable[Pair], share: float) -> float:
    """Ours at a percentile, as a multiple of the reference at the same percentile."""
    listed = list(pairs)
    return percentile([pair.ours for pair in listed], share) / percentile([pair.reference for pair in listed], share)


def median_share(pairs: Iterable[Pair]) -> float:
    """The middle one of the reference's times as shares of ours: 1 where both are as fast."""
    return median([pair.reference / pair.ours for pair in pairs])


def milliseconds(value: float) -> float:
    """To the microsecond."""
    return round(1000 * value, 3)


def percentiles(pairs: Iterable[Pair]) -> dict[str, float]:
    """Both sides' times in milliseconds."""
    listed = list(pairs)
    ours, reference = [pair.ours for pair in listed], [pair.reference for pair in listed]
    return {
        "p50_ms": milliseconds(percentile(ours, 0.5)),
        "p95_ms": milliseconds(percentile(ours, 0.95)),
        "reference_p50_ms": milliseconds(percentile(reference, 0.5)),
        "reference_p95_ms": milliseconds(percentile(reference, 0.95)),
    }
