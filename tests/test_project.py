"""The project as others meet it: what is installed, what importing costs, and which file may do what."""

import ast
import os
import re
import socket
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from pytest_socket import SocketConnectBlockedError

import langrecall

ROOT = Path(__file__).parents[1]
LINKED = ("graphs", "nodes", "stores", "tools")
HEAVY = ("torch", "chromadb", "langchain_community", "sentence_transformers", "transformers")


def sources() -> list[Path]:
    """The package's own modules, each once."""
    return [path for folder in ("src", *LINKED) for path in sorted((ROOT / folder).rglob("*.py"))]


def python(code: str) -> str:
    """What `code` prints in a fresh interpreter."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_linked_folders_are_reached_from_the_package() -> None:
    package = ROOT / "src" / "langrecall"
    assert {path.name: str(path.readlink()) for path in package.iterdir() if path.is_symlink()} == {
        folder: f"../../{folder}" for folder in LINKED
    }


def test_front_door_lists_its_public_names_sorted() -> None:
    assert langrecall.__all__ == sorted(langrecall.__all__)
    assert {name for name in dir(langrecall) if not name.startswith("_")} == set(langrecall.__all__)


@pytest.mark.parametrize("name", langrecall.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(langrecall, name).__name__ == name


def test_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nonesuch'"):
        _ = langrecall.Nonesuch


def test_front_door_declares_to_type_checkers_what_it_serves() -> None:
    tree = ast.parse((ROOT / "src" / "langrecall" / "__init__.py").read_text())
    (guarded,) = (node for node in tree.body if isinstance(node, ast.If))
    declared = {
        alias.name: node.module for node in guarded.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert declared == {name: f"langrecall.{home}" for name, home in langrecall._HOMES.items()}
    assert sorted(declared) == langrecall.__all__


@pytest.mark.parametrize("statement", ["import langrecall", "from langrecall import *", "import langrecall.cli"])
def test_importing_loads_no_heavy_library(statement: str) -> None:
    loaded = python(f"import sys\n{statement}\nprint(*(name for name in {HEAVY!r} if name in sys.modules))")
    assert loaded.split() == []


def test_import_costs_little_beyond_langgraph() -> None:
    clock = "import time, langgraph.graph\nstart = time.process_time()\nimport langrecall\nprint(time.process_time() - start)"
    assert min(float(python(clock)) for _ in range(3)) <= 0.3


def test_python_reads_the_environment_for_the_deployment_alone() -> None:
    reading = {path.relative_to(ROOT) for path in sources() if re.search(r"os\.environ|getenv", path.read_text())}
    assert reading == {Path("graphs/deploy.py")}


def test_example_environment_names_every_variable_that_is_read() -> None:
    example = re.findall(r"^(LANGRECALL_\w+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    read = {name for path in sources() for name in re.findall(r"""["'](LANGRECALL_[A-Z_]+)["']""", path.read_text())}
    assert sorted(example) == sorted(read)


def test_make_help_explains_every_target() -> None:
    targets = re.findall(r"^\.PHONY: (.+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    command = ["make", "--no-print-directory", "help"]
    shown = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"MAKEFLAGS": ""}, capture_output=True, text=True, check=True
    ).stdout
    assert [line.split()[1] for line in shown.splitlines()] == targets[0].split()


def test_every_extra_is_resolved_against_the_pins() -> None:
    command = ["make", "--no-print-directory", "--dry-run", "--assume-old=.venv/.ready", "extras"]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    (named,) = re.findall(r"--constraint constraints\.txt '\.\[(.+)\]'", asked)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert sorted(named.split(",")) == sorted(project["optional-dependencies"])


def test_only_the_chroma_store_imports_chromadb() -> None:
    naming = {
        path.relative_to(ROOT)
        for path in sources()
        if re.search(r"^\s*(?:import|from) chromadb", path.read_text(), re.MULTILINE)
    }
    assert naming == {Path("stores/chroma/history.py")}


def test_every_module_says_in_a_docstring_what_it_is_for() -> None:
    silent = [str(path.relative_to(ROOT)) for path in sources() if not ast.get_docstring(ast.parse(path.read_text()))]
    assert silent == []


@pytest.mark.filterwarnings("ignore:A test tried")
def test_network_is_out_of_reach_of_tests() -> None:
    with socket.socket() as outside, pytest.raises(SocketConnectBlockedError):
        outside.connect(("192.0.2.1", 80))


def test_declared_packages_can_be_imported() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    assert [import_module(name).__name__ for name in declared] == declared
