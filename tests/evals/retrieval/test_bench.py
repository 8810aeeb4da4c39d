"""The report has the promised shape, repeats itself, and can be recomputed from the files of the run."""

import json
from collections import defaultdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from langrecall.errors import InputError
from langrecall.evals.histories import Facts, silent
from langrecall.evals.retrieval.bench import bench_retrieval, read_data
from langrecall.loaders.benchmark import load_benchmark
from langrecall.rendering import turn_tokens, turns_tokens
from langrecall.testing import HashEmbedder


def report_of(*paths: Path, facts: Facts = "extractive", out: Path | None = None) -> dict[str, Any]:
    files = read_data(paths, only=None, facts=facts)
    return bench_retrieval(files, facts=facts, embeddings=HashEmbedder(), out=out, advance=silent)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_report_has_a_figure_for_each_system_limit_and_type(locomo_file: Path) -> None:
    report = report_of(locomo_file)
    assert list(report["systems"]) == ["langrecall", "naive_rag", "bm25", "episode_vector", "whole_sessions"]
    for found in report["systems"].values():
        assert found["turn_recall"].keys() == {"1000", "2000"}
        assert found["session_recall"].keys() == {"1", "5", "9"}
        assert found["shown_share"].keys() == {"1", "5", "9", "1000", "2000"}
        for by_type in (*found["turn_recall"].values(), *found["session_recall"].values()):
            assert list(by_type) == ["all", "adversarial", "multi-hop", "single-hop", "temporal"]
            assert by_type["all"].keys() == {"mean", "n", "low", "high"}
            assert 0 <= by_type["all"]["low"] <= by_type["all"]["mean"] <= by_type["all"]["high"] <= 1


def test_adversarial_questions_count_in_their_own_type_alone(locomo_file: Path) -> None:
    counts = {kind: figure["n"] for kind, figure in _recall(report_of(locomo_file), "1000").items()}
    assert counts == {"all": 10, "adversarial": 2, "multi-hop": 2, "single-hop": 2, "temporal": 6}


def test_a_short_history_is_found_whole(locomo_file: Path) -> None:
    report = report_of(locomo_file)
    assert _recall(report, "1000")["all"]["mean"] == 1.0
    assert report["systems"]["langrecall"]["shown_share"]["1"] == 0.25
    assert report["systems"]["langrecall"]["shown_share"]["9"] == 1.0


def test_data_sets_that_are_mixed_are_also_told_apart(locomo_file: Path, longmemeval_file: Path) -> None:
    figures = _recall(report_of(locomo_file, longmemeval_file), "2000")
    assert [figures[name]["n"] for name in ("all", "locomo", "longmemeval", "single-session-user")] == [11, 10, 1, 1]


def test_temporal_questions_are_compared_where_the_gold_is_a_time(locomo_file: Path) -> None:
    assert report_of(locomo_file)["temporal"] == {"right": 0.5, "wrong": 0.5, "unresolved": 0.0, "n": 4}


def test_without_temporal_questions_there_are_no_shares(longmemeval_file: Path) -> None:
    assert report_of(longmemeval_file)["temporal"] == {"right": None, "wrong": None, "unresolved": None, "n": 0}


def test_the_same_run_gives_the_same_report(locomo_file: Path) -> None:
    one, other = report_of(locomo_file), report_of(locomo_file)
    assert one | {"seconds": 0} == other | {"seconds": 0}


def test_data_is_named_by_its_hash_and_not_by_its_folder(locomo_file: Path) -> None:
    (data,) = report_of(locomo_file)["data"]
    assert data == {
        "file": locomo_file.name,
        "sha256": sha256(locomo_file.read_bytes()).hexdigest(),
        "kind": "locomo",
        "histories": 2,
        "questions": 14,
        "unresolved": 2,
    }


def test_files_of_a_run_hold_what_its_figures_are_made_of(locomo_file: Path, tmp_path: Path) -> None:
    report = report_of(locomo_file, out=tmp_path / "run")
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for record in lines(tmp_path / "run" / "turns.jsonl"):
        gold, shown = set(record["gold"]), {turn["id"] for turn in record["shown"]}
        if not record["apart"]:
            shares[record["system"], str(record["budget"])].append(len(gold & shown) / len(gold))
    assert {key: round(sum(found) / len(found), 4) for key, found in shares.items()} == {
        (system, budget): by_type["all"]["mean"]
        for system, figures in report["systems"].items()
        for budget, by_type in figures["turn_recall"].items()
    }


def test_files_of_a_run_hold_the_cost_of_each_turn(locomo_file: Path, tmp_path: Path) -> None:
    report_of(locomo_file, out=tmp_path)
    turns = {turn.id: turn for session in load_benchmark(locomo_file).histories[0].sessions for turn in session.turns}
    for record in lines(tmp_path / "turns.jsonl"):
        shown = [turns[turn["id"]] for turn in record["shown"]]
        assert [turn["tokens"] for turn in record["shown"]] == [turn_tokens(turn) for turn in shown]
        assert [turn["source_id"] for turn in record["shown"]] == [turn.source_id for turn in shown]
        assert record["tokens"] == turns_tokens(shown) <= record["budget"]
        assert record["header_tokens"] == record["tokens"] - sum(map(turn_tokens, shown))


def test_files_of_a_run_rank_sessions_and_compare_times(locomo_file: Path, tmp_path: Path) -> None:
    report = report_of(locomo_file, out=tmp_path)
    sessions = [record for record in lines(tmp_path / "sessions.jsonl") if record["system"] == "bm25"]
    first = [len(set(record["gold"]) & set(record["ranked"][:1])) for record in sessions if not record["apart"]]
    assert round(sum(first) / len(first), 4) == report["systems"]["bm25"]["session_recall"]["1"]["all"]["mean"]
    times = lines(tmp_path / "temporal.jsonl")
    assert [record["agreement"] for record in times] == ["right", "wrong"] * 2
    assert times[0]["gold"] == {"first": "2024-03-03", "last": "2024-03-03", "granularity": "day"}


def test_files_of_a_run_say_what_made_them(locomo_file: Path, tmp_path: Path) -> None:
    report = report_of(locomo_file, facts="given", out=tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["settings"]["facts"] == "given"
    assert manifest["models"] == {"chat": None, "embeddings": "HashEmbedder"}
    assert manifest["settings"]["budgets"] == [1000, 2000]
    assert manifest["data"] == report["data"]
    assert manifest["langrecall"] == "0.1.0"
    assert manifest == report["provenance"]
    assert json.loads((tmp_path / "run" / "report.json").read_text()) == report
    for path in (tmp_path / "run").iterdir():
        assert str(tmp_path) not in path.read_text()


def test_files_of_a_run_hold_no_text_of_the_data(locomo_file: Path, tmp_path: Path) -> None:
    report_of(locomo_file, out=tmp_path / "run")
    written = "".join(path.read_text() for path in (tmp_path / "run").iterdir())
    assert "beagle" not in written
    assert "Trondheim" not in written


def test_given_facts_need_a_file_that_has_some(longmemeval_file: Path) -> None:
    with pytest.raises(InputError, match=r"haystacks\.json: no observations to take as facts"):
        read_data([longmemeval_file], only=None, facts="given")


def test_one_conversation_can_be_picked(locomo_file: Path) -> None:
    (data,) = read_data([locomo_file], only="talk-2", facts="given").values()
    assert [history.name for history in data.benchmark.histories] == ["talk-2"]


def _recall(report: dict[str, Any], budget: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = report["systems"]["langrecall"]["turn_recall"][budget]
    return found
