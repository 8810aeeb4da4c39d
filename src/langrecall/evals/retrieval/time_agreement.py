"""How often the time expressions in the evidence of LoCoMo's temporal questions are grounded to the gold time."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from langrecall.evals.retrieval.measure import Data
from langrecall.evals.retrieval.temporal import Agreement, agreement, holds_expression, parse_gold
from langrecall.grounding.intervals import Interval
from langrecall.grounding.text import ground
from langrecall.loaders.locomo import CATEGORIES
from langrecall.records import Turn


class TimeCompared(NamedTuple):
    """A temporal question's gold time, and what the expressions in its evidence were grounded to."""

    data: str
    question_id: str
    gold: Interval
    grounded: tuple[Interval, ...]
    agreement: Agreement


class TimeFigures(NamedTuple):
    """Shares of `n` questions; None where there is none."""

    right: float | None
    wrong: float | None
    unresolved: float | None
    n: int


def compare_times(data: Data) -> Iterator[TimeCompared]:
    """The temporal questions whose evidence holds one of the fixed expressions and whose answer is a time, not a duration."""
    turns = {
        (loaded.name, turn.id): turn
        for loaded in data.benchmark.histories
        for session in loaded.sessions
        for turn in session.turns
    }
    for question in data.benchmark.questions:
        evidence = [turns[question.namespace_name, name] for name in question.evidence]
        if question.category != CATEGORIES[2] or not any(holds_expression(turn.text) for turn in evidence):
            continue
        said = evidence[0].time
        if gold := parse_gold(question.answer, said.date() if said else None):
            found = tuple(_grounded(evidence))
            yield TimeCompared(data.name, question.question_id, gold, found, agreement(found, gold))


def time_figures(compared: Iterable[TimeCompared]) -> TimeFigures:
    """How many agree, contradict, and are left open."""
    counts: Mapping[Agreement, int] = Counter(one.agreement for one in compared)
    n = sum(counts.values())
    right, wrong, unresolved = (
        round(counts.get(outcome, 0) / n, 4) if n else None for outcome in ("right", "wrong", "unresolved")
    )
    return TimeFigures(right, wrong, unresolved, n)


def _grounded(evidence: Iterable[Turn]) -> Iterator[Interval]:
    return (found.interval for turn in evidence for found in ground(turn.text, turn.time))
