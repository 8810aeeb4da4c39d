"""`sessions` and `show`: what a history holds."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Place = tuple[str, ...]
TURNING = "\N{RIGHT-TO-LEFT OVERRIDE}"


def test_sessions_are_listed_in_time_order(run: Run, place: Place) -> None:
    listed = run("sessions", *place, "--json").json["sessions"]
    assert [(one["session_id"], one["time"], one["turns"]) for one in listed] == [
        ("spring", "2024-03-04T18:30:00", 2),
        ("summer", "2024-07-15T09:00:00", 2),
    ]


def test_a_person_reads_one_line_a_session(run: Run, place: Place) -> None:
    lines = run("sessions", *place).out.splitlines()
    assert lines[0].startswith("spring")
    assert "4 March 2024" in lines[0]
    assert lines[-1] == "2 sessions, 4 turns"


def test_a_session_is_shown_with_its_entry_and_every_turn(run: Run, place: Place) -> None:
    shown = run("show", "spring", *place, "--json").json
    assert [turn["text"][:9] for turn in shown["session"]["turns"]] == ["I adopted", "Lovely! I"]
    assert shown["episode"]["session_id"] == "spring"
    out = run("show", "spring", *place).out
    assert "Mira: I adopted a dog yesterday" in out


@pytest.fixture
def disguised(run: Run, tmp_path: Path) -> Place:
    """One turn, whose ids and speaker hold what a terminal would obey."""
    path = tmp_path / "disguised.json"
    turn = {"id": f"m{TURNING}", "speaker": f"Mia{TURNING}\x1b[2J", "text": "I adopted a beagle."}
    path.write_text(json.dumps({"session_id": f"s{TURNING}\x1b", "turns": [turn]}))
    place = ("--db", str(tmp_path / "db"), "--namespace", "one")
    assert run("ingest", path, *place, "--embeddings", "none").code == 0
    return place


def test_no_name_or_id_can_control_the_terminal(run: Run, disguised: Place) -> None:
    question = "What did Mia adopt?"
    for command in (("sessions",), ("show", f"s{TURNING}\x1b"), ("search", question), ("ask", question, "--trace")):
        outcome = run(*command, *disguised)
        assert "s\ufffd\ufffd" in outcome.out
        assert not {TURNING, "\x1b"} & set(outcome.out + outcome.err)
        assert TURNING in run(*command, *disguised, "--json").out


def test_one_session_of_one_turn_is_counted_in_the_singular(run: Run, disguised: Place) -> None:
    first, last = run("sessions", *disguised).out.splitlines()
    assert "1 turn  " in first
    assert last == "1 session, 1 turn"


def test_an_unknown_session_is_one_line(run: Run, place: Place) -> None:
    outcome = run("show", "winter", *place)
    assert outcome.code == 2
    assert "'winter'" in outcome.err
    assert outcome.err.count("\n") == 1


def test_an_unknown_namespace_names_the_known_ones(run: Run, place: Place) -> None:
    outcome = run("sessions", place[0], place[1], "--namespace", "freinds", "--json")
    assert outcome.code == 2
    assert "'freinds'" in outcome.json["error"]
    assert "friends" in outcome.json["error"].replace("'freinds'", "")


def test_a_history_that_is_not_there_is_one_line_and_makes_no_folder(run: Run, tmp_path: Any) -> None:
    missing = tmp_path / "nowhere"
    outcome = run("sessions", "--db", missing, "--namespace", "friends")
    assert outcome.code == 2
    assert str(missing) in outcome.err
    assert "ingest" in outcome.err
    assert not missing.exists()
