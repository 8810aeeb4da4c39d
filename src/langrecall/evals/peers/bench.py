"""Other memory libraries beside this one: the same model, turns and questions, and what each finds within one budget."""

import json
import sys
from collections.abc import Mapping, Sequence
from os import pathsep
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from langrecall.data import sample_history, sample_questions
from langrecall.evals.estimates import estimate
from langrecall.evals.histories import Advance
from langrecall.evals.peers.adapters import PEERS
from langrecall.evals.peers.process import OURS, PeerFigures, PeerJob
from langrecall.evals.provenance import described, hashed, installed, manifest
from langrecall.evals.retrieval.metrics import turn_recall
from langrecall.evals.speed.processes import ProcessFailedError, python
from langrecall.evals.speed.retrieval import TOKENS
from langrecall.evals.speed.timing import Pair, percentiles, ratio_at
from langrecall.evals.transcripts import Transcript
from langrecall.loaders import load
from langrecall.loaders.benchmark import load_benchmark
from langrecall.records import Session

_QUIET = {"ANONYMIZED_TELEMETRY": "False", "MEM0_TELEMETRY": "False"}


class GoldQuestion(NamedTuple):
    """A question and the ids of its gold turns."""

    text: str
    gold: tuple[str, ...]


class Shared(NamedTuple):
    """What every library is given; `source` is the file that it is from."""

    name: str
    sessions: Sequence[Session]
    questions: Sequence[GoldQuestion]
    source: Mapping[str, Any]


def sample() -> Shared:
    """The history that comes with the package, and its questions that have an answer."""
    (loaded,) = load(sample_history()).histories
    asked = [GoldQuestion(each.question, each.evidence) for each in sample_questions().abstention if each.answerable]
    return Shared("sample", loaded.sessions, asked, hashed(sample_history()))


def conversation(path: Path, *, only: str | None) -> Shared:
    """One conversation of a benchmark file, the first if none is named; adversarial questions are left out."""
    benchmark = load_benchmark(path, only=only)
    loaded = benchmark.histories[0]
    asked = [
        GoldQuestion(each.question, each.evidence)
        for each in benchmark.questions
        if each.namespace_name == loaded.name and each.evidence and not each.abstention
    ]
    return Shared(str(loaded.name), loaded.sessions, asked, described(path, benchmark))


def measure_peers(shared: Shared, *, embeddings: str, advance: Advance) -> dict[str, Any]:
    """By library, its recall within the budget and its times, or why it was skipped; `advance` is told of each."""
    rows = {}
    for library in libraries():
        rows[library] = _row(library, shared, embeddings)
        advance(1)
    return {
        "history": shared.name,
        "turns": sum(len(session.turns) for session in shared.sessions),
        "questions": len(shared.questions),
        "tokens": TOKENS,
        "libraries": rows,
        "provenance": manifest({"tokens": TOKENS}, [shared.source], embeddings=embeddings),
    }


def libraries() -> tuple[str, ...]:
    """Ours and the peers, by the names of their distributions."""
    return (OURS, *PEERS)


def _row(library: str, shared: Shared, embeddings: str) -> dict[str, Any]:
    version = installed(library)
    if version is None:
        return {"skipped": f"{library} is not installed: pip install 'langrecall[bench]'"}
    job = PeerJob(
        library=library,
        sessions=[session.model_dump(mode="json") for session in shared.sessions],
        questions=[asked.text for asked in shared.questions],
        embeddings=embeddings,
        tokens=TOKENS,
    )
    try:
        figures = _in_process(job)
    except ProcessFailedError as error:
        return {"version": version, "skipped": f"{library} failed: {error}"}
    return {"version": version, **compared(shared, figures)}


def compared(shared: Shared, figures: PeerFigures) -> dict[str, Any]:
    """What of each library's ranking fits the budget decides; turns that no longer fit are passed over, for all alike."""
    transcript = Transcript.of(shared.sessions)
    shares = [
        turn_recall(asked.gold, transcript.fitting(found, TOKENS))
        for asked, found in zip(shared.questions, figures["found"], strict=True)
    ]
    pairs = list(map(Pair, figures["search_seconds"], figures["encode_seconds"]))
    return {
        "turn_recall": estimate(shares)._asdict(),
        "put_seconds": figures["put_seconds"],
        "p50_ratio": round(ratio_at(pairs, 0.5), 3),
        **percentiles(pairs),
    }


def _in_process(job: PeerJob) -> PeerFigures:
    with TemporaryDirectory(prefix="langrecall-peer-") as folder:
        # Modules are found where this process finds them; nothing else of its surroundings is handed on.
        environment = {**_QUIET, "HOME": folder, "PYTHONPATH": pathsep.join(filter(None, sys.path))}
        printed = python(
            "-m", "langrecall.evals.peers.process", given=json.dumps(job), environment=environment, folder=folder
        )
    figures: PeerFigures = json.loads(printed)
    return figures
