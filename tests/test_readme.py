"""The README's drawing is the graph's, and its Python runs."""

import os
import re
from pathlib import Path

import pytest

from langrecall.graphs.recall import create_recall_graph
from langrecall.stores.chroma import ChromaHistory
from langrecall.testing import ScriptedChatModel

README = Path(__file__).parents[1] / "README.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_the_drawing_is_fresh() -> None:
    drawn = create_recall_graph(ChromaHistory.open(None, embeddings=None)).get_graph().draw_mermaid()
    (shown,) = blocks("mermaid")
    assert shown.strip() == drawn.strip(), "paste what `langrecall draw` prints"


def test_the_python_example_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    first, second, third = blocks("python")
    namespace: dict[str, object] = {}
    exec(first.replace('embeddings="local"', "embeddings=None"), namespace)
    shown = capsys.readouterr().out
    assert "the weekend of 9-10 March 2024" in shown
    assert "chat-1:0" in shown
    exec(second, namespace)
    namespace["model"] = ScriptedChatModel(replies=["To Trondheim."])
    exec(third.replace('embeddings="local"', "embeddings=None").replace('"openai:gpt-4o-mini"', "model"), namespace)
    assert capsys.readouterr().out.strip() == "To Trondheim."
    assert os.listdir(tmp_path) == ["memory"]  # noqa: PTH208 - names only


def test_every_command_of_the_readme_exists() -> None:
    from typer.main import get_command

    from langrecall.cli.app import app

    known = set(get_command(app).commands)  # type: ignore[attr-defined]
    named = set(re.findall(r"^langrecall (\w+)", README.read_text(encoding="utf-8"), re.MULTILINE))
    assert named <= known
