"""The tables of docs/results.md are those of the reports beside it."""

import json
import re
from pathlib import Path

import pytest

from tables.results import retrieval, speed, table

PAGE = Path(__file__).parents[2] / "docs" / "results.md"
README = (PAGE.parents[1] / "README.md").read_text(encoding="utf-8")


def test_every_report_is_shown() -> None:
    shown = set(re.findall(r'table\("\w+", "(\S+)"\)', PAGE.read_text(encoding="utf-8")))
    assert shown == {report.name for report in PAGE.with_suffix("").iterdir()}


def test_a_report_makes_its_table(tmp_path: Path) -> None:
    report = {"temporal": {"right": 0.5, "wrong": 0.25, "unresolved": 0.25, "n": 4}}
    (tmp_path / "r.json").write_text(json.dumps(report), encoding="utf-8")
    assert "| grounded dates | 50.0 % | 25.0 % | 25.0 % | 4 |" in table("temporal", "r.json", folder=tmp_path)


def test_gains_are_told_with_their_intervals(tmp_path: Path) -> None:
    gain = {"all": {"mean": 0.017, "n": 9, "low": 0.008, "high": 0.026}}
    report = {"differences": {"equal_in_sum": gain, "as_run": {"memcot": gain}}}
    (tmp_path / "loop.json").write_text(json.dumps(report), encoding="utf-8")
    text = table("gains", "loop.json", folder=tmp_path)
    assert "| one retrieval, equal in sum | +1.7 (+0.8 to +2.6) | - |" in text
    assert "| memcot, as run | +1.7 (+0.8 to +2.6) | - |" in text


def test_what_could_not_be_measured_says_why(tmp_path: Path) -> None:
    size = {"namespaces": 1, "descriptors": None}
    grown = {"turns": 1000, "p50_ms": 20.4, "encode_ms": 9.0, "rss_mb": 812.0, "write_seconds": 8.2, **size}
    recall = {"mean": 0.5, "n": 4, "low": 0.2, "high": 0.8}
    ours = {"version": "1.0", "turn_recall": recall, "p50_ms": 21.4, "put_seconds": 5.29}
    report = {
        "growth": {"sizes": [grown, {"turns": 1_000_000, "failed": "no memory", **size}]},
        "peers": {"tokens": 1000, "libraries": {"langrecall": ours, "mem0ai": {"skipped": "not installed"}}},
    }
    (tmp_path / "speed.json").write_text(json.dumps(report), encoding="utf-8")
    text = "\n".join(table(kind, "speed.json", folder=tmp_path) for kind in ("growth", "peers"))
    assert "| 1,000 turns | 1 | 11 ms | 812 MB | 8 s |" in text
    assert "| 1,000,000 turns | 1 | no memory | - | - |" in text
    assert "| langrecall 1.0 | 50.0 % (20.0 to 80.0) | 21 ms | 5.3 s |" in text
    assert "| mem0ai | not installed | - | - |" in text


def test_tables_of_retrieval_count_their_questions() -> None:
    turns, sessions = ({"mean": 0.5, "n": n, "low": 0.2, "high": 0.8} for n in (13, 20))
    found = {
        "turn_recall": {"1000": {"all": turns}, "2000": {"all": turns}},
        "session_recall": {"5": {"all": sessions}},
    }
    head = retrieval({"systems": {"langrecall": found}}).splitlines()[0]
    assert head == "|  | turns in 1,000 tokens, n = 13 | in 2,000 | multi-hop | sessions in the first 5, n = 20 |"


@pytest.mark.parametrize(("held", "shown"), [(1785.1, "1,785 MB"), (None, "unknown")])
def test_the_table_of_speed_has_the_start_and_the_memory(held: float | None, shown: str) -> None:
    ratios = {"ingest": {"ratio": 0.9}, "retrieval": {"p50_ratio": 1.8, "p95_ratio": 1.9}, "overhead": {"ratio": 2.1}}
    text = speed({**ratios, "cold_start_ms": 11380.4, "peak_memory_mb": held})
    assert "| cold start | 11.4 s |" in text
    assert f"| peak memory of the process that measures | {shown} |" in text


def test_an_unknown_kind_of_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text("{}", encoding="utf-8")
    with pytest.raises(KeyError, match="pie"):
        table("pie", "r.json", folder=tmp_path)


@pytest.mark.parametrize("system", ["langrecall", "naive_rag"])
def test_the_readme_says_the_same(system: str) -> None:
    systems = json.loads((PAGE.with_suffix("") / "retrieval-extractive.json").read_text(encoding="utf-8"))["systems"]
    measured = README[README.index("## Measured") : README.index("## The tree")]
    for budget in ("1000", "2000"):
        assert f"{100 * systems[system]['turn_recall'][budget]['all']['mean']:.1f} " in measured


def test_the_readme_says_how_often_it_abstains() -> None:
    walks = json.loads((PAGE.with_suffix("") / "walks.json").read_text(encoding="utf-8"))["walks"]["by_category"]
    assert f"{100 * walks['adversarial']['abstained']:.1f} % of LoCoMo's unanswerable" in README
