"""Routers only read the `next` that a node recorded."""

from typing import Any

import pytest

from langrecall.errors import InputError
from langrecall.graphs import routes


@pytest.mark.parametrize(
    ("router", "table"),
    [
        (routes.after_retrieve, routes.AFTER_RETRIEVE),
        (routes.after_reason, routes.AFTER_REASON),
        (routes.after_judge, routes.AFTER_JUDGE),
    ],
)
def test_each_label_leads_back_to_the_node_recorded(router: Any, table: dict[str, str]) -> None:
    assert [table[router({"next": node})] for node in table.values()] == list(table.values())


def test_an_unknown_next_is_an_error() -> None:
    with pytest.raises(InputError, match="state\\['next'\\] is 'nowhere': expected one of refine, answer"):
        routes.after_judge({"next": "nowhere"})  # type: ignore[typeddict-item]


def test_refine_fans_out_one_branch_a_query_without_texts() -> None:
    queries = [{"id": "r1.1", "text": "one", "failed": ""}, {"id": "r1.2", "text": "two", "failed": ""}]
    observation = {"id": "0:retrieve", "text": "long raw text", "turns": ["s:1"]}
    state: Any = {
        "next": "zoom_in",
        "query": "q",
        "step": 2,
        "argument": "",
        "pending": queries,
        "observation": [observation],
    }
    sends = routes.after_refine(state)
    assert [send.arg["pending"] for send in sends] == [queries, queries[::-1]]  # type: ignore[union-attr]
    assert "long raw text" not in str(sends)
