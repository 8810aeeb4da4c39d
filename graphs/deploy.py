"""The graphs that `langgraph.json` names, made of what the environment of the deployment says."""

import os
from asyncio import to_thread
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any, NamedTuple, Self

from langgraph.graph.state import CompiledStateGraph
from langgraph_sdk.runtime import ServerRuntime

from langrecall.choices import Choices
from langrecall.graphs.ingest import CONCURRENCY, build_ingest
from langrecall.graphs.recall import build_recall
from langrecall.ingest_state import IngestSettings
from langrecall.pictures.reader import Reader
from langrecall.policies.choice import EXTRACTIVE
from langrecall.settings import Settings
from langrecall.stores.chroma.history import ChromaHistory

Graph = CompiledStateGraph[Any, Any, Any, Any]

LEXICAL = "none"
"""How the environment writes that there are no embeddings: words alone."""
_FOREIGN_KEYS = frozenset({"thread_id", "checkpoint_id", "checkpoint_ns", "checkpoint_map", "run_id", "user_id"})
_FOREIGN_PREFIXES = ("__", "langgraph_", "x-")
"""What LangGraph and its clients put among a run's settings where they are sent as `config.configurable`."""

_building = Lock()


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """What a server works with; its clients choose among `allowed_models` and can neither name a folder nor open a file."""

    db: str = "./memory"
    embeddings: str | None = "local"
    model: str = EXTRACTIVE
    allowed_models: frozenset[str] = frozenset()

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Read the four variables; one that is empty counts as unset."""
        given = {
            "db": environ.get("LANGRECALL_DB"),
            "embeddings": environ.get("LANGRECALL_EMBEDDINGS"),
            "model": environ.get("LANGRECALL_MODEL"),
        }
        chosen: dict[str, Any] = {name: value for name, value in given.items() if value}
        if chosen.get("embeddings") == LEXICAL:
            chosen["embeddings"] = None
        allowed = environ.get("LANGRECALL_ALLOWED_MODELS", "").split(",")
        return cls(**chosen, allowed_models=frozenset(filter(None, map(str.strip, allowed))))

    def build(self) -> "Served":
        """Both graphs over one history, without checkpointer or store, which are the server's."""
        memory = ChromaHistory.open(self.db, embeddings=self.embeddings)
        allowed = {self.model, *self.allowed_models}
        reader = Reader(base=None)
        recall = build_recall(memory, self.model, reader=reader, allowed_models=allowed)
        ingest = build_ingest(memory, self.model, reader=reader, allowed_models=allowed)
        return Served(
            recall.compile(name="recall"), ingest.compile(name="ingest").with_config(max_concurrency=CONCURRENCY)
        )


class Served(NamedTuple):
    """The graphs of a deployment."""

    recall: Graph
    ingest: Graph


async def recall(runtime: ServerRuntime[Any]) -> Graph:
    """The recall graph, for LangGraph's server; raises `SettingsError` for a context with a setting it does not know."""
    check_context(Settings, runtime)
    return (await to_thread(served)).recall


async def ingest(runtime: ServerRuntime[Any]) -> Graph:
    """The ingest graph, likewise."""
    check_context(IngestSettings, runtime)
    return (await to_thread(served)).ingest


def served() -> Served:
    """The graphs of this process, built when they are first asked for."""
    with _building:
        return _served()


def check_context(settings: type[Choices], runtime: ServerRuntime[Any]) -> None:
    """Refuse what the server would drop without a word: it hands a graph only the settings its schema names."""
    execution = runtime.execution_runtime
    context = execution.context if execution else None
    if isinstance(context, Mapping):
        settings.of({name: value for name, value in context.items() if not _is_foreign(name)})


def _is_foreign(name: str) -> bool:
    return name in _FOREIGN_KEYS or name.startswith(_FOREIGN_PREFIXES)


@cache
def _served() -> Served:
    return Deployment.from_env().build()
