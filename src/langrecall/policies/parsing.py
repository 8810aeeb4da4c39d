"""From what a model said to a validated object, or to the reason why there is none."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from langrecall.policies.said import Said
from langrecall.policies.wire import Shape

M = TypeVar("M", bound=BaseModel)

THOUGHTS = re.compile(r"\s*<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
THOUGHTS_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
OPENING = re.compile(r"[{\[]")
MARK = re.compile(r'\\.|["{}\[\]]', re.DOTALL)
WRAPPERS = ("arguments", "parameters")
FAULTS_SHOWN = 3


@dataclass(frozen=True)
class Parsed(Generic[M]):
    """An object that validated; `repaired` when it was not valid JSON of the asked shape as it came."""

    value: M
    repaired: bool


@dataclass(frozen=True)
class Unreadable:
    """No usable object. `prose`: nothing in the text even begins like one, so the asked form was ignored."""

    fault: str
    prose: bool = False


class Found(NamedTuple):
    """A decoded value of a reply; `closed` unless it runs to the end of the text and had to be completed."""

    value: Any
    repaired: bool
    closed: bool = True


def parse(said: Said, shape: Shape[M]) -> Parsed[M] | Unreadable:
    """Take the first complete object that validates, of the tool arguments and then of the text."""
    faults: list[str] = []
    for found in [*_arguments(said), *decoded(said.text)]:
        for value, repaired in _objects(found) if found.closed or not said.cut else ():
            try:
                return Parsed(shape.read(value), repaired=repaired)
            except ValidationError as error:
                faults.append(_explained(error))
    if said.cut:
        return Unreadable("it was cut off because it is too long")
    text = without_thoughts(said.text)
    nothing = "it holds no JSON object" if text else "it is empty"
    return Unreadable(faults[0] if faults else nothing, prose=bool(text) and "{" not in text)


def without_thoughts(text: str) -> str:
    """The text after its think blocks; their opening tag may be missing, and one that never closes is all thoughts."""
    while thoughts := THOUGHTS.match(text):
        text = text[thoughts.end() :]
    closings = list(THOUGHTS_END.finditer(text))
    return text[closings[-1].end() if closings else 0 :].strip()


def decoded(text: str) -> Iterator[Found]:
    """Each JSON value of a text in order, whatever stands around it; a whole text that is one is taken as it is."""
    try:
        yield Found(json.loads(text, strict=False), repaired=False)
    except json.JSONDecodeError:
        yield from _segments(without_thoughts(text))


def _segments(text: str) -> Iterator[Found]:
    """Bracketed stretches, outermost first; one that never closes is tried to the end of the text, then what stands in it."""
    start = 0
    while opening := OPENING.search(text, start):
        end = _closing(text, opening.start())
        value, repaired = _lenient(text[opening.start() : end])
        yield Found(value, repaired, closed=end is not None)
        start = end or opening.end()


def _closing(text: str, begin: int) -> int | None:
    """Where the bracket at `begin` closes, brackets within double quotes apart; None if it does not."""
    depth, quoted = 0, False
    for mark in MARK.finditer(text, begin):
        if mark[0] == '"':
            quoted = not quoted
        elif not quoted and mark[0] in "{[":
            depth += 1
        elif not quoted and mark[0] in "}]":
            depth -= 1
        if depth == 0:
            return mark.end()
    return None


def _lenient(segment: str) -> tuple[Any, bool]:
    try:
        return json.loads(segment, strict=False), False
    except json.JSONDecodeError:
        return json_repair.loads(segment), True


def _arguments(said: Said) -> Iterator[Found]:
    for given in said.arguments:
        if isinstance(given, str):
            yield from decoded(given)
        elif given:
            yield Found(given, repaired=False)


def _objects(found: Found) -> Iterator[tuple[dict[str, Any], bool]]:
    """The object, then what it may be wrapped around: a tool call's arguments, a class name, a list, a string of JSON."""
    match found.value:
        case dict() as value:
            yield value, found.repaired
            inner = [value[key] for key in WRAPPERS if key in value] or list(value.values())
            yield from _inside(inner if len(inner) == 1 else [])
        case list() as items:
            yield from ((item, True) for item in items if isinstance(item, dict))
        case str() as text:
            yield from _inside([text])


def _inside(values: list[Any]) -> Iterator[tuple[dict[str, Any], bool]]:
    for value in values:
        if isinstance(value, dict):
            yield value, True
        elif isinstance(value, str):
            yield from ((item.value, True) for item in decoded(value) if isinstance(item.value, dict))


def _explained(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_context=False, include_input=False)[:FAULTS_SHOWN]
    return "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg'].lower()}" for fault in faults)
