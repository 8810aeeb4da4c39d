"""What stops a command becomes one line and an exit code."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from langrecall.cli import boundary
from langrecall.errors import InputError

Run = Callable[..., Any]
LANGRECALL = (sys.executable, "-c", "import sys; from langrecall.cli import main; sys.exit(main())")


def test_without_a_command_the_commands_are_listed(run: Run) -> None:
    outcome = run()
    assert outcome.code == 0
    for command in (
        "demo",
        "ingest",
        "ask",
        "search",
        "sessions",
        "show",
        "forget",
        "reindex",
        "export",
        "import",
        "replay",
        "view",
        "draw",
    ):
        assert command in outcome.out


@pytest.mark.parametrize(
    "command",
    [
        *("demo", "ingest", "ask", "search", "sessions", "show", "forget", "reindex", "export", "import"),
        *("replay", "view", "draw"),
    ],
)
def test_every_command_explains_itself_and_speaks_json(run: Run, command: str) -> None:
    outcome = run(command, "--help")
    assert outcome.code == 0
    assert "--json" in outcome.out


def test_a_missing_option_is_one_line_on_stderr(run: Run) -> None:
    outcome = run("sessions", "--namespace", "friends")
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err == "error: Missing option '--db' (env var: 'LANGRECALL_DB'). (see langrecall sessions --help)\n"


def test_with_json_a_missing_option_is_one_object_on_stdout(run: Run) -> None:
    outcome = run("sessions", "--namespace", "friends", "--json")
    assert outcome.code == 2
    assert outcome.json == {"error": "Missing option '--db' (env var: 'LANGRECALL_DB')."}
    assert outcome.err == ""


def test_a_question_that_reads_json_does_not_ask_for_json(run: Run, place: tuple[str, ...]) -> None:
    outcome = run("ask", *place, "--", "--json")
    assert outcome.code == 0
    assert not outcome.out.lstrip().startswith("{")


@pytest.mark.parametrize("command", ["ask", "search"])
def test_an_empty_question_is_refused(run: Run, command: str) -> None:
    outcome = run(command, " ", "--db", "nowhere", "--namespace", "friends", "--json")
    assert outcome.code == 2
    assert outcome.json == {"error": "Invalid value for 'QUESTION': it is empty"}


def test_unknown_command_is_one_line(run: Run) -> None:
    outcome = run("remember")
    assert outcome.code == 2
    assert outcome.err == "error: No such command 'remember'. (see langrecall --help)\n"


def test_message_of_several_lines_becomes_one_and_keeps_no_escape_sequence(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise InputError("first\nsecond \x1b[31mred")

    outcome = run_replaced(run, monkeypatch, fail)
    assert outcome.code == 2
    assert outcome.err == "error: first second \N{REPLACEMENT CHARACTER}[31mred\n"


def test_interruption_is_quiet_and_has_its_own_code(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    outcome = run_replaced(run, monkeypatch, interrupted)
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "")


def test_fault_of_the_system_names_the_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> None:
        raise PermissionError(13, "Permission denied", "/somewhere/memory")

    outcome = run_replaced(run, monkeypatch, refused)
    assert outcome.code == 2
    assert outcome.err == "error: /somewhere/memory: Permission denied\n"


def test_a_fault_of_the_program_is_not_hidden(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise AssertionError("a bug")

    with pytest.raises(AssertionError, match="a bug"):
        run_replaced(run, monkeypatch, broken)


def test_a_reader_that_leaves_early_is_no_fault(place: tuple[str, ...]) -> None:
    process = subprocess.Popen([*LANGRECALL, "show", "spring", *place], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, complaints = process.communicate()
    assert complaints == b""
    assert process.returncode == 1


@pytest.mark.parametrize("extra", [(), ("--json",)])
def test_a_terminal_without_unicode_is_served(tmp_path: Path, extra: tuple[str, ...]) -> None:
    history = tmp_path / "h.json"
    history.write_text('{"session_id": "s", "turns": [{"speaker": "Zoë", "text": "Ich trinke Tee 🍵 in 東京."}]}')
    place = ["--db", str(tmp_path / "db"), "--namespace", "n"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}

    def command(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([*LANGRECALL, *arguments, *place], capture_output=True, env=environment, check=False)

    assert command("ingest", str(history), "--embeddings", "none").returncode == 0
    for arguments in (("ask", "What does Zoë drink?", "--trace"), ("search", "Tee"), ("sessions",), ("show", "s")):
        outcome = command(*arguments, *extra)
        assert outcome.returncode == 0, outcome.stderr
        assert outcome.stdout.isascii()


def run_replaced(run: Run, monkeypatch: pytest.MonkeyPatch, body: Callable[[], None]) -> Any:
    """Run a command line whose one command is `body`."""
    app = typer.Typer()
    app.command()(body)
    monkeypatch.setattr(boundary, "app", app)
    return run("--")
