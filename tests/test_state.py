"""Reducers are unions: parallel branches and parent graphs never duplicate an item."""

from langrecall.state import Query, union, union_by_id


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
