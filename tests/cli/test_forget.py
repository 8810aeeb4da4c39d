"""`forget`: sessions, or all of them, are gone for good."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Place = tuple[str, ...]


def ids(run: Run, place: Place) -> list[str]:
    return [one["session_id"] for one in run("sessions", *place, "--json").json["sessions"]]


def test_a_session_is_forgotten_and_the_others_stay(run: Run, place: Place) -> None:
    assert run("forget", "spring", *place, "--json").json == {"forgotten": ["spring"], "left": 1}
    assert ids(run, place) == ["summer"]
    asked = run("ask", "What is Mira's greyhound called?", *place, "--json").json
    assert "greyhound" not in str(asked["memory"])
    assert run("show", "spring", *place).code == 2


def test_a_person_reads_how_many_are_left(run: Run, place: Place) -> None:
    assert run("forget", "spring", "spring", *place).out == "forgot 1 session, 1 left in friends\n"


@pytest.mark.parametrize("options", [("--all",), ("spring", "summer")])
def test_with_its_last_session_a_namespace_is_gone(run: Run, place: Place, options: tuple[str, ...]) -> None:
    assert run("forget", *options, *place, "--json").json == {"forgotten": ["spring", "summer"], "left": 0}
    assert run("sessions", *place).code == 2


def test_nothing_of_a_forgotten_history_is_left_on_the_disk(run: Run, place: Place) -> None:
    held = [path for path in Path(place[1]).rglob("*") if path.is_file() and b"greyhound" in path.read_bytes()]
    assert held
    run("forget", "--all", *place)
    assert [path for path in Path(place[1]).rglob("*") if path.is_file() and b"greyhound" in path.read_bytes()] == []


def test_an_unknown_session_forgets_nothing(run: Run, place: Place) -> None:
    outcome = run("forget", "spring", "winter", *place, "--json")
    assert outcome.code == 2
    assert outcome.json == {"error": "no session 'winter' in namespace 'friends': nothing was forgotten"}
    assert ids(run, place) == ["spring", "summer"]


@pytest.mark.parametrize(("given", "says"), [((), "name the sessions"), (("spring", "--all"), "name none beside it")])
def test_it_must_be_clear_what_to_forget(run: Run, place: Place, given: tuple[str, ...], says: str) -> None:
    outcome = run("forget", *given, *place)
    assert outcome.code == 2
    assert says in outcome.err
    assert outcome.err.count("\n") == 1
    assert ids(run, place) == ["spring", "summer"]


def test_an_unknown_namespace_names_the_known_ones(run: Run, place: Place) -> None:
    outcome = run("forget", "--all", place[0], place[1], "--namespace", "freinds", "--json")
    assert outcome.code == 2
    assert "it holds friends" in outcome.json["error"]
