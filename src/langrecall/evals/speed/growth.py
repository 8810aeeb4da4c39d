"""How retrieval grows with the turns of a history and with the number of namespaces; each size in processes of its own.

Run as a module it is such a process: a job as JSON on standard input, its figures as JSON on standard output.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

from langrecall.evals.estimates import median
from langrecall.evals.histories import Advance, put_extractive, silent
from langrecall.evals.provenance import manifest
from langrecall.evals.speed.processes import ProcessFailedError, peak_memory_mb, python
from langrecall.evals.speed.reference import load_model, own_encoder, reference_encoder
from langrecall.evals.speed.retrieval import TOKENS, MadeHistory, write_random
from langrecall.evals.speed.synthetic import synthetic_questions, synthetic_sessions
from langrecall.evals.speed.timing import milliseconds, seconds
from langrecall.stores.chroma.history import ChromaHistory

_SEED = 23
_QUERIES = 60
_WARM_UP = 3
_PATIENCE = 3 * 3600.0  # seconds for one process


class Size(NamedTuple):
    """What is measured: `turns` in all, shared by the namespaces; `descriptors` limits the files a process may open."""

    turns: int
    namespaces: int = 1
    vectors: Literal["model", "random"] = "model"
    descriptors: int | None = None


SIZES = (
    Size(1_000),
    Size(10_000),
    Size(1_200, namespaces=300),
    Size(1_200, namespaces=300, descriptors=1024),
    Size(4_000, namespaces=1_000),
    Size(100_000, vectors="random"),
    Size(1_000_000, vectors="random"),
)
"""Random vectors for the two largest: encoding 100,000 turns takes most of an hour, and a search takes as long whatever its vectors say."""


class Job(NamedTuple):
    """One process's part in measuring a size."""

    part: Literal["write", "search"]
    size: Size
    folder: str
    embeddings: str


def measure_growth(sizes: Sequence[Size], *, embeddings: str, advance: Advance) -> dict[str, Any]:
    """In `sizes` one row each; one that could not be measured says why instead. `advance` is told of each size."""
    rows = []
    for size in sizes:
        with TemporaryDirectory(prefix="langrecall-growth-") as folder:
            rows.append(_row(size, folder, embeddings))
        advance(1)
    settings = {"tokens": TOKENS, "queries": _QUERIES}
    return {"sizes": rows, "provenance": manifest(settings, [], embeddings=embeddings, seed=_SEED)}


def _row(size: Size, folder: str, embeddings: str) -> dict[str, Any]:
    known = {**size._asdict(), "tokens": TOKENS}
    try:
        written = _in_process(Job("write", size, folder, embeddings))
        return known | written | _in_process(Job("search", size, folder, embeddings))
    except ProcessFailedError as error:
        return known | {"failed": f"{error}"}


def _in_process(job: Job) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads(python("-m", __name__, given=json.dumps(job), patience=_PATIENCE))
    return figures


def write(job: Job) -> dict[str, Any]:
    """Store the job's histories."""
    return {"write_seconds": round(seconds(_write, job), 1)}


def _write(job: Job) -> None:
    each = job.size.turns // job.size.namespaces
    if job.size.vectors == "random":
        made = MadeHistory(Path(job.folder), "0", each)
        write_random(made, synthetic_sessions(each, seed=_SEED), own_encoder(job.embeddings), advance=silent)
        return
    with ChromaHistory.open(job.folder, embeddings=job.embeddings) as memory:
        for number in range(job.size.namespaces):
            put_extractive(memory.at(str(number)), synthetic_sessions(each, seed=_SEED + number), advance=silent)


def search(job: Job) -> dict[str, Any]:
    """One history is asked many questions once it is loaded; of many, each is asked one, and has to be loaded for it.

    `p50_ms` is the whole retrieval, `encode_ms` what encoding the question takes of it.
    """
    many = job.size.namespaces > 1
    questions = synthetic_questions(job.size.namespaces if many else _QUERIES + _WARM_UP, seed=_SEED)
    with ChromaHistory.open(job.folder, embeddings=job.embeddings) as memory:
        taken = [
            seconds(memory.at(str(number if many else 0)).search_turns, question, tokens=TOKENS)
            for number, question in enumerate(questions)
        ]
    held = peak_memory_mb()  # before the reference loads a model of its own
    encoder = reference_encoder(job.embeddings)
    load_model(encoder)
    encoding = [seconds(encoder.queries, [question]) for question in questions]
    return {
        "p50_ms": milliseconds(median(taken[_WARM_UP:])),
        "encode_ms": milliseconds(median(encoding[_WARM_UP:])),
        "rss_mb": held,
        "queries": len(taken) - _WARM_UP,
    }


def _limit_descriptors(count: int) -> None:
    """As `ulimit -n` does, for this process."""
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))


def main() -> None:
    """Do the job that standard input holds."""
    part, size, folder, embeddings = json.load(sys.stdin)
    job = Job(part, Size(*size), folder, embeddings)
    if job.size.descriptors is not None:
        _limit_descriptors(job.size.descriptors)
    parts: dict[str, Callable[[Job], dict[str, Any]]] = {"write": write, "search": search}
    json.dump(parts[job.part](job), sys.stdout)


if __name__ == "__main__":
    main()
