"""docs/settings.md lists every setting as it is, and what it shows runs."""

import json
import re
import shlex
from pathlib import Path
from typing import get_args

import pytest

from langrecall.cli import main
from langrecall.ingest_state import IngestSettings
from langrecall.settings import MetadataForm, Settings
from langrecall.stores.base import Retriever
from tables.settings import takes

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"
SAID = "We finally moved to Trondheim last weekend!"
SESSION = {
    "session_id": "chat-1",
    "time": "2024-03-12T18:30",
    "turns": [{"speaker": "Mira", "text": SAID}],
}


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


def row(name: str) -> list[str]:
    """The cells of the first row of the page about a name."""
    line = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{name}` |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def first_column(heading: str) -> list[str]:
    table = PAGE.read_text(encoding="utf-8").split(f"| {heading} |", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `([\w+]+)`", table, re.MULTILINE)


def test_every_setting_stands_on_the_page_once() -> None:
    assert re.findall(r"^\| `(\w+)` \|.*\*\*", PAGE.read_text(encoding="utf-8"), re.MULTILINE) == [
        *Settings.model_fields,
        *IngestSettings.model_fields,
    ]


def test_a_preset_shows_where_it_differs() -> None:
    assert row("max_steps")[1:5] == ["6", "5", "24", "1 to 100"]
    assert row("zoom_out")[1:5] == ["`true`", "`false`", "", "`true`, `false`"]
    assert row("evidence_tokens")[1:5] == ["3,700", "`none`", "`none`", "50 to 10,000,000 or `none`"]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer", "minimum": 1}, "from 1"),
        ({"type": "integer", "minimum": 0, "maximum": 2000}, "0 to 2,000"),
        ({"anyOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1.5}, {"type": "null"}]}, "above 0, up to 1.5 or `none`"),
        ({"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "null"}]}, "above 0 or `none`"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "text or `none`"),
    ],
)  # fmt: skip
def test_bounds_are_told_in_words(schema: dict[str, object], expected: str) -> None:
    assert takes(schema) == expected


@pytest.mark.parametrize(("heading", "choice"), [("retriever", Retriever), ("form", MetadataForm)])
def test_every_retriever_and_form_is_explained(heading: str, choice: object) -> None:
    assert sorted(first_column(heading)) == sorted(get_args(choice))


def test_the_python_example_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(block("python"), {})
    assert "the weekend of 9-10 March 2024" in capsys.readouterr().out


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("chats.json").write_text(json.dumps({"sessions": [SESSION]}), encoding="utf-8")
    (_, *ingest), *asks = [shlex.split(line) for line in block("sh").splitlines()]
    assert main([*ingest, "--embeddings", "none"]) == 0
    for _, *ask in asks:
        assert main(ask) == 0
        assert SAID in capsys.readouterr().out


def test_every_setting_named_on_the_page_exists() -> None:
    known = {*Settings.model_fields, *IngestSettings.model_fields}
    given = re.findall(r"(?<=[` ])(\w+)=", PAGE.read_text(encoding="utf-8").split("## Of a recall")[1])
    assert given
    assert set(given) <= known
