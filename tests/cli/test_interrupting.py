"""Ctrl-C: what is told, and of `ingest` what is kept and how it goes on."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from signal import SIG_IGN, SIGINT, getsignal, signal
from threading import Event
from typing import Any

import pytest

from langrecall.cli.ingest import telling_what_is_stored
from langrecall.cli.running import InterruptionError
from langrecall.testing import ScriptedServer, ServerRequest

Run = Callable[..., Any]
# A process started from a background job ignores SIGINT from its beginning, and so would the command.
HEED = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)"
LANGRECALL = (sys.executable, "-c", f"{HEED}; from langrecall.cli import main; sys.exit(main())")
INGEST, ASK = (*LANGRECALL, "ingest"), (*LANGRECALL, "ask")
PATIENCE = 60
"""Seconds to wait for a process on a busy machine."""
TOLD = "interrupted: 1 of 2 sessions in the history; the same command again goes on from there"


@pytest.fixture
def conversations(tmp_path: Path) -> list[Path]:
    """Two files of one conversation each, which are stored one after the other."""
    paths = []
    for name in ("roses", "leeks"):
        said = {"speaker": "Ana", "dia_id": "D1:1", "text": f"I planted {name} today."}
        talk = {"speaker_a": "Ana", "session_1_date_time": "12:30 am on 1 March, 2024", "session_1": [said]}
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps([{"sample_id": name, "qa": [], "conversation": talk}]))
    return paths


@pytest.mark.parametrize(("extra", "out", "err"), [((), "", f"error: {TOLD}\n"), (("--json",), {"error": TOLD}, "")])
def test_an_interrupted_ingest_tells_what_is_stored_and_the_next_goes_on(
    run: Run,
    conversations: list[Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    extra: tuple[str, ...],
    out: Any,
    err: str,
) -> None:
    reached, released = Event(), Event()

    def describe(request: ServerRequest) -> str:
        if "leeks" in request.text:
            reached.set()
            released.wait(PATIENCE)
        return json.dumps({"title": "A garden"})

    monkeypatch.setenv("OPENAI_API_KEY", "none")
    place = ("--db", str(tmp_path / "db"), "--namespace", "garden", "--embeddings", "none", "--model", "openai:small")
    with ScriptedServer(describe) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        command = [*INGEST, *map(str, conversations), *place, *extra]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert reached.wait(PATIENCE)
            process.send_signal(SIGINT)
            results, complaints = process.communicate(timeout=PATIENCE)
        released.set()
        again = run("ingest", *conversations, *place, "--json")
    assert process.returncode == 130
    assert (json.loads(results) if extra else results, complaints) == (out, err)
    assert (again.json["sessions"]["skipped"], again.json["sessions"]["created"]) == (1, 1)


def test_an_interrupted_question_says_so(place: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    reached, released = Event(), Event()

    def reason(_: ServerRequest) -> str:
        reached.set()
        released.wait(PATIENCE)
        return "{}"

    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with ScriptedServer(reason) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        command = [*ASK, "Where does Jonas live?", *place, "--model", "openai:small", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert reached.wait(PATIENCE)
            process.send_signal(SIGINT)
            results, complaints = process.communicate(timeout=PATIENCE)
        released.set()
    assert (process.returncode, json.loads(results), complaints) == (130, {"error": "interrupted"}, "")


def test_a_second_interruption_does_not_break_off_the_end() -> None:
    before = getsignal(SIGINT)
    try:
        with pytest.raises(InterruptionError, match="0 of 0 sessions in the history"), telling_what_is_stored([], []):
            raise KeyboardInterrupt
        assert getsignal(SIGINT) is SIG_IGN
    finally:
        signal(SIGINT, before)
