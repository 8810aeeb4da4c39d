"""What an installation holds, with links and without, and what type checkers see of an editable one."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from build import ProjectBuilder
from pyproject_hooks import quiet_subprocess_runner

ROOT = Path(__file__).parents[1]
LINKED = ("graphs", "nodes", "stores", "tools")
USER = """\
from pathlib import Path

from langrecall import Session, create_recall_graph
from langrecall.loaders import LoadedHistory, load
from langrecall.tools import create_view_tool

first: LoadedHistory = load(Path("chats.json")).histories[0]
sessions: tuple[Session, ...] = first.sessions
wrong: int = create_recall_graph
create_view_tool("memory")
load(Path("chats.json"), most=3)
"""


def package_files() -> Iterator[Path]:
    """Every file of the package, under the path it imports as."""
    homes = {Path("langrecall"): ROOT / "src" / "langrecall"}
    homes |= {Path("langrecall", folder): ROOT / folder for folder in LINKED}
    for name, home in homes.items():
        for path in home.rglob("*"):
            if path.is_file() and path.suffix != ".pyc" and not set(path.relative_to(home).parts[:-1]) & set(LINKED):
                yield name / path.relative_to(home)


def copied(tree: Path) -> Path:
    for folder in ("src", *LINKED):
        shutil.copytree(
            ROOT / folder, tree / folder, symlinks=True, ignore=shutil.ignore_patterns("*.egg-info", "*.pyc")
        )
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    return tree


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("linked"))


@pytest.fixture(scope="module")
def unlinked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree as git and pip write it where links cannot be made: a link is a file that holds its target."""
    tree = copied(tmp_path_factory.mktemp("unlinked"))
    for folder in LINKED:
        link = tree / "src" / "langrecall" / folder
        target = link.readlink()
        link.unlink()
        link.write_text(str(target))
    return tree


@pytest.fixture(params=["linked", "unlinked"])
def tree(request: pytest.FixtureRequest) -> Path:
    found: Path = request.getfixturevalue(request.param)
    return found


def wheel(tree: Path) -> Path:
    return Path(ProjectBuilder(tree, runner=quiet_subprocess_runner).build("wheel", tree / "dist"))


def test_wheel_holds_every_file_of_the_package_and_nothing_else(tree: Path) -> None:
    with ZipFile(wheel(tree)) as archive:
        installed = {Path(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert installed == set(package_files())


def test_wheel_carries_the_licence(linked: Path) -> None:
    with ZipFile(wheel(linked)) as archive:
        (licence,) = (name for name in archive.namelist() if name.endswith("/LICENSE"))
        assert archive.read(licence).decode().lstrip().startswith("Apache License")


def editable(tree: Path, home: Path) -> Path:
    """The Python of a new environment at `home`, into which a tree is installed as `pip install --no-deps -e` does."""
    built = ProjectBuilder(tree, runner=quiet_subprocess_runner).build("editable", tree / "dist")
    venv.create(home, symlinks=True)
    with ZipFile(built) as archive:
        archive.extractall(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    return home / "bin" / "python"


def outside(*command: str | Path, cwd: Path) -> str:
    """What a command prints that gets no paths from this run."""
    clean = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "MYPYPATH"}}
    return subprocess.run(command, cwd=cwd, env=clean, capture_output=True, text=True, check=False).stdout


def test_type_checkers_see_an_editable_install(linked: Path, tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER)
    options = [
        "--config-file=",
        f"--cache-dir={tmp_path / 'cache'}",
        f"--python-executable={editable(linked, tmp_path / 'environment')}",
    ]
    told = outside(sys.executable, "-m", "mypy", *options, "user.py", cwd=tmp_path)
    assert re.findall(r"^user\.py:(\d+): error: .*\[([\w-]+)\]$", told, re.MULTILINE) == [
        ("9", "assignment"),
        ("10", "arg-type"),
        ("11", "call-arg"),
    ], told


@pytest.mark.filterwarnings("ignore:Editable installation")
def test_editable_install_imports_the_folders_at_the_top(tree: Path, tmp_path: Path) -> None:
    code = "import langrecall.graphs, langrecall.nodes; print(*langrecall.graphs.__path__, *langrecall.nodes.__path__)"
    told = outside(editable(tree, tmp_path / "environment"), "-c", code, cwd=tmp_path)
    assert [Path(path).resolve() for path in told.split()] == [tree / "graphs", tree / "nodes"]
