"""The figures of a retrieval run: recall by system, budget or k, and question type."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from langrecall.evals.estimates import estimate
from langrecall.evals.retrieval.measure import BUDGETS, RANKS, Outcome
from langrecall.evals.retrieval.metrics import shown_share
from langrecall.evals.retrieval.results import SessionsRanked, Subject, TurnsShown
from langrecall.evals.retrieval.systems import System

R = TypeVar("R", TurnsShown, SessionsRanked)


def system_figures(outcome: Outcome, systems: Sequence[System]) -> dict[str, Any]:
    """By system: `turn_recall` by budget and type, `session_recall` by k and type, `shown_share` by either."""
    return {
        system.name: _figures(
            [found for found in outcome.turns if found.system == system.name],
            [found for found in outcome.sessions if found.system == system.name],
        )
        for system in systems
    }


def _figures(turns: Sequence[TurnsShown], sessions: Sequence[SessionsRanked]) -> dict[str, Any]:
    within = {str(budget): [found for found in turns if found.budget == budget] for budget in BUDGETS}
    by_type = {str(k): [(found.subject, found.recall(k)) for found in sessions] for k in RANKS}
    return {
        "turn_recall": {
            budget: means((found.subject, found.recall) for found in results) for budget, results in within.items()
        },
        "session_recall": {k: means(shares) for k, shares in by_type.items()},
        "shown_share": {
            **{str(k): _mean(shown_share(k, found.sessions) for found in _averaged(sessions)) for k in RANKS},
            **{
                budget: _mean(shown_share(found.tokens, found.history_tokens) for found in _averaged(results))
                for budget, results in within.items()
            },
        },
    }


def means(shares: Iterable[tuple[Subject, float]]) -> dict[str, dict[str, float | int | None]]:
    """Estimates for `all` questions, for each type by name, and, where data sets are mixed, for each of them.

    `all` and a data set leave out the questions that are reported apart; their type is there all the same.
    """
    found = list(shares)
    averaged = [(subject, share) for subject, share in found if not subject.apart]
    kinds = sorted({subject.kind for subject, _ in averaged})
    groups = {"all": [share for _, share in averaged]}
    for kind in kinds if len(kinds) > 1 else ():
        groups[kind] = [share for subject, share in averaged if subject.kind == kind]
    for category in sorted({subject.category for subject, _ in found}):
        groups[category] = [share for subject, share in found if subject.category == category]
    return {name: estimate(group)._asdict() for name, group in groups.items()}


def _averaged(results: Iterable[R]) -> list[R]:
    return [found for found in results if not found.subject.apart]


def _mean(shares: Iterable[float]) -> float | None:
    return estimate(shares).mean
