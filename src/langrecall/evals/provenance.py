"""Where figures come from: the version of everything that took part, the settings, and the data by its hash."""

import hashlib
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from langrecall.evals.retrieval import Data

PACKAGES = ("bm25s", "chromadb", "langgraph", "numpy", "sentence-transformers", "torch", "transformers")
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


def described(data: Data, path: Path) -> dict[str, Any]:
    """A benchmark file; `unresolved` counts the evidence that names no turn of it."""
    return {
        "file": data.name,
        "sha256": sha256(path),
        "kind": data.benchmark.kind,
        "histories": len(data.benchmark.histories),
        "questions": len(data.benchmark.questions),
        "unresolved": sum(len(question.unresolved) for question in data.benchmark.questions),
    }


def sha256(path: Path) -> str:
    """The hash of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def manifest(settings: Mapping[str, Any], data: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The head of a run's files; nothing in a retrieval run is random, so there is no seed."""
    return {
        "langrecall": installed("langrecall"),
        "versions": versions(),
        "settings": dict(settings),
        "seed": None,
        "data": list(data),
    }
