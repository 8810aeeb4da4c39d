"""How long an event loop stands still while the store is used from it."""

import asyncio
import gc
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from langrecall.evals.speed.random_vectors import RandomBackend
from langrecall.evals.speed.synthetic import synthetic_questions, synthetic_sessions
from langrecall.evals.speed.timing import milliseconds
from langrecall.policies.extractive.describe import describe_session
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.stores.chroma.places import Place
from langrecall.stores.encoding.encoder import Encoder

_BEAT = 0.002  # seconds
_DIMENSION, _TOKEN_WIDTH = 384, 64  # as of the built-in model
_HOW = {"describer": "extractive", "form": "wiki"}


def loop_pauses(*, turns: int) -> dict[str, Any]:
    """The longest pause of each kind of call on a folder, in milliseconds, and the longest of all but `clear`.

    The embedder is instant, and the garbage collector is off: a full garbage collection pauses the process for as long as it
    takes to look at all that it holds, whichever library allocates.
    """
    with TemporaryDirectory(prefix="langrecall-bench-") as place, _no_garbage_collector():
        pauses = asyncio.run(_pauses(Path(place) / "memory", turns))
    return {"longest_ms": max(pauses[name] for name in pauses if name != "clear"), "turns": turns, "pauses_ms": pauses}


async def _pauses(folder: Path, turns: int) -> dict[str, float]:
    sessions = list(synthetic_sessions(turns, seed=1))
    entries = {session.session_id: describe_session(session, "wiki") for session in sessions}
    (question,) = synthetic_questions(1, seed=1)
    backend = RandomBackend(_DIMENSION, _TOKEN_WIDTH, seed=1)
    encoder = Encoder("random", lambda: backend, dimension=_DIMENSION)
    with ChromaHistory(Place.parse(folder), encoder) as memory:
        history = memory.at("paused")
        return {
            "open": await _longest_pause(history.aput(sessions[:1], entries, **_HOW)),
            "put": await _longest_pause(history.aput(sessions, entries, **_HOW)),
            "first_search": await _longest_pause(history.asearch_turns(question)),
            "search": await _longest_pause(history.asearch_turns(question)),
            "session": await _longest_pause(history.asession(sessions[0].session_id)),
            "delete": await _longest_pause(history.adelete(sessions[0].session_id)),
            "clear": await _longest_pause(history.aclear()),
        }


async def _longest_pause(work: Awaitable[object]) -> float:
    late: list[float] = []

    async def beat() -> None:
        while True:
            due = perf_counter() + _BEAT
            await asyncio.sleep(_BEAT)
            late.append(perf_counter() - due)

    heart = asyncio.create_task(beat())
    await asyncio.sleep(2 * _BEAT)
    await work
    await asyncio.sleep(2 * _BEAT)
    heart.cancel()
    return milliseconds(max(late))


@contextmanager
def _no_garbage_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
