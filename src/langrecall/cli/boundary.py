"""Run a command, and turn whatever stops it into one line and an exit code."""

import sys
from collections.abc import Sequence

import typer

from langrecall.cli import output
from langrecall.cli.app import app
from langrecall.cli.running import InterruptionError
from langrecall.errors import EmbeddingMismatchError, LangRecallError

FAULT = 2
"""Exit code of a command that could not do its work; 1 means that part of it failed, 130 that it was interrupted."""
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; `arguments` default to those of the process."""
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    output.prepare_streams()
    try:
        code = app(given, standalone_mode=False, prog_name="langrecall")
        sys.stdout.flush()
    except EmbeddingMismatchError as error:
        return _fail(given, _embeddings_fault(error))
    except InterruptionError as error:
        return _fail(given, str(error), code=INTERRUPTED)
    except LangRecallError as error:
        return _fail(given, str(error))
    except typer.TyperException as error:
        return _fail(given, error.format_message(), hint=_help_of(error))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        output.discard_stdout()
        return 1
    except OSError as error:
        return _fail(given, _system_fault(error))
    return int(code or 0)


def _fail(given: Sequence[str], message: str, *, hint: str = "", code: int = FAULT) -> int:
    line = " ".join(output.clean(message).split())
    if _wants_json(given):
        output.emit({"error": line})
    else:
        output.complain(line, hint=hint)
    return code


def _wants_json(given: Sequence[str]) -> bool:
    options = given[: given.index("--")] if "--" in given else given
    return "--json" in options


def _help_of(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)  # only usage errors know their command
    return f"{context.command_path} --help" if context else "langrecall --help"


def _embeddings_fault(error: EmbeddingMismatchError) -> str:
    made = error.spec or "none"
    return f"{error.fault}: use --embeddings {made}, or make it anew with langrecall reindex --embeddings ..."


def _system_fault(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason
