"""Bodies written once and run both ways: an `async def` awaits its outside calls, and a driver says how they are made.

A node, tool or policy method that must work under `invoke` and `ainvoke` is a coroutine function. It asks for each outside call with
`hits = await call(history.search_turns, query, k=5)`: under `run` the call is made in place, under `arun` the method of the same
name with an `a` in front is awaited (`asearch_turns`, `ainvoke`), which is the convention of LangChain and of `HistoryStore`.
"""

from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_IN_PLACE: ContextVar[bool] = ContextVar("calls_in_place")


async def call(method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Make one outside call, the way the driver of this body makes them; LookupError without a driver."""
    if _IN_PLACE.get():
        return method(*args, **kwargs)
    owner = getattr(method, "__self__", None)
    result: T = await getattr(owner, f"a{method.__name__}")(*args, **kwargs)
    return result


def run(body: Coroutine[Any, Any, T]) -> T:
    """The body's result, each call made in place; RuntimeError where it awaits anything but calls."""
    before = _IN_PLACE.set(True)
    try:
        body.send(None)
    except StopIteration as stop:
        value: T = stop.value
        return value
    finally:
        _IN_PLACE.reset(before)
        body.close()
    msg = f"{getattr(body, '__qualname__', body)} waits for something that is not a call: make it one with langrecall.effects.call"
    raise RuntimeError(msg)


async def arun(body: Coroutine[Any, Any, T]) -> T:
    """The body's result, each call awaited."""
    _IN_PLACE.set(False)  # not reset: whatever else runs in this context has a driver of its own
    return await body
