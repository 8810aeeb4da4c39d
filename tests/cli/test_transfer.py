"""`export` and `import`: a history leaves and comes back as it was."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from langrecall.data import sample_history

Run = Callable[..., Any]
Place = tuple[str, ...]

ODD: dict[str, Any] = {
    "sessions": [
        {
            "session_id": "odd: 1/2 🐝",
            "time": "sometime in May",
            "source": "elsewhere-7",
            "turns": [
                {"speaker": "Zoë 🐝", "text": "  Two lines,\nand a\ttab.  ", "id": "m\u20281", "time": "2024-03-16T11:09:00.25+05:45"},
                {"role": "tool", "speaker": "calendar", "text": "\u2028[]{}\"\\ 東京"},
                {"speaker": "Bo", "text": "", "images": [{"source": "https://example.org/a.png", "caption": "a card", "ocr": "Get well"}]},
            ],
        },
        {"session_id": "dated", "time": "2024-03-16T11:05+01:00", "turns": [{"speaker": "Bo", "text": "I moved yesterday."}]},
    ]
}  # fmt: skip


@pytest.fixture
def elsewhere(tmp_path: Path) -> Place:
    return ("--db", str(tmp_path / "other"), "--namespace", "copy")


@pytest.fixture(params=["odd", "sample"])
def full(run: Run, tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    """A history that holds whatever a session may hold."""
    place = ("--db", str(tmp_path / "full"), "--namespace", "full")
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(ODD))
    given = path if request.param == "odd" else sample_history()
    assert run("ingest", given, *place, "--embeddings", "none").code == 0
    return place


def shown(run: Run, place: Place) -> list[Any]:
    listed = run("sessions", *place, "--json").json["sessions"]
    return [run("show", *place, "--json", "--", one["session_id"]).json for one in listed]


def test_what_is_imported_is_what_was_exported(run: Run, full: Place, elsewhere: Place, tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    told = run("export", first, *full, "--json").json
    there = shown(run, full)
    assert told == {
        "sessions": len(there),
        "turns": sum(len(one["session"]["turns"]) for one in there),
        "file": str(first),
    }
    imported = run("import", first, *elsewhere, "--embeddings", "none", "--json").json
    assert imported == {"sessions": {"created": len(there), "updated": 0, "skipped": 0}, "turns": told["turns"]}
    assert shown(run, elsewhere) == there
    run("export", second, *elsewhere)
    assert second.read_bytes() == first.read_bytes()


def test_each_line_is_a_session_with_its_entry(run: Run, place: Place, tmp_path: Path) -> None:
    file = tmp_path / "h.jsonl"
    assert run("export", file, *place).out == f"2 sessions, 4 turns in {file}\n"
    header, *lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert header == {"format": "langrecall history", "version": 1}
    assert [line["session"]["session_id"] for line in lines] == ["spring", "summer"]
    assert [line["episode"]["session_id"] for line in lines] == ["spring", "summer"]
    assert {line["describer"] for line in lines} == {"extractive"}


def test_importing_again_changes_nothing_and_ingest_knows_the_sessions(
    run: Run, place: Place, elsewhere: Place, sessions_file: Path, tmp_path: Path
) -> None:
    file = tmp_path / "h.jsonl"
    run("export", file, *place)
    run("import", file, *elsewhere, "--embeddings", "none")
    assert run("import", file, *elsewhere).out == "2 skipped in copy\n"
    assert run("ingest", sessions_file, *elsewhere, "--json").json["sessions"]["skipped"] == 2


def test_the_import_answers_as_the_original(run: Run, place: Place, elsewhere: Place, tmp_path: Path) -> None:
    file = tmp_path / "h.jsonl"
    run("export", file, *place)
    run("import", file, *elsewhere, "--embeddings", "none")
    question = "When did Jonas move into the flat?"
    one, other = (run("ask", question, *there, "--json").json for there in (place, elsewhere))
    assert (one["answer"], one["citations"]) == (other["answer"], other["citations"])
    assert not one["abstained"]


def test_an_export_that_fails_leaves_the_old_file_alone(run: Run, place: Place, tmp_path: Path) -> None:
    file = tmp_path / "h.jsonl"
    file.write_text("precious")
    assert run("export", file, place[0], place[1], "--namespace", "nobody").code == 2
    assert file.read_text() == "precious"
    assert run("export", file, *place).code == 0
    assert file.read_text().startswith('{"format": "langrecall history"')
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_place_that_cannot_be_written_is_one_line(run: Run, place: Place, tmp_path: Path) -> None:
    outcome = run("export", tmp_path / "no" / "h.jsonl", *place)
    assert outcome.code == 2
    assert "cannot write" in outcome.err
    assert outcome.err.count("\n") == 1


GOOD = '{"format": "langrecall history", "version": 1}\n'
SESSION: dict[str, Any] = {
    "session": {"session_id": "s", "turns": [{"session_id": "s", "index": 0, "speaker": "Bo", "role": "speaker", "text": "Hi"}]},
    "describer": "extractive",
    "form": "wiki",
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ('{"session_id": "s"}\n', "no exported history; make one with langrecall export FILE; other files are for langrecall ingest"),
        (GOOD.replace("1}", "9}"), "an exported history of version 9, and this is version 1; export it anew"),
        (GOOD + json.dumps(SESSION) + "\n{broken\n", "line 3, column 2: broken JSON"),
        (GOOD + json.dumps(SESSION | {"form": None}) + "\n", "session 1: form: input should be a valid string; export it anew"),
        (GOOD + json.dumps(SESSION | {"episode": {"session_id": "t", "title": "T"}}) + "\n", "the entry of 't' stands beside session 's'"),
        (GOOD + 2 * (json.dumps(SESSION) + "\n"), "session 's' comes twice"),
    ],
)  # fmt: skip
def test_what_cannot_be_imported_is_one_line_and_stores_nothing(
    run: Run, elsewhere: Place, tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "h.jsonl"
    file.write_text(text)
    outcome = run("import", file, *elsewhere, "--embeddings", "none", "--json")
    assert outcome.code == 2
    assert says in outcome.json["error"]
    assert outcome.json["error"].startswith(str(file))
    assert not Path(elsewhere[1]).exists()


def test_a_missing_file_is_one_line(run: Run, elsewhere: Place, tmp_path: Path) -> None:
    outcome = run("import", tmp_path / "nowhere.jsonl", *elsewhere)
    assert outcome.code == 2
    assert "no such file" in outcome.err
