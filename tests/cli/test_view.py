"""`view`: a saved run becomes a page of its own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Place = tuple[str, ...]


@pytest.fixture
def saved(run: Run, place: Place, tmp_path: Path) -> Path:
    file = tmp_path / "run.json"
    run("ask", "What is Mira's dog called?", *place, "--save", file)
    return file


def test_the_page_lies_beside_the_run_or_where_it_is_wanted(run: Run, saved: Path, tmp_path: Path) -> None:
    outcome = run("view", saved)
    assert (outcome.code, outcome.out.strip()) == (0, str(tmp_path / "run.html"))
    wanted = run("view", saved, "-o", tmp_path / "page.html", "--json").json
    assert wanted["page"] == str(tmp_path / "page.html")
    assert wanted["steps"] >= 3
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page == (tmp_path / "run.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "a greyhound called Biscuit" in page


def test_the_run_itself_is_not_written_over(run: Run, saved: Path) -> None:
    outcome = run("view", saved, "-o", saved)
    assert outcome.code == 2
    assert outcome.err.endswith("run.json is the run itself: name another file with -o\n")


@pytest.mark.parametrize(("content", "words"), [("{}", "is no saved run"), (None, "No such file or directory")])
def test_what_is_no_run_is_one_line(run: Run, tmp_path: Path, content: str | None, words: str) -> None:
    file = tmp_path / "other.json"
    if content is not None:
        file.write_text(content)
    outcome = run("view", file, "--json")
    assert (outcome.code, list(tmp_path.glob("*.html"))) == (2, [])
    assert words in outcome.json["error"]
