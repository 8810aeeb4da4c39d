"""The drawing, the schemas and the module names say the same words."""

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import NODES, create_recall_graph
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.tools.read_raw import create_read_raw_tool
from langrecall.tools.search_meta import create_search_meta_tool
from langrecall.tools.view import create_view_tool
from langrecall.tools.zoom_in import create_zoom_in_tool
from langrecall.tools.zoom_out import create_zoom_out_tool

ROOT = Path(__file__).parents[2]
TOOLS = (create_search_meta_tool, create_read_raw_tool, create_zoom_in_tool, create_zoom_out_tool, create_view_tool)


@pytest.fixture
def memory() -> ChromaHistory:
    return ChromaHistory.open(None, embeddings=None)


def test_recall_graph_is_drawn_as_designed(memory: ChromaHistory, snapshot: SnapshotAssertion) -> None:
    assert create_recall_graph(memory).get_graph().draw_mermaid() == snapshot


def test_ingest_graph_is_drawn_as_designed(memory: ChromaHistory, snapshot: SnapshotAssertion) -> None:
    assert create_ingest_graph(memory).get_graph().draw_mermaid() == snapshot


def test_input_and_output_schemas_are_small(memory: ChromaHistory, snapshot: SnapshotAssertion) -> None:
    graph = create_recall_graph(memory)
    schemas = {"input": graph.get_input_jsonschema(), "output": graph.get_output_jsonschema()}
    assert json.dumps(schemas, indent=1, sort_keys=True) == snapshot


def test_every_node_is_a_module_of_its_name_and_every_module_a_node(memory: ChromaHistory) -> None:
    modules = {path.stem for folder in ("nodes", "tools") for path in (ROOT / folder).glob("*.py")} - {
        "__init__",
        "factory",
    }
    ingest = {"stage", "describe", "commit"}
    assert {node.__name__ for node in NODES} | ingest == modules
    assert all(node.__module__.endswith(f".{node.__name__}") for node in NODES)


@pytest.mark.parametrize("create", TOOLS, ids=lambda create: create.__name__)
def test_tool_schemas_as_a_model_sees_them(create: object, memory: ChromaHistory, snapshot: SnapshotAssertion) -> None:
    from langchain_core.utils.function_calling import convert_to_openai_tool

    tool = create(memory.at("mia"))  # type: ignore[operator]
    assert json.dumps(convert_to_openai_tool(tool), indent=1, sort_keys=True) == snapshot
