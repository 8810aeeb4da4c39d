"""One namespace as ranking works on it, loaded when a search needs it and kept until a write changes it."""

from collections.abc import Sequence
from threading import RLock

import numpy as np

from langrecall.records import Episode, Session, Turn
from langrecall.stores.base import Signals
from langrecall.stores.collections import CollectionRows
from langrecall.stores.commits import GENERATION, KIND, Commit, Generation, generation, in_time_order
from langrecall.stores.corpus import Corpus
from langrecall.stores.encoder import EmbeddingModel
from langrecall.stores.rows import PARTS, Part, Row

_ASKED: dict[Signals, tuple[Part, ...]] = {"all": PARTS, "metadata": ("notes",), "raw": ("chunks",)}
_TRIES = 3

# A namespace of more chunks than fit in memory needs an index here in place of the corpus.


class Snapshots:
    """The corpora of a namespace, one for each choice of signals: what the signals leave out is never read."""

    def __init__(self, rows: CollectionRows) -> None:
        self._rows = rows
        self._lock = RLock()
        self._token: str | None = None
        self._model: EmbeddingModel | None = None
        self._corpora: dict[Signals, Corpus] = {}

    def get(self, signals: Signals) -> tuple[Corpus, EmbeddingModel | None]:
        """The corpus as it is visible now, and the embedding model it was made with."""
        with self._lock:
            now = generation(self._rows)
            token = now.token if now else None
            if token != self._token:
                self._corpora.clear()
            if signals not in self._corpora:
                token, self._corpora[signals] = self._settled(signals)
                self._model = self._rows.recorded()
            self._token = token
            return self._corpora[signals], self._model

    def _settled(self, signals: Signals) -> tuple[str | None, Corpus]:
        """Load anew while a writer takes rows away that a commit just read still names."""
        for _ in range(_TRIES):
            token, commits = self._commits()
            rows = {part: self._read(part, commits) for part in _ASKED[signals]}
            whole = [commit for commit in commits if _is_whole(commit, rows)]
            if len(whole) == len(commits):
                break
        return token, _corpus(whole, rows)

    def _commits(self) -> tuple[str | None, list[Commit]]:
        found = self._rows.find("notes", [KIND, GENERATION])
        token = next((Generation.of(row).token for row in found if row.id == GENERATION), None)
        return token, in_time_order(Commit.of(row) for row in found if row.id != GENERATION)

    def _read(self, part: Part, commits: Sequence[Commit]) -> dict[str, Row]:
        ids = [name for commit in commits for name in commit.ids(part)]
        return {row.id: row for row in self._rows.get(part, ids, vectors=True)}


def _is_whole(commit: Commit, rows: dict[Part, dict[str, Row]]) -> bool:
    return all(name in found for part, found in rows.items() for name in commit.ids(part))


def _corpus(commits: Sequence[Commit], rows: dict[Part, dict[str, Row]]) -> Corpus:
    sessions = [_session(commit, rows.get("chunks")) for commit in commits]
    entries = [rows["notes"][commit.notes[0]] for commit in commits if "notes" in rows and commit.notes]
    listed = [found[name] for part, found in rows.items() for commit in commits for name in commit.ids(part)]
    embedded = [(row.piece, row.vector) for row in listed if row.vector is not None]
    return Corpus.build(
        sessions,
        [Episode.model_validate_json(row.payload) for row in entries],
        [piece for piece, _ in embedded],
        np.stack([vector for _, vector in embedded]) if embedded else None,
    )


def _session(commit: Commit, chunks: dict[str, Row] | None) -> Session:
    if chunks is None:
        return commit.head
    return commit.session([Turn.model_validate_json(chunks[name].payload) for name in commit.carriers])
