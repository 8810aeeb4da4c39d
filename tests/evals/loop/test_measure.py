"""The comparison of loops asks each system the same, counts the same, and leaves ids to recompute it from."""

import json
from pathlib import Path
from typing import Any

import pytest

from langrecall.errors import InputError
from langrecall.evals.histories import put_history, silent
from langrecall.evals.loop.bench import bench_loop
from langrecall.evals.loop.measure import (
    LOOP,
    ONE_SHOT,
    ONE_SHOT_CAPPED,
    ONE_SHOT_EACH,
    ONE_SHOT_MEAN,
    Run,
    run_equal_in_sum,
    run_loop,
    walks_for,
)
from langrecall.evals.loop.report import as_run, differences, loop_figures
from langrecall.evals.retrieval.measure import Data
from langrecall.evals.retrieval.metrics import turn_recall
from langrecall.loaders.benchmark import load_benchmark
from langrecall.policies.extractive.policy import ExtractivePolicy
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder

TOKENS = 300


@pytest.fixture
def runs(memory: ChromaHistory, locomo_file: Path) -> list[Run]:
    data = Data("file", load_benchmark(locomo_file, only="talk-1"))
    for loaded in data.benchmark.histories:
        put_history(memory.at(loaded.name or ""), loaded, data.benchmark, facts="extractive", advance=silent)
    found = run_loop(memory, data, walks_for(TOKENS), tokens=TOKENS, advance=silent)
    return found + run_equal_in_sum(memory, data, found, tokens=TOKENS)


def of(runs: list[Run], system: str) -> list[Run]:
    return [run for run in runs if run.system == system]


def test_every_system_is_asked_every_question_with_evidence(runs: list[Run]) -> None:
    systems = {*walks_for(TOKENS), ONE_SHOT, ONE_SHOT_MEAN, ONE_SHOT_EACH, ONE_SHOT_CAPPED}
    asked = {system: [run.subject.question_id for run in of(runs, system)] for system in systems}
    assert {run.system for run in runs} == systems
    assert all(ids == asked[LOOP] and len(ids) == 6 for ids in asked.values())


def test_budgets_are_kept(runs: list[Run]) -> None:
    counted = [run for run in of(runs, LOOP) if not run.subject.apart]
    mean = sum(run.observed.tokens for run in counted) // len(counted)
    assert all(run.observed.tokens <= TOKENS for run in of(runs, ONE_SHOT))
    assert all(run.observed.tokens <= mean for run in of(runs, ONE_SHOT_MEAN))
    capped = [min(run.observed.tokens, TOKENS) for run in of(runs, LOOP) if not run.subject.apart]
    assert all(run.observed.tokens <= sum(capped) / len(capped) for run in of(runs, ONE_SHOT_CAPPED))
    for loop, each in zip(of(runs, LOOP), of(runs, ONE_SHOT_EACH), strict=True):
        assert each.observed.tokens <= loop.observed.tokens


def test_what_a_model_would_be_told_is_counted_without_asking_one(runs: list[Run]) -> None:
    for run in of(runs, LOOP):
        thought = [node for node in run.nodes if node in ("reason", "judge", "answer")]
        assert len(run.prompts) == len(thought)
        assert all(prompt > 100 for prompt in run.prompts)
    assert all(run.prompts == () for run in of(runs, ONE_SHOT))


def test_telling_walks_as_the_extractive_policy_does(memory: ChromaHistory, runs: list[Run]) -> None:
    from langrecall.evals.walks import walk
    from langrecall.graphs.recall import create_recall_graph

    graph = create_recall_graph(memory.at("talk-1"), ExtractivePolicy())
    plain = walk(graph, "Where did Runa move?", question_id="", category="", gold=())
    assert plain.nodes == of(runs, LOOP)[0].nodes


def test_differences_are_question_by_question(runs: list[Run]) -> None:
    figures = loop_figures(runs, tokens=TOKENS)
    ours = [as_run(run) for run in of(runs, LOOP) if not run.subject.apart]
    theirs = [as_run(run) for run in of(runs, "t2mem") if not run.subject.apart]
    found = figures["differences"]["as_run"]["t2mem"]["all"]
    assert found["n"] == 5
    assert found["mean"] == pytest.approx(sum(ours) / 5 - sum(theirs) / 5, abs=1e-4)
    assert found["low"] <= found["mean"] <= found["high"]
    same = differences(runs, LOOP, as_run)["all"]
    assert (same["mean"], same["low"], same["high"]) == (0.0, 0.0, 0.0)


def test_the_file_of_a_run_gives_its_figures_again_and_no_text(locomo_file: Path, tmp_path: Path) -> None:
    data = Data(locomo_file.name, load_benchmark(locomo_file))
    out = tmp_path / "out"
    report = bench_loop(
        locomo_file, data, tokens=TOKENS, embeddings=HashEmbedder(), out=out, advance=silent, db=tmp_path / "db"
    )
    lines: list[dict[str, Any]] = [json.loads(line) for line in (out / "observed.jsonl").read_text().splitlines()]
    shares = [
        turn_recall(line["gold"], [turn["id"] for look in line["observations"] for turn in look["turns"]])
        for line in lines
        if line["system"] == LOOP and not line["apart"]
    ]
    assert report["systems"][LOOP]["as_run"]["all"]["mean"] == pytest.approx(sum(shares) / len(shares), abs=1e-4)
    for line in lines:
        spent = [look["rest_tokens"] + sum(turn["tokens"] for turn in look["turns"]) for look in line["observations"]]
        assert sum(spent) == line["tokens"]
    written = (out / "observed.jsonl").read_text()
    assert not [text for text in ("beagle", "Trondheim", "Marchmont") if text in written]
    manifest = json.loads((out / "manifest.json").read_text())
    settings = manifest["settings"]
    assert (manifest["seed"], settings["resamples"], settings["tokens"]) == (0, 10_000, TOKENS)
    assert manifest == report["provenance"]
    kept = bench_loop(
        locomo_file, data, tokens=TOKENS, embeddings=HashEmbedder(), out=None, advance=silent, db=tmp_path / "db"
    )
    assert kept["systems"] == report["systems"]


def test_without_vectors_there_is_nothing_to_compare(locomo_file: Path) -> None:
    data = Data("file", load_benchmark(locomo_file))
    with pytest.raises(InputError, match="name a model with --embeddings"):
        bench_loop(locomo_file, data, tokens=TOKENS, embeddings=None, out=None, advance=silent)
