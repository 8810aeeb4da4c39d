"""`search`: one retrieval."""

from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]
Place = tuple[str, ...]


def test_json_holds_both_rankings(run: Run, place: Place) -> None:
    found = run("search", "flat at the harbour", *place, "--json").json
    assert list(found) == ["episodes", "turns", "tokens", "seconds"]
    assert {episode["session_id"] for episode in found["episodes"]} == {"spring", "summer"}
    assert set(found["episodes"][0]) == {"session_id", "score", "title", "time"}
    assert set(found["turns"][0]) == {"id", "session_id", "index", "source_id", "score", "text", "tokens"}
    assert found["turns"][0]["source_id"] == "B1"


def test_k_limits_both_rankings(run: Run, place: Place) -> None:
    found = run("search", "flat at the harbour", *place, "--k", "1", "--json").json
    assert (len(found["episodes"]), len(found["turns"])) == (1, 1)


def test_the_found_turns_keep_within_the_tokens(run: Run, place: Place) -> None:
    found = run("search", "flat at the harbour", *place, "--tokens", "60", "--json").json
    assert 0 < found["tokens"] <= 60
    assert sum(turn["tokens"] for turn in found["turns"]) <= found["tokens"]


def test_a_person_reads_turns_with_their_dates(run: Run, place: Place) -> None:
    out = run("search", "greyhound", *place).out
    assert "spring:0" in out
    assert "Mira: I adopted a dog yesterday" in out
    assert "4 March 2024" in out
