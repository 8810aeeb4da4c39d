"""From what a model said to a validated object, or to the reason why there is none."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from langrecall.policies.model.said import Said
from langrecall.policies.model.thoughts import without_thoughts
from langrecall.policies.model.wire import Shape

M = TypeVar("M", bound=BaseModel)

OPENING = re.compile(r"[{\[]")
_MARK = re.compile(r'\\.|["{}\[\]]', re.DOTALL)
SIGN = re.compile("[\"'\u201c\u201d`{}()\\[\\]]")
_WRAPPERS = ("arguments", "parameters")
_FAULTS_SHOWN = 3
_DEEPEST = 32
"""Brackets within brackets that are looked into; the forms of reply have four, and a wrapper or two."""
_UNCLOSED_TRIED = 8
"""Brackets that never close after which the rest of a reply is given up: one that repeats itself has hundreds."""
_MOST_REPAIR = 12_000_000
"""Characters times quotation marks and brackets that are repaired in a reply: the repair may look to the end from each of them."""


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


class Candidate(NamedTuple):
    """A decoded value of a reply; `closed` unless it runs to the end of the text and had to be completed."""

    value: Any
    repaired: bool
    closed: bool = True


def parse(said: Said, shape: Shape[M]) -> Parsed[M] | Unreadable:
    """Take the first complete object that validates, of the tool arguments and then of the text."""
    faults: list[str] = []
    for candidate in chain(_arguments(said), decoded(said.text)):
        for value, repaired in _objects(candidate) if candidate.closed or not said.cut else ():
            if _is_deeper(value, _DEEPEST):
                faults.append("it has too many brackets within brackets")
                continue
            try:
                return Parsed(shape.read(value), repaired=repaired)
            except ValidationError as error:
                faults.append(_explained(error))
    if said.cut:
        return Unreadable("it was cut off because it is too long")
    text = without_thoughts(said.text)
    nothing = "it holds no JSON object" if text else "it is empty"
    return Unreadable(faults[0] if faults else nothing, prose=bool(text) and "{" not in text)


def decoded(text: str) -> Iterator[Candidate]:
    """Each JSON value of a text in order, whatever stands around it; a whole text that is one is taken as it is."""
    try:
        yield Candidate(_strict(text), repaired=False)
    except (ValueError, RecursionError):
        yield from _segments(without_thoughts(text))


def _segments(text: str) -> Iterator[Candidate]:
    """Bracketed stretches, outermost first; one that never closes is tried to the end of the text, then what stands in it."""
    start = unclosed = repair = 0
    while unclosed < _UNCLOSED_TRIED and (opening := OPENING.search(text, start)):
        end, depth = _extent(text, opening.start())
        stretch = text[opening.start() : end]
        repair += len(stretch) * len(SIGN.findall(stretch))
        if depth <= _DEEPEST:
            yield from _lenient(stretch, closed=end is not None, repair=repair <= _MOST_REPAIR)
        unclosed += end is None
        start = end or opening.end()


def _extent(text: str, begin: int) -> tuple[int | None, int]:
    """Where the bracket at `begin` closes, None if it does not, and how deep it nests; brackets within double quotes apart."""
    depth = deepest = 0
    quoted = False
    for mark in _MARK.finditer(text, begin):
        if mark[0] == '"':
            quoted = not quoted
        elif not quoted and mark[0][-1] in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif not quoted and mark[0][-1] in "}]":
            depth -= 1
        if depth == 0:
            return mark.end(), deepest
    return None, deepest


def _lenient(stretch: str, *, closed: bool, repair: bool) -> Iterator[Candidate]:
    """The value of a stretch, repaired if need be; none where even that fails, which it does on nested nonsense."""
    try:
        yield Candidate(_strict(stretch), repaired=False, closed=closed)
    except (ValueError, RecursionError):
        with suppress(ValueError, RecursionError):
            if repair:
                yield Candidate(json_repair.loads(stretch, skip_json_loads=True), repaired=True, closed=closed)


def _strict(text: str) -> object:
    return json.loads(text, strict=False, parse_int=_integer)


def _integer(digits: str) -> int | str:
    """A whole number, or its digits where Python counts them as too many."""
    try:
        return int(digits)
    except ValueError:
        return digits


def _is_deeper(value: object, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels < 0 or any(_is_deeper(each, levels - 1) for each in inner)


def _arguments(said: Said) -> Iterator[Candidate]:
    for given in said.arguments:
        if isinstance(given, str):
            yield from decoded(given)
        elif given:
            yield Candidate(given, repaired=False)


def _objects(candidate: Candidate) -> Iterator[tuple[dict[str, Any], bool]]:
    """The object, then what it may be wrapped around: a tool call's arguments, a class name, a list, a string of JSON."""
    match candidate.value:
        case dict() as value:
            yield value, candidate.repaired
            inner = [value[key] for key in _WRAPPERS if key in value] or list(value.values())
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
    faults = error.errors(include_url=False, include_context=False, include_input=False)[:_FAULTS_SHOWN]
    return "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg'].lower()}" for fault in faults)
