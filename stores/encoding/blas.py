"""numpy's matrix products on the calling thread alone.

OpenBLAS keeps its threads spinning for some 20 ms after a product, on the cores that torch's need for the next text: with both at
work on two cores, encoding takes half as long again, which no product of ours is large enough to be worth.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock

import numpy  # noqa: F401 - the library that is limited is loaded with it
from threadpoolctl import OpenBLASController, ThreadpoolController

_held = Lock()


@contextmanager
def one_thread() -> Iterator[None]:
    """Within it BLAS uses one thread, in the whole process; where another thread is within it, that one decides how long."""
    if not _held.acquire(blocking=False):
        yield
        return
    try:
        with _blas().limit(limits=1):
            yield
    finally:
        # OpenBLAS obeys the first thread that ever set a limit, until that one lets go.
        OpenBLASController.clear_controlling_thread()
        _held.release()


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")
