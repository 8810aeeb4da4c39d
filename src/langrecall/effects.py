"""What is written once and called both ways: bodies, and methods with an async form.

A node, tool or policy method that must work under `invoke` and `ainvoke` is a coroutine function, the body. It asks for each outside
call with `turns = await call(history.turns, ids)`, and a driver says how it is made: under `run` in place, under `arun` the method of
the same name with an `a` in front is awaited (`aturns`, `ainvoke`), which is the convention of LangChain and of `HistoryStore`.
`both_ways` makes both of a body, and `twin` makes the second of a method that awaits nothing.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")

_IN_PLACE: ContextVar[bool] = ContextVar("calls_in_place")
_BESIDE: ContextVar[bool] = ContextVar("beside_event_loop", default=False)


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


def both_ways(
    body: Callable[P, Coroutine[Any, Any, T]],
) -> tuple[Callable[P, T], Callable[P, Coroutine[Any, Any, T]]]:
    """The sync and the async form of a body, named after it.

    `reason, areason = both_ways(_reason)` in a class, or of any coroutine function.
    """

    @wraps(body)
    def form(*args: P.args, **kwargs: P.kwargs) -> T:
        return run(body(*args, **kwargs))

    @wraps(body)
    async def aform(*args: P.args, **kwargs: P.kwargs) -> T:
        return await arun(body(*args, **kwargs))

    form.__name__ = body.__name__.removeprefix("_")
    aform.__name__ = f"a{form.__name__}"
    return form, aform


def twin(
    method: Callable[Concatenate[S, P], T], *, threaded: bool = True
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """The async form of a method: the same call in a thread, so that the event loop never waits for it, or at once.

    `aput = twin(put)` in a class. A subclass that overrides `put` has changed `aput` too.
    """

    @wraps(method)
    async def form(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        bound: Callable[P, T] = getattr(self, method.__name__)
        work = partial(bound, *args, **kwargs)
        return await asyncio.to_thread(_beside_loop, work) if threaded else work()

    form.__name__ = f"a{method.__name__}"
    return form


def is_beside_event_loop() -> bool:
    """Whether an event loop waits for what this thread does, so that it had better let go of the interpreter often."""
    return _BESIDE.get()


def _beside_loop(work: Callable[[], T]) -> T:
    _BESIDE.set(True)  # in the thread's own copy of the context
    return work()
