"""The process that measures one library: a job as JSON on standard input, its figures as JSON on standard output.

The libraries write where they like, print, read `.env` files and report home; in a process of its own, with an environment and a
folder made for it, each can.
"""

import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any, NamedTuple

from typing_extensions import TypedDict

from langrecall.evals.histories import ingest, silent
from langrecall.evals.peers.adapters import PEERS, EncoderEmbeddings, GivenTurn
from langrecall.evals.speed.reference import load_model, reference_encoder
from langrecall.evals.speed.timing import by_turns, seconds
from langrecall.records import Session
from langrecall.rendering import turn_line
from langrecall.stores.chroma.history import ChromaHistory

OURS = "langrecall"


class PeerJob(TypedDict):
    """What a library is measured on; `tokens` is the budget that ours is told of, as its peers cannot be."""

    library: str
    sessions: list[dict[str, Any]]
    questions: list[str]
    embeddings: str
    tokens: int


class PeerFigures(TypedDict):
    """How long storing everything and each search took, and the turn ids that each search found, best first.

    `encode_seconds` is what encoding each question alone took right after: what was slow meanwhile was slow for both.
    """

    put_seconds: float
    search_seconds: list[float]
    encode_seconds: list[float]
    found: list[list[str]]


class Measured(NamedTuple):
    """A library made ready: its two calls."""

    put: Callable[[], None]
    search: Callable[[str], list[str]]


def measure(job: PeerJob) -> PeerFigures:
    """Store all turns, then ask each question once; the model is loaded before the clock runs."""
    reference = reference_encoder(job["embeddings"])
    load_model(reference)
    library = ready(job)
    put_seconds = seconds(library.put)
    found: dict[str, list[str]] = {}
    pairs = by_turns(
        job["questions"],
        ours=lambda question: found.update({question: library.search(question)}),
        reference=lambda question: reference.queries([question]),
    )
    return PeerFigures(
        put_seconds=round(put_seconds, 3),
        search_seconds=[pair.ours for pair in pairs],
        encode_seconds=[pair.reference for pair in pairs],
        found=[found[question] for question in job["questions"]],
    )


def ready(job: PeerJob) -> Measured:
    """Make the library of the job."""
    sessions = [Session.model_validate(session) for session in job["sessions"]]
    if job["library"] == OURS:
        return _ours(job, sessions)
    encoder = reference_encoder(job["embeddings"])
    load_model(encoder)
    peer = PEERS[job["library"]](EncoderEmbeddings(encoder))
    lines = [GivenTurn(turn.id, turn_line(turn, grounded=False)) for session in sessions for turn in session.turns]
    return Measured(lambda: peer.put(lines), peer.search)


def _ours(job: PeerJob, sessions: list[Session]) -> Measured:
    memory = ChromaHistory.open("memory", embeddings=job["embeddings"])
    ingest(memory.at("wake up"), sessions[:1], advance=silent)
    history = memory.at("bench")
    return Measured(
        lambda: ingest(history, sessions, advance=silent),
        lambda question: [hit.id for hit in history.search_turns(question, tokens=job["tokens"])],
    )


def main() -> None:
    """Do the job."""
    job: PeerJob = json.load(sys.stdin)
    with redirect_stdout(sys.stderr):
        figures = measure(job)
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
