"""Whether an event loop waits for what a thread does to the store.

Embedded Chroma keeps the interpreter to itself during a call, so that even a thread's call holds up the loop, and short calls
are slower in all.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_BESIDE: ContextVar[bool] = ContextVar("beside_event_loop", default=False)


def is_beside_event_loop() -> bool:
    """Whether calls had better be short."""
    return _BESIDE.get()


@contextmanager
def beside_event_loop() -> Iterator[None]:
    """Everything called in here is told of a waiting event loop."""
    token = _BESIDE.set(True)
    try:
        yield
    finally:
        _BESIDE.reset(token)
