"""`langrecall bench retrieval` without the command line: files in, figures out."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from langrecall.evals.histories import Advance, Facts, check_given
from langrecall.evals.provenance import described, manifest, model_name
from langrecall.evals.retrieval.measure import BUDGETS, RANKS, Data, run_retrieval
from langrecall.evals.retrieval.report import system_figures
from langrecall.evals.retrieval.systems import systems_for
from langrecall.evals.retrieval.time_agreement import compare_times, time_figures
from langrecall.evals.retrieval.traces import write_traces
from langrecall.loaders.benchmark import load_benchmark
from langrecall.stores.chroma.history import ChromaHistory

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


def read_data(paths: Sequence[Path], *, only: str | None, facts: Facts) -> dict[Path, Data]:
    """Read each file once; raises `InputError` for one that cannot be used."""
    files = {path: Data(path.name, load_benchmark(path, only=only)) for path in paths}
    if facts == "given":
        for path, data in files.items():
            check_given(data.benchmark, str(path))
    return files


def bench_retrieval(
    files: Mapping[Path, Data],
    *,
    facts: Facts,
    embeddings: "str | Embeddings | None",
    out: Path | None,
    advance: Advance,
) -> dict[str, Any]:
    """Run every system and return the report; with `out`, leave there what the figures can be recomputed from."""
    started = perf_counter()
    systems = systems_for(vectors=embeddings is not None)
    with ChromaHistory.open(None, embeddings=embeddings) as memory:
        outcome = run_retrieval(memory, list(files.values()), systems, facts=facts, advance=advance)
    compared = [one for data in files.values() for one in compare_times(data)]
    sources = [described(path, data.benchmark) for path, data in files.items()]
    settings = {
        "facts": facts,
        "systems": [system.name for system in systems],
        "budgets": list(BUDGETS),
        "ranks": list(RANKS),
    }
    report = {
        "systems": system_figures(outcome, systems),
        "temporal": time_figures(compared)._asdict(),
        "data": sources,
        "embeddings": model_name(embeddings),
        "facts": facts,
        "seconds": round(perf_counter() - started, 1),
        "provenance": manifest(settings, sources, embeddings=embeddings),
    }
    if out is not None:
        write_traces(out, outcome, compared, report=report)
    return report
