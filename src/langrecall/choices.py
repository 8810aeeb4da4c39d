"""Choices made by hand, told from what was left at its default, and refused in one line a fault."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, ValidationError, model_validator

from langrecall.errors import SettingsError


class Choices(BaseModel):
    """A frozen set of choices that knows which of them were made by hand."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _in_one_line(cls, values: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:  # noqa: ANN401 - any input
        try:
            return handler(values)
        except ValidationError as error:
            raise SettingsError("; ".join(_fault(fault, list(cls.model_fields)) for fault in error.errors())) from None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Build from plain values; raises `SettingsError` with one line a fault, as the class itself does."""
        return cls(**values)

    def chosen(self) -> dict[str, Any]:
        """Only what was set by hand."""
        return self.model_dump(include=set(self.model_fields_set))

    @classmethod
    def from_context(cls, context: object) -> dict[str, Any]:
        """What LangGraph hands over, as choices: this class, a mapping, nothing, or a parent graph's own context object.

        Of a foreign object only its `namespace` is read, where it has one.
        """
        match context:
            case None:
                return {}
            case cls():
                return context.chosen()
            case Mapping():
                return cls.of(context).chosen()
            case _:
                namespace = getattr(context, "namespace", None)
                return {} if namespace is None else cls.of({"namespace": namespace}).chosen()


def _fault(error: Mapping[str, Any], known: Sequence[str]) -> str:
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        near = get_close_matches(name, known, n=1)
        mend = f"did you mean {near[0]!r}? " if near else ""
        return f"unknown setting {name!r}: {mend}the settings are {', '.join(known)}"
    return f"setting {name!r} is {error['input']!r}: {error['msg'].lower()}"
