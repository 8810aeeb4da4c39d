"""The examples under docs/ run, and the tables there name what there is."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from langrecall.ingest_state import IngestEvent
from langrecall.state import TrajectoryStep

DOCS = Path(__file__).parents[1] / "docs"


def run(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    runpy.run_path(str(DOCS / "examples" / name), run_name="__main__")
    return capsys.readouterr().out


def first_column(file: str, heading: str) -> list[str]:
    """The names in the first column of the table under a heading cell."""
    table = (DOCS / file).read_text(encoding="utf-8").split(f"| {heading} |", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `(\w+)`", table, re.MULTILINE)


def test_every_example_is_run_here() -> None:
    tested = re.findall(r'run\("(\w+\.py)"', Path(__file__).read_text(encoding="utf-8"))
    assert sorted(tested) == sorted(path.name for path in (DOCS / "examples").glob("*.py"))


def test_every_example_is_named_in_the_text() -> None:
    linked = re.findall(r"\(examples/(\w+\.py)\)", (DOCS / "embedding.md").read_text(encoding="utf-8"))
    assert sorted(linked) == sorted(path.name for path in (DOCS / "examples").glob("*.py"))


def test_subgraph_with_shared_keys(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run("subgraph.py", capsys)
    assert "14 March 2024" in shown
    assert "Sources: chat-03:2" in shown


def test_subgraph_through_a_function(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run("function_node.py", capsys)
    assert "14 March 2024" in shown
    assert "no walnuts" in shown
    assert len(set(re.findall(r"^look_up:\w+", shown, re.MULTILINE))) == 2


def test_agent_with_tool_and_middleware(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run("agent.py", capsys)
    assert shown.startswith("<recalled_history>")
    assert "['human', 'ai', 'tool', 'ai']" in shown
    assert shown.endswith("user: What did I want to know?\nassistant: You asked for the date.\n")


@pytest.mark.parametrize(("heading", "event"), [("`TrajectoryStep`", TrajectoryStep), ("`IngestEvent`", IngestEvent)])
def test_events_are_documented_field_by_field(heading: str, event: Any) -> None:
    assert first_column("streaming.md", heading) == list(event.__annotations__)


def test_variables_of_the_server_are_documented() -> None:
    from langrecall.graphs import deploy

    read = re.findall(r'environ\.get\("(\w+)"', Path(deploy.__file__).read_text(encoding="utf-8"))
    assert first_column("server.md", "variable") == read
