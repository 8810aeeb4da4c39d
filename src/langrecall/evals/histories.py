"""Store histories for an evaluation, with the metadata entries that it is to rank by."""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Literal

from langrecall.errors import InputError
from langrecall.graphs.ingest import create_ingest_graph
from langrecall.ingest_state import IngestInput
from langrecall.loaders.benchmark import Benchmark
from langrecall.loaders.loaded import LoadedHistory
from langrecall.policies.extractive.describe import describe_session
from langrecall.records import Episode, Session
from langrecall.stores.base import HistoryStore

Facts = Literal["extractive", "given"]
"""Entries made without a model, or a LoCoMo file's own observations as if a model had written them."""
Advance = Callable[[int], None]
"""Told how many more units of work are done."""

_WAVE = 32  # sessions, as many as the ingest graph stores together


def silent(count: int) -> None:
    """An `Advance` that nobody watches."""


def put_history(
    history: HistoryStore, loaded: LoadedHistory, benchmark: Benchmark, *, facts: Facts, advance: Advance
) -> None:
    """Store one history of a benchmark, telling `advance` of each session."""
    if facts == "extractive":
        ingest(history, loaded.sessions, advance=advance)
    else:
        given = benchmark.given[loaded.name or ""]
        put(history, loaded.sessions, lambda session: given[session.session_id], describer="given", advance=advance)


def ingest(history: HistoryStore, sessions: Iterable[Session], *, advance: Advance) -> None:
    """Run the ingest graph without a model."""
    given = IngestInput(sessions=[session.model_dump(mode="json") for session in sessions])
    for event in create_ingest_graph(history).stream(given, stream_mode="custom"):
        if event["node"] == "commit":
            advance(len(event["session_ids"]))


def put(
    history: HistoryStore,
    sessions: Iterable[Session],
    describe: Callable[[Session], Episode],
    *,
    describer: str,
    advance: Advance,
) -> None:
    """Store sessions as they come, each with the entry that `describe` makes of it."""
    coming = iter(sessions)
    while wave := list(islice(coming, _WAVE)):
        episodes = {session.session_id: describe(session) for session in wave}
        history.put(wave, episodes, describer=describer, form="wiki")
        advance(len(wave))


def put_extractive(history: HistoryStore, sessions: Iterable[Session], *, advance: Advance) -> None:
    """Store sessions as the ingest graph would, without holding them all."""
    put(history, sessions, lambda session: describe_session(session, "wiki"), describer="extractive", advance=advance)


def check_given(benchmark: Benchmark, name: str) -> None:
    """Raise `InputError` where a file brings no observations to be taken as facts."""
    entries = [episode for by_session in benchmark.given.values() for episode in by_session.values()]
    if not any(episode.facts for episode in entries):
        msg = f'{name}: no observations to take as facts; give a LoCoMo file with "observation", or --facts extractive'
        raise InputError(msg)
