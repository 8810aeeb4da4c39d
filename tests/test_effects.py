"""One generator body runs sync and async, and only caught errors come back as values."""

import pytest

from langrecall.effects import Effects, arun, attempt, call, run


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


def total(adder: Adder) -> Effects[int]:
    first = yield from call(adder.add, 1, other=2)
    second = yield from call(adder.add, first, other=10)
    return second


def recovered(adder: Adder) -> Effects[str]:
    result = yield from attempt((KeyError,), adder.fail)
    return "recovered" if isinstance(result, KeyError) else "went on"


def test_run_makes_calls_in_place() -> None:
    adder = Adder()
    assert run(total(adder)) == 13
    assert adder.calls == ["add", "add"]


async def test_arun_awaits_the_method_with_an_a_in_front() -> None:
    adder = Adder()
    assert await arun(total(adder)) == 13
    assert adder.calls == ["aadd", "aadd"]


async def test_attempt_returns_the_named_errors() -> None:
    assert run(recovered(Adder())) == "recovered"
    assert await arun(recovered(Adder())) == "recovered"


async def test_other_errors_leave_the_driver() -> None:
    def body(adder: Adder) -> Effects[int]:
        return (yield from attempt((ValueError,), adder.fail))  # type: ignore[return-value]

    with pytest.raises(KeyError):
        run(body(Adder()))
    with pytest.raises(KeyError):
        await arun(body(Adder()))
