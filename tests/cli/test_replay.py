"""`ask --save` and `replay`: the same walk again, a fork of it, and every way to ask for neither."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from langrecall.testing import ScriptedServer

Run = Callable[..., Any]
Place = tuple[str, ...]

QUESTION = "What is Mira's dog called?"
STEP = {
    "sources": ["spring:0"],
    "quote": "I adopted a dog yesterday, a greyhound called Biscuit.",
    "text": "Mira's greyhound is called Biscuit.",
}
LOOK = {"reasoning": "so", "memory": [], "missing": ["a name"], "action": "read_raw", "argument": "spring"}
DONE = {"reasoning": "so", "memory": [STEP], "missing": [], "action": "answer", "argument": ""}
ENOUGH = {"reasoning": "", "sufficient": True, "missing": [], "queries": [], "evolution": "none"}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    """A model server, found by its environment as any other is."""
    with ScriptedServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-not-to-be-saved")
        yield server


@pytest.fixture
def saved(run: Run, place: Place, tmp_path: Path) -> Path:
    """A run of the extractive policy."""
    file = tmp_path / "run.json"
    outcome = run("ask", QUESTION, *place, "--save", file)
    assert outcome.code == 0, outcome.err
    return file


def db(place: Place) -> tuple[str, str]:
    return place[0], place[1]


def test_a_saved_run_is_answered_as_any_other(run: Run, place: Place, tmp_path: Path) -> None:
    outcome = run("ask", QUESTION, *place, "--save", tmp_path / "run.json", "--json")
    record = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert record["output"]["answer"] == outcome.json["answer"]
    assert [step["event"]["node"] for step in record["steps"]] == [step["node"] for step in outcome.json["steps"]]


def test_an_extractive_run_is_replayed(run: Run, place: Place, saved: Path) -> None:
    outcome = run("replay", saved, *db(place))
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1] == "  ✓ the same steps, answer and citations as recorded"
    replayed = run("replay", saved, *db(place), "--json").json
    assert (replayed["matched"], replayed["differences"]) == (True, [])


def test_a_model_is_not_needed_again(run: Run, place: Place, server: ScriptedServer, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    server.enqueue(*map(json.dumps, (LOOK, DONE, ENOUGH)), "Biscuit [1].")
    first = run("ask", QUESTION, *place, "--model", "openai:scripted", "--save", file, "--json").json
    assert first["answer"] == "Biscuit [1]."
    assert "sk-not" not in file.read_text()
    assert server.url not in file.read_text()
    asked = len(server.requests)
    again = run("replay", file, *db(place), "--json").json
    assert again["matched"]
    assert again["steps"][0]["node"] == "retrieve"
    assert [step["node"] for step in again["steps"]] == [step["node"] for step in first["steps"]]
    assert again["usage"]["prompt_tokens"] == first["usage"]["prompt_tokens"]
    assert len(server.requests) == asked


def test_a_fork_asks_the_model_from_its_step_on(run: Run, place: Place, server: ScriptedServer, tmp_path: Path) -> None:
    file, branch = tmp_path / "run.json", tmp_path / "fork.json"
    server.enqueue(*map(json.dumps, (LOOK, DONE, ENOUGH)), "Biscuit [1].")
    run("ask", QUESTION, *place, "--model", "openai:scripted", "--save", file)
    server.enqueue(json.dumps(DONE), "A greyhound called Biscuit [1].")
    outcome = run("replay", file, *db(place), "--from-step", 2, "--set", "max_rounds=0", "--save", branch, "--json")
    assert outcome.code == 0, outcome.out
    forked = outcome.json
    assert [step["node"] for step in forked["steps"]] == ["retrieve", "reason", "read_raw", "reason", "answer"]
    assert (forked["from_step"], forked["changes"]) == (2, {"max_rounds": 0})
    assert forked["answer"] == "A greyhound called Biscuit [1]."
    assert forked["differences"]
    assert run("replay", branch, *db(place), "--json").json["matched"]


def test_a_fork_may_take_another_preset(run: Run, place: Place, saved: Path) -> None:
    outcome = run(
        "replay", saved, *db(place), "--from-step", 1, "--set", "preset=memcot", "--set", "max_steps=4", "--trace"
    )
    assert outcome.code == 0, outcome.err
    assert "zoom_out" in outcome.out or "judge" in outcome.out
    assert "Biscuit" in outcome.out


def test_a_replay_that_departs_says_where_and_fails(run: Run, place: Place, saved: Path) -> None:
    record = json.loads(saved.read_text(encoding="utf-8"))
    record["output"]["answer"] = "Rex"
    saved.write_text(json.dumps(record))
    outcome = run("replay", saved, *db(place))
    assert outcome.code == 1
    assert outcome.out.splitlines()[-1].startswith("  ≠ answer: 'Rex' then, ")
    outcome = run("replay", saved, *db(place), "--json")
    assert (outcome.code, outcome.json["matched"]) == (1, False)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--set", "max_steps=3"], "a replay changes nothing: say with --from-step N"),
        (["--model", "extractive"], "a replay changes nothing: say with --from-step N"),
        (["--from-step", "9"], "the run cannot be forked at step 9: its steps are 1 to 1"),
        (["--from-step", "0"], "the run cannot be forked at step 0: its steps are 1 to 1"),
        (["--from-step", "1", "--set", "depth=3"], "unknown setting 'depth'"),
        (["--from-step", "1", "--set", "max_steps=0"], "setting 'max_steps' is 0"),
        (["--from-step", "1", "--set", "namespace=other"], "bound to namespace 'friends'"),
        (["--save", "nowhere/run.json"], "cannot write nowhere/run.json: No such file or directory"),
    ],
)
def test_what_makes_no_replay_is_one_line(run: Run, place: Place, saved: Path, options: list[str], words: str) -> None:
    outcome = run("replay", saved, *db(place), *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert words in outcome.err


def test_a_missing_file_and_a_history_are_no_runs(run: Run, place: Place, sessions_file: Path, tmp_path: Path) -> None:
    missing = run("replay", tmp_path / "none.json", *db(place), "--json")
    assert missing.code == 2
    assert missing.json["error"].endswith("none.json: No such file or directory")
    other = run("replay", sessions_file, *db(place), "--json")
    assert "is no saved run: make one with langrecall ask" in other.json["error"]


def test_a_history_that_grew_or_went_is_told(run: Run, place: Place, saved: Path, tmp_path: Path) -> None:
    more = [{"session_id": "late", "time": "2024-09-01", "turns": [{"speaker": "Mira", "text": "Biscuit is fine."}]}]
    (tmp_path / "more.json").write_text(json.dumps({"sessions": more}))
    run("ingest", tmp_path / "more.json", *place)
    grown = run("replay", saved, *db(place), "--json")
    assert grown.code == 2
    assert grown.json == {"error": "the history has changed since: 2 sessions then, 3 now"}
    gone = run("replay", saved, "--db", tmp_path / "empty", "--json")
    assert (gone.code, gone.json["error"][:10]) == (2, "no history")


def test_a_place_that_cannot_be_written_is_told_before_the_model_is_asked(
    run: Run, place: Place, server: ScriptedServer, tmp_path: Path
) -> None:
    outcome = run("ask", QUESTION, *place, "--model", "openai:scripted", "--save", tmp_path, "--json")
    assert outcome.code == 2
    assert outcome.json["error"].endswith("it is a folder; name a file in it")
    assert server.requests == []
