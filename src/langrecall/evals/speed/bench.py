"""`langrecall bench speed` without the command line: ratios within one run, each side measured by turns with the other."""

from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from langrecall.data import sample_history
from langrecall.evals.histories import Advance
from langrecall.evals.provenance import hashed, manifest
from langrecall.evals.speed.graph_overhead import graph_overhead
from langrecall.evals.speed.ingest import ingest_speed
from langrecall.evals.speed.pauses import loop_pauses
from langrecall.evals.speed.processes import cold_start_ms, import_seconds, peak_memory_mb
from langrecall.evals.speed.reference import load_model, own_encoder, reference_encoder
from langrecall.evals.speed.retrieval import MadeHistory, retrieval_speed, write_random
from langrecall.evals.speed.synthetic import TURNS_PER_SESSION, synthetic_questions, synthetic_sessions
from langrecall.stores.chroma.history import ChromaHistory

_SEED = 7


@dataclass(frozen=True)
class Sizes:
    """How much is measured; these take about two minutes on two idle cores."""

    ingest_turns: int = 400
    ingest_rounds: int = 3
    turns: int = 6000
    queries: int = 150
    walks: int = 25
    processes: int = 3

    @property
    def work(self) -> int:
        """How much `advance` will be told of: sessions stored, questions asked, walks walked."""
        ingested = self.ingest_rounds * _sessions(self.ingest_turns)
        return ingested + _sessions(self.turns) + self.queries + 4 * self.walks


def bench_speed(*, embeddings: str | None, sizes: Sizes, advance: Advance) -> dict[str, Any]:
    """All parts one after the other, in a folder that is removed again."""
    started = perf_counter()
    encoder = reference_encoder(embeddings)
    # Before a model is loaded: a garbage collection walks all its objects too, and a step allocates more than an empty one.
    overhead = graph_overhead(repeats=sizes.walks, advance=advance)
    pauses = loop_pauses(turns=sizes.ingest_turns)
    load_model(encoder)
    with TemporaryDirectory(prefix="langrecall-bench-") as place:
        made = MadeHistory(Path(place) / "memory", "speed", sizes.turns)
        write_random(made, synthetic_sessions(sizes.turns, seed=_SEED), own_encoder(embeddings), advance=advance)
        questions = synthetic_questions(sizes.queries, seed=_SEED)
        with ChromaHistory.open(made.folder, embeddings=embeddings) as memory:
            retrieval = retrieval_speed(
                memory.at(made.namespace), encoder, questions, turns=made.turns, advance=advance
            )
        cold = cold_start_ms(made, embeddings, questions[0], repeats=sizes.processes)
    return {
        "ingest": ingest_speed(
            embeddings, encoder, turns=sizes.ingest_turns, rounds=sizes.ingest_rounds, advance=advance
        ),
        "retrieval": retrieval,
        "overhead": overhead,
        "event_loop": pauses,
        "cold_start_ms": cold,
        "import": import_seconds(repeats=sizes.processes),
        "peak_memory_mb": peak_memory_mb(),
        "embeddings": embeddings,
        "seconds": round(perf_counter() - started, 1),
        "provenance": manifest(asdict(sizes), [hashed(sample_history())], embeddings=embeddings, seed=_SEED),
    }


def _sessions(turns: int) -> int:
    return -(-turns // TURNS_PER_SESSION)
