"""The command line: one command a module, and one boundary where errors become one line and an exit code."""

from langrecall.cli.boundary import main

__all__ = ["main"]
