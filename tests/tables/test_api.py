"""What is promised is on docs/api.md, can be imported, and is all that modules say of themselves in `__all__`."""

import ast
import re
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

from tables import api

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "langrecall"
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_the_modules_with_a_list_of_names_are_the_faces() -> None:
    listing = {
        module_of(path)
        for room in [PACKAGE, *PACKAGE.iterdir()]
        for path in (room.glob("*.py") if room == PACKAGE else room.rglob("*.py"))
        if re.search(r"^__all__\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert listing == set(api.FACES)


@pytest.mark.parametrize("face", api.FACES)
def test_every_name_of_a_face_is_there_explained_and_on_the_page(face: str) -> None:
    module = import_module(face)
    section = PAGE.split(f"## `{face}`\n")[1].split("\n## ")[0]
    for name in module.__all__:
        if isinstance(value := getattr(module, name), type | FunctionType):
            assert value.__doc__, name
        assert re.search(rf"^\*\*`{name}\b", section, re.MULTILINE), name


@pytest.mark.parametrize("face", api.FACES)
def test_a_face_defines_nothing_public_that_it_does_not_promise(face: str) -> None:
    module = import_module(face)
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    made = {node.name for node in tree.body if isinstance(node, kinds)}
    assert {name for name in made if not name.startswith("_")} <= set(module.__all__)


def test_async_twins_and_long_defaults_are_left_out_of_the_page() -> None:
    assert ".search_turns(" in PAGE
    assert ".asearch_turns(" not in PAGE
    assert "description=..." in PAGE
