"""Read a JSON or JSON-lines file once, or say in one line why it cannot be read."""

import json
import re
from pathlib import Path

from langrecall.errors import InputError
from langrecall.loaders.faults import KNOWN, Location
from langrecall.loaders.text import cleaned, may_hold_surrogates

_JSON_LINES = (".jsonl", ".ndjson")
_BEGINNING = re.compile(r"\s*(\{|\[(?!\d))")
"""Of what is meant as JSON; `[12/03/2024, 18:30] Mia: hi` is how chats are exported as text."""
_WEB_PAGE = re.compile(r"\s*<(?:!doctype html|html)", re.IGNORECASE)
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_json(path: Path) -> object:
    """Parse the file; the values of a JSON-lines file come as one list. Lone surrogates are cleaned on the way."""
    location = Location(str(path))
    return parse_json(decode(read_bytes(path), location), location, lines=is_lines(path.name))


def read_records(path: Path) -> list[object]:
    """The file's top level as a list; a lone object is a list of one."""
    return as_records(read_json(path))


def as_records(value: object) -> list[object]:
    """A parsed file's top level as a list."""
    return value if isinstance(value, list) else [value]


def is_lines(name: str) -> bool:
    """Whether a file's name says that each line is a value of its own."""
    return name.lower().endswith(_JSON_LINES)


def parse_json(text: str, location: Location, *, lines: bool = False) -> object:
    """Parse what a file holds; `lines` takes each line as a value, also where they could be one."""
    try:
        value = _parse(text, location, lines=lines)
        return cleaned(value) if may_hold_surrogates(text) else value
    except RecursionError:
        raise location.fault(
            "JSON nested too deeply to be a history", "see docs/formats.md for what can be read"
        ) from None


def beside(folder: Path, source: str) -> str:
    """A picture's address as an absolute path, where the file it is named in has it beside it; whatever else it is stays as written."""
    if source.startswith("data:") or "://" in source:
        return source
    picture = folder / source
    return str(picture.resolve()) if picture.is_file() else source


def read_bytes(path: Path) -> bytes:
    """Raises `InputError` for what is no readable file."""
    location = Location(str(path))
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise location.fault("no such file", "check the path") from None
    except IsADirectoryError:
        raise location.fault("a directory", "name the file inside it") from None
    except OSError as error:
        raise location.fault(f"cannot be read ({error.strerror})", "check the path and its permissions") from None


def decode(data: bytes, location: Location) -> str:
    """UTF-8 text that says something; raises `InputError` otherwise."""
    if data.startswith(_UTF_16_MARKS):
        raise location.fault("UTF-16 text", "save it as UTF-8")
    if b"\0" in data:
        raise location.fault("a binary file", "give JSON or JSON lines in UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise location.fault(
            f"not UTF-8 text (byte {data[error.start]:#04x} at offset {error.start})", "save it as UTF-8"
        ) from None
    if not text or text.isspace():
        raise location.fault("the file is empty", "give a file that holds a history")
    return text


def _parse(text: str, location: Location, *, lines: bool) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if lines or _first_line_is_whole(error):
            return [_parse_line(line, number, location, text) for number, line in _lines(text)]
        raise _broken(error, error.lineno, location, text) from None
    except ValueError as error:
        raise location.fault(f"broken JSON: {error}", "shorten the number") from None


def _first_line_is_whole(error: json.JSONDecodeError) -> bool:
    return error.msg == "Extra data" and error.lineno > 1 and "\n" not in error.doc[: error.pos].strip()


def _lines(text: str) -> list[tuple[int, str]]:
    # Not splitlines: U+2028 and its like are legal inside a JSON string.
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _parse_line(line: str, number: int, location: Location, text: str) -> object:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise _broken(error, number, location, text) from None
    except ValueError as error:
        raise location.at(f"line {number}").fault(f"broken JSON: {error}", "shorten the number") from None


def _broken(error: json.JSONDecodeError, line: int, location: Location, text: str) -> InputError:
    if _WEB_PAGE.match(text):
        return location.fault("a web page", "export it as JSON; Telegram calls that machine-readable")
    if not _BEGINNING.match(text):
        return location.fault("no JSON", KNOWN)
    return location.at(f"line {line}, column {error.colno}").fault(f"broken JSON: {error.msg}", "mend the file there")
