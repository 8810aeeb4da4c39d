"""The command line as a person runs it, and a small history to run it on."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from langrecall.cli import main


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.out)
        return value


Run = Callable[..., Outcome]

SESSIONS: list[dict[str, Any]] = [
    {
        "session_id": "spring",
        "time": "2024-03-04T18:30:00",
        "turns": [
            {"id": "A1", "speaker": "Mira", "text": "I adopted a dog yesterday, a greyhound called Biscuit."},
            {"id": "A2", "speaker": "Jonas", "text": "Lovely! I am still looking for a flat near the harbour."},
        ],
    },
    {
        "session_id": "summer",
        "time": "2024-07-15T09:00:00",
        "turns": [
            {"id": "B1", "speaker": "Jonas", "text": "I moved into the flat at the harbour last Saturday."},
            {"id": "B2", "speaker": "Mira", "text": "Biscuit and I will visit you in August."},
        ],
    },
    {"session_id": "silent", "time": "2024-08-01T09:00:00", "turns": []},
]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process."""

    def command(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return command


@pytest.fixture
def sessions_file(tmp_path: Path) -> Path:
    """Three sessions of two people, one of them empty."""
    path = tmp_path / "sessions.json"
    path.write_text(json.dumps({"sessions": SESSIONS}))
    return path


@pytest.fixture
def place(tmp_path: Path, run: Run, sessions_file: Path) -> tuple[str, ...]:
    """The options that lead to a history that holds the sessions, ranked lexically."""
    options = ("--db", str(tmp_path / "db"), "--namespace", "friends")
    outcome = run("ingest", sessions_file, *options, "--embeddings", "none")
    assert outcome.code == 0, outcome.err
    return options
