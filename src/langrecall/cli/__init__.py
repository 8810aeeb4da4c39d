"""The command line: one command a module, and one boundary where errors become one line and an exit code."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; `arguments` default to those of the process."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        # Most of the time of a short command: Ctrl-C may well come just then.
        from langrecall.cli.boundary import run, tell_own_fault
        from langrecall.cli.interruption import wants_json

        if arguments is None and wants_json(given):
            sys.excepthook = tell_own_fault
        return run(given)
    except KeyboardInterrupt:
        from langrecall.cli.interruption import tell_interruption

        return tell_interruption(given)
