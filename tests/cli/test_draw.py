"""`draw`: the graph as text."""

from collections.abc import Callable
from typing import Any

import pytest

from langrecall.graphs.recall import NODES

Run = Callable[..., Any]


@pytest.mark.parametrize("preset", ["t2mem", "memcot", "combined"])
def test_the_drawing_names_every_node(run: Run, preset: str) -> None:
    out = run("draw", "--preset", preset).out
    assert all(f"\t{node.__name__}({node.__name__})" in out for node in NODES)
    assert run("draw", "--preset", preset, "--json").json == {"mermaid": out}
