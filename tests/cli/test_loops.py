"""`ask` over a picture, over the graph and over a long conversation: what a person would try first."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from langrecall.data import sample_history, sample_questions

Run = Callable[..., Any]


def test_a_question_that_only_a_picture_answers_is_answered_by_ocr(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("PIL", reason="needs the extra `vision`")
    pytest.importorskip("rapidocr", reason="needs the extra `vision`")
    place = ("--db", tmp_path / "db", "--namespace", "sample")
    assert run("ingest", sample_history(), *place, "--embeddings", "none").code == 0
    picture = sample_questions().picture
    outcome = run("ask", picture.question, *place, "--preset", "combined", "--json")
    assert outcome.code == 0, outcome.err
    assert picture.answer in outcome.json["answer"]
    assert picture.evidence[0] in [citation["turn"] for citation in outcome.json["citations"]]
    assert not outcome.json["abstained"]


def test_the_graph_retriever_by_settings(run: Run, sessions_file: Path, tmp_path: Path) -> None:
    place = ("--db", tmp_path / "db", "--namespace", "friends")
    assert run("ingest", sessions_file, *place, "--embeddings", "none", "--form", "wiki+graph").code == 0
    outcome = run("ask", "What is Mira's dog called?", *place, "--set", "retriever=graph", "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.json["answer"]


def test_the_graph_retriever_over_entries_without_a_graph(run: Run, sessions_file: Path, tmp_path: Path) -> None:
    place = ("--db", tmp_path / "db", "--namespace", "friends")
    assert run("ingest", sessions_file, *place, "--embeddings", "none").code == 0
    outcome = run("ask", "What is Mira's dog called?", *place, "--set", "retriever=graph", "--json")
    assert outcome.code == 2
    assert outcome.json["error"].startswith("namespace 'friends' has no graph: its entries are in form 'wiki', and")
    assert "langrecall ingest --form wiki+graph" in outcome.json["error"]
    assert run("ingest", sessions_file, *place, "--embeddings", "none", "--form", "wiki+graph").code == 0
    assert run("ask", "What is Mira's dog called?", *place, "--set", "retriever=graph", "--json").code == 0


@pytest.mark.shared
def test_the_loops_of_both_presets_are_seen_in_their_steps(run: Run, benchmark_data: Path, tmp_path: Path) -> None:
    (sample,) = [
        one for one in json.loads((benchmark_data / "locomo_dev.json").read_text()) if one["sample_id"] == "conv-26"
    ]
    (tmp_path / "one.json").write_text(json.dumps([sample]))
    place = ("--db", tmp_path / "db", "--namespace", "conv-26")
    assert run("ingest", tmp_path / "one.json", *place, "--embeddings", "none").code == 0
    asked = [item["question"] for item in sample["qa"] if item["category"] == 1][:6]
    for preset in ("memcot", "combined"):
        nodes: set[str] = set()
        for question in asked:
            outcome = run("ask", question, *place, "--preset", preset, "--json")
            assert outcome.code == 0, outcome.err
            nodes |= {step["node"] for step in outcome.json["steps"]}
        assert {"zoom_in", "zoom_out", "judge"} <= nodes
