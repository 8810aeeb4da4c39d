"""The README's drawing is the graph's, and its Python runs."""

import os
import re
import tomllib
from pathlib import Path

import pytest

from langrecall.graphs.recall import create_recall_graph
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import ScriptedChatModel

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]


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


def test_it_opens_with_the_demo_and_the_tests() -> None:
    assert [line.split("#")[0].strip() for line in blocks("sh")[0].splitlines()] == ["make demo", "make test"]


def test_every_extra_is_explained() -> None:
    table = README.read_text(encoding="utf-8").split("\n| extra |", 1)[1].split("\n\n", 1)[0]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert sorted(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == sorted(extras)


def test_the_extras_of_make_are_those_named() -> None:
    (made,) = re.findall(r"^EXTRAS := (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    *others, last = made.split(",")
    assert f"with the extras {', '.join(others)} and {last}\n" in README.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)[^):]*\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_page_is_reached_from_the_readme() -> None:
    linked = re.findall(r"\]\((docs/\w+\.md)\)", README.read_text(encoding="utf-8"))
    assert {str(page.relative_to(ROOT)) for page in PAGES[1:]} <= set(linked)


def test_every_command_of_the_readme_exists() -> None:
    from typer.main import get_command

    from langrecall.cli.app import app

    known = set(get_command(app).commands)  # type: ignore[attr-defined]
    named = set(re.findall(r"^langrecall (\w+)", README.read_text(encoding="utf-8"), re.MULTILINE))
    assert named <= known
