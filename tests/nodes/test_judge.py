"""The judge's verdict decides between another round and the answer."""

from typing import Any

import pytest

from langrecall.nodes.judge import failed_queries, verdict_route
from langrecall.policies.base import Judgement
from langrecall.settings import Settings


def state(**changes: Any) -> Any:
    base = {
        "round": 0,
        "step": 2,
        "queries": [{"id": "q0", "text": "first", "failed": ""}],
        "seen": ["s1"],
        "ranked": 3,
        "observation": [],
    }
    return base | changes


@pytest.mark.parametrize(
    ("verdict", "changes", "expected"),
    [
        (Judgement(sufficient=True), {}, (False, "sufficient")),
        (Judgement(sufficient=True, missing=["the city"]), {}, (False, "exhausted")),
        (Judgement(queries=["second"]), {}, (True, "exhausted")),
        (Judgement(queries=["second"]), {"round": 2}, (False, "budget")),
        (Judgement(queries=["second"]), {"step": 6}, (False, "budget")),
        (Judgement(queries=["first"]), {"ranked": 1}, (False, "exhausted")),
    ],
)
def test_verdict_route(verdict: Judgement, changes: dict[str, Any], expected: tuple[bool, str]) -> None:
    assert verdict_route(verdict, state(**changes), Settings()) == expected


def test_failed_queries_say_what_is_missing_and_keep_earlier_reasons() -> None:
    queries = [{"id": "q0", "text": "first", "failed": "no date"}, {"id": "r1.1", "text": "second", "failed": ""}]
    (failed,) = failed_queries(state(queries=queries), Judgement(missing=["the city"]))
    assert (failed["id"], failed["failed"]) == ("r1.1", "the city")
