"""What is generated on the pages is what would be generated now."""

import subprocess
import sys
from pathlib import Path

from tables import rooms

ROOT = Path(__file__).parents[2]
PAGES = ("CONTRIBUTING.md", "docs/api.md", "docs/settings.md", "docs/results.md")


def test_generated_parts_are_fresh() -> None:
    command = [sys.executable, "-m", "cogapp", "--check", "-I", "docs", *PAGES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run make docs: {done.stdout}{done.stderr}"


def test_every_page_with_a_generated_part_is_made_anew_by_make_docs() -> None:
    holding = {path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")] if "[[[cog" in path.read_text("utf-8")}
    assert holding == {ROOT / page for page in PAGES}
    assert f"GENERATED := {' '.join(PAGES)}" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_map_has_every_room_and_few_enough_of_them() -> None:
    named = [room for layer in rooms.layers() for room in layer]
    held = [
        path.stem
        for path in rooms.PACKAGE.iterdir()
        if path.suffix == ".py" or (path.is_dir() and any(path.glob("*.py")))
    ]
    assert sorted([*named, "__init__"]) == sorted(held)
    assert len(named) + 1 <= 26
    assert len(list(rooms.PACKAGE.glob("*.py"))) <= 9
    assert len(rooms.layers()) <= 15
