"""What langrecall promises, made from the `__all__` of its faces: each name, how it is called, and what it is for."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from pydantic import BaseModel

FACES = (
    "langrecall",
    "langrecall.errors",
    "langrecall.loaders",
    "langrecall.tools",
    "langrecall.data",
    "langrecall.evals",
    "langrecall.testing",
)
"""The modules whose names do not change without notice; whatever else can be imported may."""

_LONGEST_DEFAULT = 30
"""Characters of a default that is shown."""
_MOST_FIELDS = 12
"""A record of more has a page of its own: docs/settings.md."""
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_QUALIFIED = re.compile(r"\b(?:[a-z_]+\.)+(?=\w)")


def promised() -> str:
    """A section for each face."""
    return "\n\n".join(map(_section, map(import_module, FACES)))


def _section(face: ModuleType) -> str:
    parts = [_entry(name, getattr(face, name)) for name in sorted(face.__all__, key=str.lower)]
    return "\n\n".join([f"## `{face.__name__}`", _first_line(face), *parts])


def _entry(name: str, value: Any) -> str:  # noqa: ANN401 - a function, a class or a type
    if inspect.isfunction(value):
        return f"**`{name}{_signature(value)}`**  \n{_first_line(value)}"
    if not inspect.isclass(value):
        return f"**`{name}`** is `{_QUALIFIED.sub('', str(value))}`."
    return "\n\n".join(filter(None, [f"**`{name}`**  \n{_first_line(value)}", "\n".join(_members(value))]))


def _members(kind: type) -> Iterator[str]:
    """Fields of a record, then what its class and those of ours above it can do, a line each."""
    for name, annotation in _fields(kind).items():
        yield f"- `{name}: {annotation}`"
    names = dict.fromkeys(name for each in kind.__mro__ if _is_ours(each) for name in vars(each))
    for name in (name for name in names if not (name.startswith("a") and name[1:] in names)):
        member = inspect.getattr_static(kind, name)
        function = getattr(member, "__func__", None) or getattr(member, "fget", None) or member
        if name.startswith("_") or not inspect.isfunction(function) or not function.__doc__:
            continue
        called = "" if isinstance(member, property) else _signature(function)
        yield f"- `.{name}{called}`: {_first_line(function)}"


def _fields(kind: type) -> dict[str, str]:
    if not issubclass(kind, BaseModel):
        held = vars(kind).get("__annotations__", {}) if issubclass(kind, tuple | dict) or is_dataclass(kind) else {}
        return {name: _written(annotation) for name, annotation in held.items()}
    return (
        {}
        if len(kind.model_fields) > _MOST_FIELDS
        else {n: _written(f.annotation) for n, f in kind.model_fields.items()}
    )


def _is_ours(kind: type) -> bool:
    return kind.__module__.startswith("langrecall")


def _signature(function: Any) -> str:  # noqa: ANN401 - anything callable
    """How it is called, without what Python passes itself; types are left to the docstring and the editor."""
    parameters = [
        each.replace(
            annotation=inspect.Parameter.empty, default=_Ellipsis() if _is_long(each.default) else each.default
        )
        for each in inspect.signature(function).parameters.values()
        if each.name not in ("self", "cls")
    ]
    return _ADDRESS.sub("", str(inspect.Signature(parameters)))


class _Ellipsis:
    """Stands for a default that is too long to be shown."""

    def __repr__(self) -> str:
        return "..."


def _is_long(default: object) -> bool:
    return isinstance(default, str) and len(default) > _LONGEST_DEFAULT


def _written(annotation: object) -> str:
    named = getattr(annotation, "__forward_arg__", None) or (
        annotation.__name__ if isinstance(annotation, type) else annotation
    )
    return _QUALIFIED.sub("", str(named)).replace("typing.", "")


def _first_line(documented: object) -> str:
    return (inspect.getdoc(documented) or "").split("\n\n")[0].replace("\n", " ")
