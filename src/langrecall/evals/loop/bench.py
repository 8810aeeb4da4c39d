"""`langrecall bench loop` without the command line: a file in, figures out."""

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from langrecall.errors import InputError
from langrecall.evals.estimates import RESAMPLES, SEED
from langrecall.evals.histories import Advance, put_history
from langrecall.evals.loop.measure import run_equal_in_sum, run_loop, walks_for
from langrecall.evals.loop.report import loop_figures, write_runs
from langrecall.evals.provenance import described, manifest, model_name
from langrecall.evals.retrieval.measure import Data
from langrecall.settings import Settings, resolve
from langrecall.stores.chroma.history import ChromaHistory

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


def bench_loop(
    path: Path,
    data: Data,
    *,
    tokens: int,
    embeddings: "str | Embeddings | None",
    out: Path | None,
    advance: Advance,
    db: Path | None = None,
) -> dict[str, Any]:
    """Walk every question and return the report; with `out`, leave there what the figures can be recomputed from.

    Histories that `db` holds already are taken as they are. Raises `InputError` where no vectors are to be had: the papers'
    presets rank by nothing else.
    """
    if embeddings is None:
        msg = "the presets of the papers rank by vectors: name a model with --embeddings"
        raise InputError(msg)
    started = perf_counter()
    walks = walks_for(tokens)
    with ChromaHistory.open(db, embeddings=embeddings) as memory:
        known = set(memory.namespaces())
        for loaded in data.benchmark.histories:
            name = loaded.name or "history"
            if name not in known:
                put_history(memory.at(name), loaded, data.benchmark, facts="extractive", advance=advance)
        runs = run_loop(memory, data, walks, tokens=tokens, advance=advance)
        runs += run_equal_in_sum(memory, data, runs, tokens=tokens)
    source = described(path, data.benchmark)
    report = loop_figures(runs, tokens=tokens) | {
        "tokens": tokens,
        "data": source,
        "embeddings": model_name(embeddings),
        "seconds": round(perf_counter() - started, 1),
        "provenance": manifest(_settings(walks, tokens), [source], embeddings=embeddings, seed=SEED),
    }
    if out is not None:
        write_runs(out, runs, report=report)
    return report


def _settings(walks: Mapping[str, Settings], tokens: int) -> dict[str, Any]:
    resolved = {name: resolve(chosen).model_dump() for name, chosen in walks.items()}
    return {"tokens": tokens, "resamples": RESAMPLES, "walks": resolved}
