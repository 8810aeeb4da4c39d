"""How long one retrieval takes, against the least a dense one could: encoding the query, and an exact dot product."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from langrecall.evals.histories import Advance, put_extractive
from langrecall.evals.speed.random_vectors import random_encoder
from langrecall.evals.speed.timing import by_turns, percentiles, ratio_at
from langrecall.records import Session
from langrecall.stores.base import HistoryStore, Search
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.stores.chroma.places import Place
from langrecall.stores.encoding.blas import one_thread
from langrecall.stores.encoding.encoder import Encoder

TOKENS = 1000
"""What the measured searches may show."""
_WARM_UP = 5  # questions
_SEED = 11


class MadeHistory(NamedTuple):
    """A history that was written to a folder to be searched there."""

    folder: Path
    namespace: str
    turns: int


def write_random(made: MadeHistory, sessions: Iterable[Session], encoder: Encoder, *, advance: Advance) -> None:
    """Store sessions under random vectors in the model's name: encoding them would take most of the time and change nothing measured."""
    with ChromaHistory(Place.parse(made.folder), random_encoder(encoder, seed=_SEED)) as memory:
        put_extractive(memory.at(made.namespace), sessions, advance=advance)


def retrieval_speed(
    history: HistoryStore, encoder: Encoder, questions: Sequence[str], *, turns: int, advance: Advance
) -> dict[str, Any]:
    """Each question is new to both sides, and each is searched for once; `encoder` is not the history's own, which remembers."""
    matrix = np.random.default_rng(_SEED).standard_normal((turns, encoder.dimension), dtype=np.float32)

    def search(question: str) -> None:
        history.search_turns(Search(question, tokens=TOKENS))
        advance(1)

    def encode_and_compare(question: str) -> None:
        vector = encoder.queries([question])[0]
        with one_thread():  # more would slow down whatever is encoded next
            matrix @ vector

    pairs = by_turns(questions, ours=search, reference=encode_and_compare)
    measured = pairs[_WARM_UP:]
    return {
        "p50_ratio": round(ratio_at(measured, 0.5), 3),
        "p95_ratio": round(ratio_at(measured, 0.95), 3),
        **percentiles(measured),
        "turns": turns,
        "queries": len(measured),
        "tokens": TOKENS,
        "vectors": "random",
    }
