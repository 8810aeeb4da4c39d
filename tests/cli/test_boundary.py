"""What stops a command becomes one line and an exit code."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from signal import SIGINT, getsignal, signal
from typing import Any

import pytest
import typer

from langrecall.cli import boundary, options
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


@pytest.fixture
def own_interrupts() -> Iterator[None]:
    """Leaves Ctrl-C to the tests again."""
    before = getsignal(SIGINT)
    yield
    signal(SIGINT, before)


@pytest.mark.usefixtures("own_interrupts")
def test_interruption_is_one_line_and_has_its_own_code(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    outcome = run_replaced(run, monkeypatch, interrupted)
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "error: interrupted\n")


@pytest.mark.usefixtures("own_interrupts")
def test_interruption_with_json_is_one_object(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(as_json: options.Json = False) -> None:
        assert as_json
        raise KeyboardInterrupt

    outcome = run_replaced(run, monkeypatch, interrupted, "--json")
    assert (outcome.code, outcome.json, outcome.err) == (130, {"error": "interrupted"}, "")


@pytest.mark.parametrize(
    ("extra", "out", "err"), [((), "", "error: interrupted\n"), (("--json",), {"error": "interrupted"}, "")]
)
def test_interruption_while_the_program_is_loaded_is_told_too(extra: tuple[str, ...], out: object, err: str) -> None:
    loading = """
import sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from langrecall.cli import main
sys.exit(main())
"""
    command = [sys.executable, "-c", loading, "ask", "Where?", *extra]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 130
    assert (json.loads(outcome.stdout) if extra else outcome.stdout, outcome.stderr) == (out, err)


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


def test_with_json_a_fault_of_the_program_is_one_object_and_its_traceback() -> None:
    broken = """
import sys
from langrecall.cli import boundary, main
def app(*given, **options):
    raise OverflowError("a bug")
boundary.app = app
sys.exit(main())
"""
    command = [sys.executable, "-c", broken, "sessions", "--json"]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    fault = "a fault of langrecall itself, told on stderr: OverflowError: a bug"
    assert (outcome.returncode, json.loads(outcome.stdout)) == (1, {"error": fault})
    assert outcome.stderr.startswith("Traceback")
    assert outcome.stderr.endswith("OverflowError: a bug\n")


def through_shell(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a shell command in which `"$@"` is this program with its arguments."""
    return subprocess.run(
        ["sh", "-c", command, "sh", *LANGRECALL, *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("extra", [(), ("--json",)])
def test_a_closed_stdout_is_one_line(place: tuple[str, ...], extra: tuple[str, ...]) -> None:
    outcome = through_shell('"$@" >&-', "sessions", *place, *extra)
    assert (outcome.returncode, outcome.stderr) == (2, "error: stdout is closed: nothing can be printed\n")
    assert through_shell('"$@" >&- 2>&-', "sessions", *place, *extra).returncode == 2


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs a device that is always full")
@pytest.mark.parametrize("extra", [(), ("--json",)])
@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_full_stdout_is_one_line(
    place: tuple[str, ...], extra: tuple[str, ...], buffered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", buffered)
    outcome = through_shell('"$@" >/dev/full', "sessions", *place, *extra)
    assert outcome.returncode == 2
    assert outcome.stderr.endswith("No space left on device\n")
    assert outcome.stderr.count("\n") == 1


def test_what_is_meant_for_a_closed_stderr_does_not_reach_stdout(place: tuple[str, ...]) -> None:
    outcome = through_shell('"$@" 2>&-', "ask", "What is Mira's dog called?", *place, "--trace", "--json")
    assert outcome.returncode == 0
    assert "Biscuit" in json.loads(outcome.stdout)["answer"]


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


def run_replaced(run: Run, monkeypatch: pytest.MonkeyPatch, body: Callable[..., None], option: str = "--") -> Any:
    """Run a command line whose one command is `body`."""
    app = typer.Typer()
    app.command()(body)
    monkeypatch.setattr(boundary, "app", app)
    return run(option)
