"""Bodies written once and run both ways: a generator yields its outside calls, a driver makes them.

A node, tool or policy method that must work under `invoke` and `ainvoke` is a generator. It asks for each outside call with
`result = yield from call(history.search_turns, query, k=5)`; `run` makes the call as it is, `arun` awaits the method of the same
name with an `a` in front (`asearch_turns`, `ainvoke`), which is the convention of LangChain and of `HistoryStore`.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
E = TypeVar("E", bound=Exception)


@dataclass(frozen=True)
class Call:
    """An outside call that has been asked for and not yet made; errors of the `catching` types come back as its result."""

    method: Callable[..., Any]
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    catching: tuple[type[Exception], ...] = ()

    def run(self) -> Any:  # noqa: ANN401 - the type is restored by `call`
        """Make the call."""
        try:
            return self.method(*self.args, **self.kwargs)
        except self.catching as error:
            return error

    async def arun(self) -> Any:  # noqa: ANN401 - the type is restored by `call`
        """Make the call through the async method of the same name."""
        owner = getattr(self.method, "__self__", None)
        twin = getattr(owner, f"a{self.method.__name__}")
        try:
            return await twin(*self.args, **self.kwargs)
        except self.catching as error:
            return error


Effects = Generator[Call, Any, T]


def call(method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Effects[T]:
    """Ask for one outside call."""
    result: T = yield Call(method, args, kwargs)
    return result


def attempt(catching: tuple[type[E], ...], method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Effects[T | E]:
    """Ask for one outside call whose errors of the `catching` types are returned, not raised."""
    result: T | E = yield Call(method, args, kwargs, catching)
    return result


def run(effects: Effects[T]) -> T:
    """Drive `effects` to its result, making each call in place."""
    result: Any = None
    while True:
        try:
            wanted = effects.send(result)
        except StopIteration as stop:
            value: T = stop.value
            return value
        result = wanted.run()


async def arun(effects: Effects[T]) -> T:
    """Drive `effects` to its result, awaiting each call."""
    result: Any = None
    while True:
        try:
            wanted = effects.send(result)
        except StopIteration as stop:
            value: T = stop.value
            return value
        result = await wanted.arun()
