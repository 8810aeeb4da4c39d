"""Where the packages lie; the rest of the build is in pyproject.toml.

Through the links, an editable install is a plain path to `src/`, which type checkers follow. A zip, or a file system without links,
needs the mapping, and setuptools then installs a finder that they cannot see through.
"""

from pathlib import Path

from setuptools import setup

FOLDERS = ("graphs", "nodes", "stores", "tools")
PACKAGE = Path("src", "langrecall")
LINKED = all((PACKAGE / folder).is_dir() for folder in FOLDERS)
MAPPING = {"langrecall": str(PACKAGE)} | {f"langrecall.{folder}": folder for folder in FOLDERS}

setup(package_dir={"": "src"} if LINKED else MAPPING)
