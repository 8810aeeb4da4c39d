"""The five actions as tools, taken from one place by someone with a loop of their own."""

import sys
from importlib import import_module
from pathlib import Path
from subprocess import run
from typing import Any, get_args

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage

import langrecall.tools
from langrecall.records import Session, Turn
from langrecall.state import Action
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import ScriptedChatModel
from langrecall.tools import (
    create_read_raw_tool,
    create_search_meta_tool,
    create_view_tool,
    create_zoom_in_tool,
    create_zoom_out_tool,
)

EMBEDDING = Path(__file__).parents[2] / "docs" / "embedding.md"
ACTIONS = sorted(set(get_args(Action)) - {"answer"})


def test_every_action_is_exported_as_a_tool() -> None:
    assert langrecall.tools.__all__ == [f"create_{action}_tool" for action in ACTIONS]


@pytest.mark.parametrize("action", ACTIONS)
def test_an_export_is_that_of_the_actions_module_and_leaves_the_module_reachable(action: str) -> None:
    module = import_module(f"langrecall.tools.{action}")
    assert getattr(langrecall.tools, f"create_{action}_tool") is getattr(module, f"create_{action}_tool")
    assert getattr(langrecall.tools, action) is module


def test_every_export_is_named_in_the_documentation() -> None:
    text = EMBEDDING.read_text(encoding="utf-8")
    assert "from langrecall.tools import" in text
    assert [name for name in langrecall.tools.__all__ if name not in text] == []


def test_importing_them_loads_no_heavy_library() -> None:
    heavy = ("torch", "chromadb", "PIL", "rapidocr", "sentence_transformers")
    code = f"import sys, langrecall.tools\nprint(*(name for name in {heavy!r} if name in sys.modules))"
    assert run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() == []


def test_a_loop_of_ones_own_finds_and_reads_with_them() -> None:
    said = Turn(session_id="s", index=0, speaker="Mia", role="speaker", text="I adopted a beagle called Bolt.")
    with ChromaHistory.open(None, embeddings=None) as memory:
        history = memory.at("mia")
        history.put([Session(session_id="s", turns=(said,))], {}, describer="extractive", form="wiki")
        tools = [
            create_search_meta_tool(history),
            create_read_raw_tool(history),
            create_zoom_in_tool(history),
            create_zoom_out_tool(history),
            create_view_tool(history),
        ]
        calls = [("zoom_in", {"query": "beagle"}), ("zoom_out", {"turn_id": "s:0"}), ("read_raw", {"session_id": "s9"})]
        asking = [
            AIMessage("", tool_calls=[{"name": name, "args": args, "id": str(place)}])
            for place, (name, args) in enumerate(calls)
        ]
        agent = create_agent(ScriptedChatModel(replies=[*asking, "Bolt."]), tools)
        asked: Any = {"messages": [("user", "What is the dog called?")]}
        messages = agent.invoke(asked)["messages"]
    found, around, unknown = (message for message in messages if isinstance(message, ToolMessage))
    assert "[s:0]" in found.text
    assert "called Bolt" in found.text
    assert "called Bolt" in around.text
    assert (unknown.status, "'s9'" in unknown.text) == ("error", True)
