"""Which collections a walk reads: an ablation that leaves something out never asks for it."""

from typing import Any

import pytest
from chromadb.api.models.Collection import Collection

from langrecall.errors import InputError
from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.stores.base import HistoryStore

RECORDS = {"session", "generation"}
"""What `notes` keeps about the store itself."""
QUERY: Any = {"query": "What did Mia sell, and to whom?"}


class Spy:
    """The kinds of rows that were read of each collection."""

    def __init__(self) -> None:
        self.read: dict[str, set[str]] = {"chunks": set(), "notes": set()}

    @property
    def collections(self) -> set[str]:
        """Those of which more than records was read."""
        return {part for part, kinds in self.read.items() if kinds - RECORDS}


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Spy:
    spied = Spy()

    def spying(name: str) -> None:
        asked = getattr(Collection, name)

        def spy(collection: Collection, *args: Any, **kwargs: Any) -> Any:
            found = asked(collection, *args, **kwargs)
            kinds = {str(row.get("kind")) for row in found["metadatas"] or ()} if name == "get" else {"queried"}
            spied.read[collection.name.rpartition("-")[2]] |= kinds
            return found

        monkeypatch.setattr(Collection, name, spy)

    spying("get")
    spying("query")
    return spied


@pytest.fixture
def related(history: HistoryStore) -> HistoryStore:
    """The history with the graph that the retriever `graph` needs beside its entries."""
    told = [history.session(info.session_id).model_dump(mode="json") for info in history.sessions()]
    create_ingest_graph(history, settings={"form": "wiki+graph"}).invoke({"sessions": told})
    return history


BOTH, RAW, ENTRIES = {"chunks", "notes"}, {"chunks"}, {"notes"}

ASKED: list[tuple[dict[str, Any], set[str]]] = [
    ({"preset": "t2mem"}, BOTH),
    ({"preset": "t2mem", "metadata": False}, RAW),
    ({"preset": "t2mem", "raw_data": False}, ENTRIES),
    ({"preset": "t2mem", "rollout": False, "raw_data": False}, ENTRIES),
    ({"preset": "t2mem", "rollout": False, "metadata": False}, RAW),
    ({"preset": "memcot"}, RAW),
    ({"preset": "memcot", "zoom_out": False}, RAW),
    ({"preset": "memcot", "view": False}, RAW),
    ({"preset": "memcot", "zoom_out": False, "view": False}, RAW),
    ({"preset": "memcot", "retriever": "lexical"}, RAW),
    ({"preset": "memcot", "retriever": "graph"}, BOTH),
    ({"preset": "combined"}, BOTH),
    ({"preset": "combined", "metadata": False}, RAW),
    ({"preset": "combined", "raw_data": False}, ENTRIES),
    ({"preset": "combined", "rollout": False}, BOTH),
    ({"preset": "combined", "rollout": False, "raw_data": False}, ENTRIES),
    ({"preset": "combined", "rollout": False, "metadata": False}, RAW),
    ({"preset": "combined", "zoom_out": False}, BOTH),
    ({"preset": "combined", "view": False}, BOTH),
    ({"preset": "combined", "zoom_out": False, "view": False}, BOTH),
    *(
        ({"preset": "combined", "retriever": retriever} | without, asked)
        for retriever in ("dense", "lexical")
        for without, asked in (({}, BOTH), ({"metadata": False}, RAW), ({"raw_data": False}, ENTRIES))
    ),
    ({"preset": "combined", "retriever": "graph"}, BOTH),
    ({"preset": "combined", "retriever": "graph", "raw_data": False}, ENTRIES),
]


@pytest.mark.parametrize(
    ("settings", "asked"), ASKED, ids=lambda value: str(value) if isinstance(value, dict) else "+".join(sorted(value))
)
def test_what_is_left_out_is_never_read(
    related: HistoryStore, spy: Spy, settings: dict[str, Any], asked: set[str]
) -> None:
    state = create_recall_graph(related, settings=settings).invoke(QUERY)
    assert state["answer"]
    assert spy.collections == asked


def test_without_metadata_there_is_no_graph_and_no_entry_is_read(related: HistoryStore, spy: Spy) -> None:
    graph = create_recall_graph(related, settings={"retriever": "graph", "metadata": False})
    with pytest.raises(InputError, match="which metadata=False leaves out: choose another retriever"):
        graph.invoke(QUERY)
    assert spy.collections == RAW


@pytest.mark.parametrize("preset", ["t2mem", "combined"])
def test_without_raw_data_no_turn_is_cited(history: HistoryStore, preset: str) -> None:
    state = create_recall_graph(history, settings={"preset": preset, "raw_data": False}).invoke(QUERY)
    assert state["citations"] == []
