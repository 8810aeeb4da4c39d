"""Where words go: results to stdout, everything else to stderr; any terminal, any encoding, any pipe."""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

_CONTROL = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}
TURNING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\N{REPLACEMENT CHARACTER}")
"""Unicode's embeddings, overrides and isolates, which turn the direction of what stands after them."""
_PLAIN = str.maketrans(
    {"✓": "+", "✗": "x", "·": "-", "…": ".", "→": ">", "“": '"', "”": '"', "│": "|", "─": "-", "≠": "#"}
)


def prepare_streams() -> bool:
    """Let no character of a history stop a terminal that cannot show it; False where stdout is closed.

    A closed stderr is silent: rich would write to stdout in its place, and the next file opened would take its number.
    """
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return sys.stdout is not None


def discard_stdout() -> None:
    """Send what is still buffered nowhere: the reader of the pipe has left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def results() -> Console:
    """The console of a command's results."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False)


def remarks() -> Console:
    """The console of progress, traces and complaints."""
    return Console(file=sys.stderr, highlight=False, markup=False, emoji=False)


def emit(value: Mapping[str, Any]) -> None:
    """Print the one JSON object of `--json`."""
    sys.stdout.write(json.dumps(value, ensure_ascii=not _is_unicode(sys.stdout.encoding), indent=2) + "\n")


def complain(line: str, *, hint: str = "") -> None:
    """One line on stderr; with a `hint`, where to read more."""
    console = remarks()
    text = Text.assemble(("error: ", "bold red"), line)
    if hint:
        text.append(f" (see {hint})", "dim")
    with suppress(OSError):  # the exit code tells it then
        console.print(fit(text, console), soft_wrap=True)


def clean(text: str) -> str:
    """Text of a history or a model, fit for a terminal: what controls it or turns its direction is replaced."""
    return text.translate(_CONTROL | TURNING)


def fit(text: Text, console: Console) -> Text:
    """The same text in plain ASCII signs where the terminal knows no others."""
    if not _is_unicode(console.encoding):
        text.plain = text.plain.translate(_PLAIN)
    return text


def iso(time: datetime | None) -> str | None:
    """A time as JSON carries it."""
    return time.isoformat() if time else None


def say(console: Console, *parts: str | tuple[str, str], indent: int = 0) -> None:
    """Print one paragraph, clean: wrapped and indented on a terminal, one line in a pipe, so that it can be searched."""
    cleaned = (clean(part) if isinstance(part, str) else (clean(part[0]), part[1]) for part in parts)
    text = fit(Text.assemble(*cleaned), console)
    wide = console.width - indent if console.is_terminal else sys.maxsize
    for line in text.wrap(console, wide):
        line.rstrip()
        console.print(Text(" " * indent) + line, soft_wrap=True)


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """`1 session`, `2,000 sessions`; a `plural` is given where it is not the noun with an s."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def _is_unicode(encoding: str | None) -> bool:
    return (encoding or "").lower().replace("-", "").startswith("utf")
