"""Run a command, and turn whatever stops it into one line and an exit code."""

import sys
from collections.abc import Sequence
from types import TracebackType

import typer

from langrecall.cli import output
from langrecall.cli.app import app
from langrecall.cli.interruption import INTERRUPTED, tell_interruption, wants_json
from langrecall.cli.running import InterruptionError
from langrecall.errors import EmbeddingMismatchError, LangRecallError

_FAULT = 2
"""Exit code of a command that could not do its work; 1 means that part of it failed, 130 that it was interrupted."""


def run(given: Sequence[str]) -> int:
    """Run a command line and return its exit code; without a command the commands are listed."""
    if not output.prepare_streams():
        output.complain("stdout is closed: nothing can be printed")
        return _FAULT
    try:
        code = _outcome(given or ["--help"])
        sys.stdout.flush()
    except BrokenPipeError:
        output.discard_stdout()
        return 1
    except OSError as error:
        output.discard_stdout()
        output.complain(f"cannot write to stdout: {_system_fault(error)}")
        return _FAULT
    return code


def _outcome(given: Sequence[str]) -> int:
    """Run a command, telling what stops it; raises `OSError` where stdout cannot be written."""
    try:
        code = int(app(list(given), standalone_mode=False, prog_name="langrecall") or 0)
    except typer.Abort:
        code = INTERRUPTED
    except (LangRecallError, typer.TyperException, OSError) as error:
        if isinstance(error, OSError):
            sys.stdout.flush()  # raises anew where stdout is what failed
        _tell(given, _message(error), hint=_help_of(error))
        return INTERRUPTED if isinstance(error, InterruptionError) else _FAULT
    # Typer makes this code of Ctrl-C.
    return tell_interruption(given) if code == INTERRUPTED else code


def tell_own_fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What Python does at the end of a program that failed, with one object on stdout before the traceback on stderr."""
    output.emit({"error": f"a fault of langrecall itself, told on stderr: {kind.__name__}: {error}"})
    sys.__excepthook__(kind, error, trace)


def _tell(given: Sequence[str], message: str, *, hint: str) -> None:
    line = " ".join(output.clean(message).split())
    if wants_json(given):
        output.emit({"error": line})
    else:
        output.complain(line, hint=hint)


def _message(error: Exception) -> str:
    match error:
        case EmbeddingMismatchError():
            return _embeddings_fault(error)
        case typer.TyperException():
            return error.format_message()
        case OSError():
            return _system_fault(error)
        case _:
            return str(error)


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
