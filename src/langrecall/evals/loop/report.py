"""The figures of a loop run, and the file they can be recomputed from."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from langrecall.evals.estimates import paired_difference, percentile
from langrecall.evals.loop.measure import LOOP, ONE_SHOT_CAPPED, ONE_SHOT_EACH, ONE_SHOT_MEAN, Run
from langrecall.evals.retrieval.metrics import turn_recall
from langrecall.evals.retrieval.report import means

Recall = Callable[[Run], float]


def loop_figures(runs: Sequence[Run], *, tokens: int) -> dict[str, Any]:
    """By system what was observed and what it cost; by kind of comparison what the loop gained on each other system."""
    systems = dict.fromkeys(run.system for run in runs)
    capped = [name for name in systems if name not in (LOOP, ONE_SHOT_MEAN, ONE_SHOT_EACH, ONE_SHOT_CAPPED)]
    return {
        "systems": {name: _system([run for run in runs if run.system == name], tokens) for name in systems},
        "differences": {
            "capped": {name: differences(runs, name, _within(tokens)) for name in capped},
            "capped_equal_in_sum": differences(runs, ONE_SHOT_CAPPED, _within(tokens)),
            "equal_in_sum": differences(runs, ONE_SHOT_MEAN, as_run),
            "equal_each": differences(runs, ONE_SHOT_EACH, as_run),
            "as_run": {name: differences(runs, name, as_run) for name in capped},
        },
    }


def differences(runs: Sequence[Run], other: str, recall: Recall) -> dict[str, dict[str, float | int | None]]:
    """The loop's recall minus another system's: for `all` questions but those apart, and for each type."""
    ours = {run.subject: recall(run) for run in runs if run.system == LOOP}
    theirs = {run.subject: recall(run) for run in runs if run.system == other}
    groups = {"all": [subject for subject in ours if not subject.apart]}
    for category in sorted({subject.category for subject in ours}):
        groups[category] = [subject for subject in ours if subject.category == category]
    return {
        name: paired_difference([ours[one] for one in group], [theirs[one] for one in group])._asdict()
        for name, group in groups.items()
    }


def as_run(run: Run) -> float:
    """The share of the gold turns in everything observed."""
    return turn_recall(run.gold, run.observed.turns)


def write_runs(folder: Path, runs: Sequence[Run], *, report: Mapping[str, Any]) -> None:
    """Write `manifest.json`, `report.json` and `observed.jsonl`, replacing what is there; ids and costs, no text of the data."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (("manifest.json", report["provenance"]), ("report.json", report)):
        (folder / name).write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    lines = (json.dumps(_run_record(run), ensure_ascii=False) + "\n" for run in runs)
    (folder / "observed.jsonl").write_text("".join(lines), encoding="utf-8")


def _run_record(run: Run) -> dict[str, Any]:
    """One line: `observations` in order, each with its turns best first; `rest_tokens` are its entries, headers and notices."""
    return {
        **run.subject._asdict(),
        "system": run.system,
        "observations": [
            {
                "turns": [
                    {"id": name, "source_id": run.source_ids[name], "tokens": cost}
                    for name, cost in zip(look.turns, look.costs, strict=True)
                ],
                "rest_tokens": look.rest,
            }
            for look in run.observed.looks
        ],
        "tokens": run.observed.tokens,
        "prompt_tokens": list(run.prompts),
        "nodes": list(run.nodes),
        "stop_reason": run.stop_reason,
        "gold": list(run.gold),
        "gold_source_ids": [run.source_ids[name] for name in run.gold],
    }


def _system(runs: Sequence[Run], tokens: int) -> dict[str, Any]:
    counted = [run for run in runs if not run.subject.apart]
    return {
        "capped": means((run.subject, _within(tokens)(run)) for run in runs),
        "as_run": means((run.subject, as_run(run)) for run in runs),
        "evidence_tokens": spread([run.observed.tokens for run in counted]),
        "prompt_tokens": spread([sum(run.prompts) for run in counted]),
        "model_calls": spread([len(run.prompts) for run in counted]),
        "evidence_tokens_by_type": {
            kind: spread([run.observed.tokens for run in runs if run.subject.category == kind])
            for kind in sorted({run.subject.category for run in runs})
        },
        "steps": spread([run.nodes.count("reason") for run in counted]),
    }


def spread(values: Sequence[int]) -> dict[str, float | None]:
    """Mean, median, the tenth from the top, and the most."""
    if not values:
        return {"mean": None, "p50": None, "p90": None, "most": None}
    mean = round(sum(values) / len(values), 1)
    return {"mean": mean, "p50": percentile(values, 0.5), "p90": percentile(values, 0.9), "most": max(values)}


def _within(tokens: int) -> Recall:
    return lambda run: turn_recall(run.gold, run.observed.within(tokens))
