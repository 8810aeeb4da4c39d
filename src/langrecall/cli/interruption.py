"""Ctrl-C, told with nothing that it may have kept from being imported."""

import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from signal import SIG_DFL, SIGINT, signal
from typing import TextIO

INTERRUPTED = 130
"""Exit code of a command that was interrupted."""


def tell_interruption(given: Sequence[str]) -> int:
    """Say in one line, or with `--json` in one object, that the command was interrupted; the process is to end then."""
    signal(SIGINT, SIG_DFL)  # Python's own shutdown would answer another with a traceback
    if wants_json(given):
        _write(sys.stdout, json.dumps({"error": "interrupted"}, indent=2))
    else:
        _write(sys.stderr, "error: interrupted")
    return INTERRUPTED


def wants_json(given: Sequence[str]) -> bool:
    """Whether a command line asks for `--json`; after `--` it is a word like any other."""
    options = given[: given.index("--")] if "--" in given else given
    return "--json" in options


def _write(stream: TextIO | None, line: str) -> None:
    """Write as far as that works; the stream is None where the process was started with it closed."""
    if stream is not None:
        with suppress(OSError):
            stream.write(f"{line}\n")
            stream.flush()
