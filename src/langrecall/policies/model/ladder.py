"""The ladder of ways to ask for structured output, from the strictest down to plain text."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

from langrecall.policies.model.wire import Shape

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.runnables import Runnable

Rung = Literal["json_schema", "tools", "json_mode", "plain"]
RUNGS: tuple[Rung, ...] = get_args(Rung)


@dataclass(frozen=True)
class Asking:
    """What to invoke, and with which arguments besides the messages."""

    runnable: "Runnable[Any, AIMessage]"
    arguments: Mapping[str, Any]


def below(rung: Rung) -> Rung | None:
    """The next rung down; None under the lowest."""
    return dict(pairwise(RUNGS)).get(rung)


def asking(model: "BaseChatModel", rung: Rung, shape: Shape[Any] | None) -> Asking:
    """How `rung` asks for `shape`; raises `NotImplementedError` where a model class has no tools."""
    if shape is None or rung == "plain":
        return Asking(model, {})
    if rung == "tools":
        return Asking(model.bind_tools([shape.tool], tool_choice=shape.name), {})
    schema = {"name": shape.name, "strict": True, "schema": dict(shape.schema)}
    form = {"type": "json_schema", "json_schema": schema} if rung == "json_schema" else {"type": "json_object"}
    return Asking(model, {"response_format": form})
