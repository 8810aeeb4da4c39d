"""From the body of an action to the LangChain tool of an agent with its own loop."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec

from langchain_core.tools import BaseTool, StructuredTool, ToolException

from langrecall.effects import both_ways
from langrecall.errors import UnknownIdError

P = ParamSpec("P")

_CORRIGIBLE = (UnknownIdError, ValueError)
"""Faults of an argument, which the model is told of and can mend; all others end the agent's run."""


def make_tool(body: Callable[P, Coroutine[Any, Any, str]]) -> BaseTool:
    """A tool by the name, the arguments and the docstring of `body`, which is what a model sees of it."""

    @wraps(body)
    async def corrigible(*args: P.args, **kwargs: P.kwargs) -> str:
        try:
            return await body(*args, **kwargs)
        except _CORRIGIBLE as error:
            raise ToolException(str(error)) from None

    act, aact = both_ways(corrigible)
    return StructuredTool.from_function(act, coroutine=aact, handle_tool_error=True)
