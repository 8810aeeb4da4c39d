"""Reducers are unions: parallel branches and parent graphs never duplicate an item."""

from typing import Any

import pytest

from langrecall.engine.beginning import check_version, first_state
from langrecall.errors import InputError
from langrecall.state import VERSION, Query, union, union_by_id


def query(name: str, text: str = "") -> Query:
    return Query(id=name, text=text, failed="")


def test_union_by_id_keeps_places_and_takes_the_newer() -> None:
    old = [query("a", "old"), query("b")]
    merged = union_by_id(old, [query("a", "new"), query("c")])
    assert [(item["id"], item["text"]) for item in merged] == [("a", "new"), ("b", ""), ("c", "")]
    assert old[0]["text"] == "old"


def test_union_by_id_is_idempotent() -> None:
    items = [query("a"), query("b")]
    assert union_by_id(items, items) == items


def test_union_keeps_the_order_of_first_appearance() -> None:
    assert union(["s2", "s1"], ["s3", "s1"]) == ["s2", "s1", "s3"]


@pytest.mark.parametrize("state", [{"started": 1.0}, {"started": 1.0, "version": VERSION - 1}])
def test_a_question_of_another_version_is_refused(state: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"begun with state version .*, and this is version .*: ask it anew"):
        check_version(state)


@pytest.mark.parametrize("state", [{}, {"query": "new"}, first_state("q", asked=None, started=1.0, ranked=0)])
def test_a_question_of_this_version_or_not_yet_begun_is_not(state: dict[str, Any]) -> None:
    check_version(state)
    with pytest.raises(InputError):
        check_version(state | {"started": 1.0, "version": VERSION + 1})
