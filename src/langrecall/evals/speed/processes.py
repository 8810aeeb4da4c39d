"""What a new process pays: for the import, and until its first answer from a history that is there."""

import json
import subprocess
import sys
from collections.abc import Mapping
from time import perf_counter

from langrecall.evals.estimates import median
from langrecall.evals.speed.retrieval import MadeHistory
from langrecall.evals.speed.timing import milliseconds

_FIRST_SEARCH = """
import json, sys
folder, namespace, embeddings, question = json.loads(sys.argv[1])
from langrecall import ChromaHistory
print(len(ChromaHistory.open(folder, embeddings=embeddings).at(namespace).search_turns(question, tokens=1000)))
"""
_CLOCK = "import time; started = time.perf_counter(); {}; print(time.perf_counter() - started)"
_LANGGRAPH = "import langgraph.graph"
_FRONT_DOOR = "import langgraph.graph, langrecall"
_GRAPHS = "from langrecall import ChromaHistory, create_recall_graph"


def cold_start_ms(made: MadeHistory, embeddings: str | None, question: str, *, repeats: int) -> float:
    """From the start of a Python process to the end of its first search, the model's loading included."""
    asked = json.dumps([str(made.folder), made.namespace, embeddings, question])
    times = []
    for _ in range(repeats):
        started = perf_counter()
        python("-c", _FIRST_SEARCH, asked)
        times.append(perf_counter() - started)
    return milliseconds(median(times))


def import_seconds(*, repeats: int) -> dict[str, float]:
    """The least of several tries; `with_graphs` is the import of what a program needs to build a graph."""
    tried = {
        name: min(float(python("-c", _CLOCK.format(statement))) for _ in range(repeats))
        for name, statement in (("langgraph", _LANGGRAPH), ("front_door", _FRONT_DOOR), ("with_graphs", _GRAPHS))
    }
    return {
        "seconds_beyond_langgraph": round(max(0.0, tried["front_door"] - tried["langgraph"]), 3),
        "langgraph_seconds": round(tried["langgraph"], 3),
        "with_graphs_seconds": round(tried["with_graphs"], 3),
    }


class ProcessFailedError(RuntimeError):
    """A process did not do its part; says in one line why."""


def python(
    *arguments: str,
    given: str = "",
    environment: Mapping[str, str] | None = None,
    folder: str | None = None,
    patience: float | None = None,
) -> str:
    """What a Python process prints; raises `ProcessFailedError` where it fails, or takes more seconds than `patience`."""
    try:
        done = subprocess.run(
            [sys.executable, *arguments],
            input=given,
            capture_output=True,
            text=True,
            env=environment,
            cwd=folder,
            timeout=patience,
        )
    except subprocess.TimeoutExpired:
        msg = f"not done within {patience:,.0f} seconds"
        raise ProcessFailedError(msg) from None
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"the process ended with code {done.returncode}"]
        raise ProcessFailedError(said[-1])
    return done.stdout


def peak_memory_mb() -> float | None:
    """The most memory this process has held so far; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, 1)
