"""How fast a history is ingested, against the embedding model alone on the texts that ingest embeds."""

from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from langrecall.evals.histories import Advance, ingest, silent
from langrecall.evals.speed.random_vectors import RandomBackend
from langrecall.evals.speed.synthetic import synthetic_sessions
from langrecall.evals.speed.timing import by_turns, median_share
from langrecall.records import Session
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.stores.chroma.places import Place
from langrecall.stores.encoding.encoder import Encoder

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


PATIENCE = 80.0
"""Seconds after which no further round begins: a busy machine gets fewer."""


class Portion(NamedTuple):
    """What one round ingests, and the texts of it that are embedded."""

    name: str
    sessions: list[Session]
    texts: list[str]


def ingest_speed(
    embeddings: "str | Embeddings | None", encoder: Encoder, *, turns: int, rounds: int, advance: Advance
) -> dict[str, Any]:
    """`ratio` is the encoder's time over ingest's on the same texts, the median of several rounds of `turns` turns.

    The encoder gets the texts of a round at once, sorted by length and without repeats, as ingest does wave by wave.
    """
    warm_up = portion("warm up", 1, seed=0)
    portions: list[Portion] = []
    with ChromaHistory.open(None, embeddings=embeddings) as memory:
        ingest(memory.at(warm_up.name), warm_up.sessions, advance=silent)
        encoder.encode(warm_up.texts)
        pairs = by_turns(
            _timely(turns, rounds, portions),
            ours=lambda part: ingest(memory.at(part.name), part.sessions, advance=advance),
            reference=lambda part: encoder.encode(part.texts),
        )
    return {
        "ratio": round(median_share(pairs), 3),
        "turns": turns,
        "texts": [len(part.texts) for part in portions],
        "seconds": [round(pair.ours, 3) for pair in pairs],
        "encoder_seconds": [round(pair.reference, 3) for pair in pairs],
    }


def _timely(turns: int, rounds: int, made: list[Portion]) -> Iterator[Portion]:
    """Rounds while there is time; each is kept in `made`."""
    started = perf_counter()
    for number in range(1, rounds + 1):
        made.append(portion(str(number), turns, seed=number))
        yield made[-1]
        if perf_counter() - started > PATIENCE:
            return


def portion(name: str, turns: int, *, seed: int) -> Portion:
    """A made-up history; a dry run with random vectors tells what is embedded of it."""
    sessions = list(synthetic_sessions(turns, seed=seed))
    recorder = RandomBackend(8, 0, seed=seed)
    with ChromaHistory(Place.parse(None), Encoder("dry run", lambda: recorder, dimension=8)) as memory:
        ingest(memory.at(name), sessions, advance=silent)
    return Portion(name, sessions, recorder.texts)
