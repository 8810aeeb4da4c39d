"""Run a command, and turn whatever stops it into one line and an exit code."""

import sys
from collections.abc import Sequence
from pathlib import Path
from traceback import extract_tb

import typer

from langrecall.cli import output
from langrecall.cli.app import app
from langrecall.cli.interruption import INTERRUPTED, tell_interruption, wants_json
from langrecall.cli.running import InterruptionError
from langrecall.errors import EmbeddingMismatchError, LangRecallError

FAULT = 2
"""Exit code of a command that could not do its work; 1 means that part of it failed, 130 that it was interrupted."""


def run(given: Sequence[str]) -> int:
    """Run a command line and return its exit code; without a command the commands are listed."""
    if not output.prepare_streams():
        output.complain("stdout is closed: nothing can be printed")
        return FAULT
    try:
        code = _outcome(given or ["--help"])
        sys.stdout.flush()
    except BrokenPipeError:
        output.discard_stdout()
        return 1
    except OSError as error:
        output.discard_stdout()
        output.complain(f"cannot write to stdout: {_system_fault(error)}")
        return FAULT
    return code


def _outcome(given: Sequence[str]) -> int:
    """Run a command, telling what stops it; raises `OSError` where stdout cannot be written."""
    try:
        code = int(app(list(given), standalone_mode=False, prog_name="langrecall") or 0)
    except typer.Abort:
        code = INTERRUPTED
    except Exception as error:
        if isinstance(error, OSError):
            sys.stdout.flush()  # raises anew where stdout is what failed
        message = _message(error) or (_own_fault(error) if wants_json(given) else "")
        if not message:
            raise
        _tell(given, message, hint=_help_of(error))
        return INTERRUPTED if isinstance(error, InterruptionError) else FAULT
    # Typer makes this code of Ctrl-C.
    return tell_interruption(given) if code == INTERRUPTED else code


def _tell(given: Sequence[str], message: str, *, hint: str) -> None:
    line = " ".join(output.clean(message).split())
    if wants_json(given):
        output.emit({"error": line})
    else:
        output.complain(line, hint=hint)


def _message(error: Exception) -> str:
    """What a person is told of a fault that is not the program's own; of that nothing."""
    match error:
        case EmbeddingMismatchError():
            return _embeddings_fault(error)
        case LangRecallError():
            return str(error)
        case typer.TyperException():
            return error.format_message()
        case OSError():
            return _system_fault(error)
        case _:
            return ""


def _help_of(error: Exception) -> str:
    if not isinstance(error, typer.TyperException):
        return ""
    context = getattr(error, "ctx", None)  # only usage errors know their command
    return f"{context.command_path} --help" if context else "langrecall --help"


def _embeddings_fault(error: EmbeddingMismatchError) -> str:
    made = error.spec or "none"
    return f"{error.fault}: use --embeddings {made}, or make it anew with langrecall reindex --embeddings ..."


def _system_fault(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason


def _own_fault(error: Exception) -> str:
    place = extract_tb(error.__traceback__)[-1]
    at = f"{Path(place.filename).name}:{place.lineno}"
    return (
        f"a fault of langrecall itself, {type(error).__name__} at {at}: {error}; without --json it shows its traceback"
    )
