"""The map of the package in CONTRIBUTING.md, made from the import contract and the first line of each room."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "langrecall"


def layers() -> list[list[str]]:
    """The rooms of each layer, the top one first; a layer imports only those below it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (ordered,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [layer.split(" | ") for layer in ordered]


def picture() -> str:
    """The layers as a drawing in which imports point down."""
    rows = [f'  layer{number}["{" · ".join(rooms)}"]' for number, rooms in enumerate(layers())]
    arrows = "  " + " --> ".join(f"layer{number}" for number in range(len(rows)))
    return "\n".join(["```mermaid", "flowchart TD", *rows, arrows, "```"])


def table() -> str:
    """A line for each room and each room within it."""
    rows = [f"| {name} | {_purpose(module)} |" for name, module in _rooms()]
    return "\n".join(["| room | what it is for |", "| --- | --- |", *rows])


def _rooms() -> Iterator[tuple[str, Path]]:
    for room in (room for layer in layers() for room in layer):
        home = PACKAGE / room
        if not home.is_dir():
            yield f"`{room}.py`", home.with_suffix(".py")
            continue
        yield f"`{room}/`", home / "__init__.py"
        for inner in sorted(home.glob("*/__init__.py")):
            yield f"`{room}/{inner.parent.name}/`", inner


def _purpose(module: Path) -> str:
    described = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return described.split("\n")[0]
