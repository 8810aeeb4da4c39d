"""Where in its input a fault lies, and readers that say so in one line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from langrecall.errors import InputError

if TYPE_CHECKING:
    from pydantic import ValidationError

KNOWN = (
    'known are a LoCoMo file, a LongMemEval file, {"sessions": [...]}, a list of chat messages, and exports of ChatGPT, Claude, WhatsApp, '
    "Signal, Telegram (as JSON), Messenger, Instagram and Slack; see docs/formats.md"
)
"""The mend for a file that is nothing of the kind."""

_SHOWN = 20
"""Names listed in a message before the rest is only counted."""


@dataclass(frozen=True, slots=True)
class Location:
    """A file, or an argument of a call, and the record of it that is being read."""

    file: str
    record: str = ""

    def at(self, record: str) -> "Location":
        """A place further in: `session 3`, then `session 3, turn 7`."""
        return Location(self.file, f"{self.record}, {record}" if self.record else record)

    def fault(self, problem: str, mend: str) -> InputError:
        """`file: record: problem; mend`, to be raised; one line even where a name in it is not."""
        text = ": ".join(part for part in (self.file, self.record, f"{problem}; {mend}") if part)
        return InputError(" ".join(text.splitlines()))

    def object(self, value: object) -> Mapping[str, Any]:
        """Insist on a JSON object."""
        if not isinstance(value, Mapping):
            raise self.fault(f"a JSON object belongs here, not {shape(value)}", "see docs/formats.md for the fields")
        return value

    def array(self, record: Mapping[str, Any], name: str) -> list[Any]:
        """A list; missing and null count as empty."""
        value = record.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.fault(f'"{name}" is {shape(value)}', "make it a list")
        return value

    def string(self, record: Mapping[str, Any], name: str) -> str:
        """A string that is not blank, exactly as it stands."""
        value = record.get(name)
        if not isinstance(value, str):
            raise self.fault(f'"{name}" is {shape(value)}' if name in record else f'no "{name}"', "make it a string")
        if not value.strip():
            raise self.fault(f'"{name}" is blank', "fill it in")
        return value

    def spoken(self, record: Mapping[str, Any], name: str, *, images: bool) -> str:
        """What was said, exactly as it stands; only a turn with a picture may say nothing."""
        value = record.get(name)
        if not isinstance(value, str | None):
            raise self.fault(f'"{name}" is {shape(value)}', "make it a string")
        if not images and (value is None or not value.strip()):
            raise self.fault("a turn without text and without image", f'give it a "{name}", or leave it out')
        return value or ""

    def identifier(self, record: Mapping[str, Any], name: str) -> str:
        """An id: a string, or a whole number taken as one."""
        value = record.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.string(record, name)


def shape(value: object) -> str:
    """What a JSON value is, in words: `a list`, `the number 7`, `null`."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int() | float():
            return f"the number {value}"
        case str():
            return "a string"
        case list():
            return "a list"
        case Mapping():
            return f"an object with the keys {listed(map(repr, value))}" if value else "an empty object"
        case _:
            return f"a {type(value).__name__}"


def first_fault(error: "ValidationError") -> tuple[str, str]:
    """The field that a record's first fault lies in, such as `turns.0.text`, and what is wrong; the whole record's has no field."""
    fault = error.errors()[0]
    return ".".join(map(str, fault["loc"])), fault["msg"].lower()


def listed(names: Iterable[str], *, shown: int = _SHOWN) -> str:
    """`a, b, c and 40 more`."""
    rest = iter(names)
    head = ", ".join(islice(rest, shown))
    more = sum(1 for _ in rest)
    return f"{head} and {more} more" if more else head
