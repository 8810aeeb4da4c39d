"""Answers questions about long conversation histories by building the memory at question time.

The names below are the front door; each is imported when it is first used, so that `import langrecall` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from langrecall.agents.middleware import RecallMiddleware
    from langrecall.agents.tool import create_recall_tool
    from langrecall.errors import LangRecallError
    from langrecall.graphs.ingest import create_ingest_graph
    from langrecall.graphs.recall import build_recall, create_recall_graph
    from langrecall.ingest_state import IngestSettings
    from langrecall.policies.extractive.policy import ExtractivePolicy
    from langrecall.policies.model.policy import ModelPolicy
    from langrecall.records import Episode, Session, Turn
    from langrecall.settings import Settings
    from langrecall.state import Citation, MemoryLine, RecallOutput, TrajectoryStep
    from langrecall.stores.base import HistoryStore
    from langrecall.stores.chroma.history import ChromaHistory

__all__ = [
    "ChromaHistory",
    "Citation",
    "Episode",
    "ExtractivePolicy",
    "HistoryStore",
    "IngestSettings",
    "LangRecallError",
    "MemoryLine",
    "ModelPolicy",
    "RecallMiddleware",
    "RecallOutput",
    "Session",
    "Settings",
    "TrajectoryStep",
    "Turn",
    "build_recall",
    "create_ingest_graph",
    "create_recall_graph",
    "create_recall_tool",
]

_HOMES = {
    "ChromaHistory": "stores.chroma.history",
    "Citation": "state",
    "Episode": "records",
    "ExtractivePolicy": "policies.extractive.policy",
    "HistoryStore": "stores.base",
    "IngestSettings": "ingest_state",
    "LangRecallError": "errors",
    "MemoryLine": "state",
    "ModelPolicy": "policies.model.policy",
    "RecallMiddleware": "agents.middleware",
    "RecallOutput": "state",
    "Session": "records",
    "Settings": "settings",
    "TrajectoryStep": "state",
    "Turn": "records",
    "build_recall": "graphs.recall",
    "create_ingest_graph": "graphs.ingest",
    "create_recall_graph": "graphs.recall",
    "create_recall_tool": "agents.tool",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
