"""One body runs sync and async, and says so where it cannot."""

import asyncio
from inspect import iscoroutinefunction, signature
from threading import get_ident

import pytest

from langrecall.effects import arun, both_ways, call, is_beside_event_loop, run, twin


class Adder:
    def __init__(self) -> None:
        self.calls: list[str] = []

    def add(self, one: int, *, other: int) -> int:
        self.calls.append("add")
        return one + other

    async def aadd(self, one: int, *, other: int) -> int:
        self.calls.append("aadd")
        return one + other

    def fail(self) -> int:
        raise KeyError("gone")

    async def afail(self) -> int:
        raise KeyError("gone")


async def total(adder: Adder) -> int:
    first = await call(adder.add, 1, other=2)
    return await call(adder.add, first, other=10)


async def recovered(adder: Adder) -> str:
    try:
        await call(adder.fail)
    except KeyError:
        return "recovered"
    return "went on"


def test_run_makes_calls_in_place() -> None:
    adder = Adder()
    assert run(total(adder)) == 13
    assert adder.calls == ["add", "add"]


async def test_arun_awaits_the_method_with_an_a_in_front() -> None:
    adder = Adder()
    assert await arun(total(adder)) == 13
    assert adder.calls == ["aadd", "aadd"]


async def test_a_body_catches_the_errors_of_its_calls() -> None:
    assert run(recovered(Adder())) == "recovered"
    assert await arun(recovered(Adder())) == "recovered"


async def test_other_errors_leave_the_driver() -> None:
    async def body(adder: Adder) -> int:
        return await call(adder.fail)

    with pytest.raises(KeyError):
        run(body(Adder()))
    with pytest.raises(KeyError):
        await arun(body(Adder()))


def test_a_body_that_waits_for_anything_else_is_named_when_it_cannot_run_in_place() -> None:
    async def sleeper() -> None:
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match=r"sleeper waits for something that is not a call"):
        run(sleeper())


def test_a_forgotten_await_warns() -> None:
    async def forgetful(adder: Adder) -> None:
        call(adder.fail)  # type: ignore[unused-coroutine]

    with pytest.warns(RuntimeWarning, match="never awaited"):
        run(forgetful(Adder()))


async def test_an_event_loop_started_within_a_call_is_not_blocked() -> None:
    adder = Adder()

    class Nested:
        def start(self) -> int:
            return asyncio.run(arun(total(adder)))

        async def astart(self) -> int:
            return await arun(total(adder))

    async def body() -> int:
        return await call(Nested().start)

    assert await asyncio.to_thread(lambda: run(body())) == 13
    assert await arun(body()) == 13
    assert adder.calls == ["aadd", "aadd"] * 2


async def test_a_cancelled_body_cleans_up() -> None:
    seen: list[str] = []

    class Sleeper:
        def sleep(self) -> None: ...

        async def asleep(self) -> None:
            seen.append("asleep")
            await asyncio.sleep(60)

    async def body() -> None:
        try:
            await call(Sleeper().sleep)
        finally:
            seen.append("cleaned up")

    task = asyncio.create_task(arun(body()))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == ["asleep", "cleaned up"]


class Shelf:
    """One method that blocks, in two forms that differ in where it runs."""

    def found(self, name: str, *, times: int = 1) -> tuple[str, int, bool]:
        """Where it ran."""
        return name * times, get_ident(), is_beside_event_loop()

    afound = twin(found)

    def at_once(self) -> int:
        return get_ident()

    aat_once = twin(at_once, threaded=False)


class Labelled(Shelf):
    def found(self, name: str, *, times: int = 1) -> tuple[str, int, bool]:
        said, thread, beside = super().found(name, times=times)
        return f"<{said}>", thread, beside


async def test_a_twin_runs_in_a_thread_that_knows_of_the_loop() -> None:
    said, thread, beside = await Shelf().afound("a", times=2)
    assert (said, beside) == ("aa", True)
    assert thread != get_ident()
    assert not is_beside_event_loop()
    assert Shelf().found("a") == ("a", get_ident(), False)


async def test_a_twin_may_run_at_once() -> None:
    assert await Shelf().aat_once() == get_ident()


async def test_a_twin_calls_what_a_subclass_made_of_the_method() -> None:
    assert (await Labelled().afound("a"))[0] == "<a>"


def test_a_twin_looks_like_its_method() -> None:
    assert iscoroutinefunction(Shelf().afound)
    assert (Shelf.afound.__name__, Shelf.afound.__doc__) == ("afound", "Where it ran.")
    assert signature(Shelf().afound) == signature(Shelf().found)


async def test_a_twin_raises_what_its_method_raises() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'time'"):
        await Shelf().afound("a", time=2)  # type: ignore[call-arg]


async def test_a_body_under_arun_awaits_the_twin() -> None:
    async def body(shelf: Shelf) -> int:
        return (await call(shelf.found, "a"))[1]

    assert await arun(body(Shelf())) != get_ident()
    assert run(body(Shelf())) == get_ident()


class Totals:
    def __init__(self) -> None:
        self.adder = Adder()

    async def _total(self, one: int, *, other: int = 0) -> int:
        """The sum."""
        return await call(self.adder.add, one, other=other)

    total, atotal = both_ways(_total)


async def test_a_body_makes_a_method_and_its_async_form() -> None:
    totals = Totals()
    assert totals.total(1, other=2) == await totals.atotal(1, other=2) == 3
    assert totals.adder.calls == ["add", "aadd"]
    assert (Totals.total.__name__, Totals.atotal.__name__, Totals.total.__doc__) == ("total", "atotal", "The sum.")
    assert signature(totals.total) == signature(totals.atotal)


async def test_such_methods_can_be_called_from_a_body() -> None:
    async def body(totals: Totals) -> int:
        return await call(totals.total, 1)

    totals = Totals()
    assert run(body(totals)) == await arun(body(totals)) == 1
    assert totals.adder.calls == ["add", "aadd"]
