"""The files of a run: one line a question, system and budget, by ids and token costs, so that anyone can recompute the figures.

No text of the data is written: LoCoMo's licence does not let it be passed on, and the ids lead to it.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from langrecall.evals.retrieval.measure import Outcome
from langrecall.evals.retrieval.results import SessionsRanked, Subject, TurnsShown
from langrecall.evals.retrieval.time_agreement import TimeCompared
from langrecall.grounding.intervals import Interval


def write_traces(
    folder: Path, outcome: Outcome, compared: Iterable[TimeCompared], *, report: Mapping[str, Any]
) -> None:
    """Write `manifest.json`, `report.json`, `turns.jsonl`, `sessions.jsonl` and `temporal.jsonl`, replacing what is there."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "manifest.json", [json.dumps(report["provenance"], ensure_ascii=False, indent=2)])
    _write(folder / "report.json", [json.dumps(report, ensure_ascii=False, indent=2)])
    _write(folder / "turns.jsonl", map(_line, map(_turns_record, outcome.turns)))
    _write(folder / "sessions.jsonl", map(_line, map(_sessions_record, outcome.sessions)))
    _write(folder / "temporal.jsonl", map(_line, map(_time_record, compared)))


def _turns_record(found: TurnsShown) -> dict[str, Any]:
    """`tokens` is what the turns shown cost with the `header_tokens` of their sessions."""
    return {
        **_subject(found.subject),
        "system": found.system,
        "budget": found.budget,
        "shown": [turn._asdict() for turn in found.shown],
        "header_tokens": found.tokens - sum(turn.tokens for turn in found.shown),
        "tokens": found.tokens,
        "gold": list(found.gold),
        "gold_source_ids": list(found.gold_source_ids),
        "recall": round(found.recall, 4),
    }


def _sessions_record(found: SessionsRanked) -> dict[str, Any]:
    """The first sessions, best first, of `sessions` that the history has."""
    return {
        **_subject(found.subject),
        "system": found.system,
        "ranked": list(found.ranked),
        "sessions": found.sessions,
        "gold": list(found.gold),
    }


def _time_record(found: TimeCompared) -> dict[str, Any]:
    """Days are ISO dates, both ends included."""
    return {
        "data": found.data,
        "question_id": found.question_id,
        "gold": _days(found.gold),
        "grounded": [_days(one) for one in found.grounded],
        "agreement": found.agreement,
    }


def _subject(subject: Subject) -> dict[str, Any]:
    return subject._asdict()


def _days(interval: Interval) -> dict[str, str]:
    first, last = interval.first.isoformat(), interval.last.isoformat()
    return {"first": first, "last": last, "granularity": interval.granularity}


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False)


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
