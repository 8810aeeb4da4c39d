"""Products on one thread, whoever asks for it and however many."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from langrecall.stores.encoding.blas import one_thread

PATIENCE = 10.0


def threads() -> set[int]:
    """Those of numpy's own library: other packages bring theirs, which a test before may have loaded since."""
    loaded = (each for each in threadpool_info() if each["user_api"] == "blas")
    return {each["num_threads"] for each in loaded if "numpy" in each["filepath"]}


@pytest.fixture(autouse=True)
def before() -> set[int]:
    found = threads()
    if found in (set(), {1}):
        pytest.skip("this machine's numpy multiplies on one thread as it is")
    return found


def test_it_holds_within_and_not_after(before: set[int]) -> None:
    with one_thread():
        assert threads() == {1}
    assert threads() == before


def test_it_ends_with_an_error_too(before: set[int]) -> None:
    with pytest.raises(RuntimeError), one_thread():
        raise RuntimeError
    assert threads() == before


def test_threads_take_turns(before: set[int]) -> None:
    def hold() -> set[int]:
        with one_thread():
            return threads()

    assert hold() == {1}
    with ThreadPoolExecutor(1) as other:
        assert other.submit(hold).result() == {1}
        assert hold() == {1}
        assert other.submit(hold).result() == {1}
    assert threads() == before


def test_threads_that_overlap_leave_all_as_it_was(before: set[int]) -> None:
    inside, outside = Barrier(2, timeout=PATIENCE), Barrier(2, timeout=PATIENCE)

    def second() -> None:
        inside.wait()
        with one_thread():
            outside.wait()

    with ThreadPoolExecutor(1) as other:
        with one_thread():
            done = other.submit(second)
            inside.wait()
            outside.wait()
        done.result()
    assert threads() == before


def test_a_limit_that_the_program_set_stays() -> None:
    with threadpool_limits(limits=1, user_api="blas"):
        with one_thread():
            assert threads() == {1}
        assert threads() == {1}
