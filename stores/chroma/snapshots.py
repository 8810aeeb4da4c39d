"""One namespace as ranking works on it, loaded when a search needs it and brought up to date when a write has changed it."""

from collections.abc import Mapping, Sequence
from threading import RLock
from typing import NamedTuple, Self

import numpy as np

from langrecall.records import Episode, Session, Turn
from langrecall.stores.base import Signals
from langrecall.stores.chroma.collections import CollectionRows
from langrecall.stores.chroma.commits import Commit, all_commits, generation
from langrecall.stores.chroma.rows import PARTS, Part, Row
from langrecall.stores.encoding.encoder import EmbeddingModel, Floats
from langrecall.stores.encoding.pieces import Piece
from langrecall.stores.encoding.token_vectors import TokenVectors
from langrecall.stores.ranking.corpus import Corpus

_ASKED: dict[Signals, tuple[Part, ...]] = {"all": PARTS, "metadata": ("notes",), "raw": ("chunks",)}
_TRIES = 3

# A namespace of more chunks than fit in memory needs an index here in place of the corpus.


class Loaded(NamedTuple):
    """What a row holds: its piece and vectors where it was embedded, and the turn or entry it carries."""

    piece: Piece
    vector: Floats | None
    tokens: TokenVectors | None
    turn: Turn | None
    episode: Episode | None

    @classmethod
    def of(cls, part: Part, row: Row) -> Self:
        """Read a row of a collection."""
        payload = row.payload
        turn = Turn.model_validate_json(payload) if payload and part == "chunks" else None
        episode = Episode.model_validate_json(payload) if payload and part == "notes" else None
        return cls(row.piece, row.vector, row.tokens, turn, episode)


Parts = Mapping[Part, Mapping[str, Loaded]]


class Snapshots:
    """The corpora of a namespace, one for each choice of signals: what the signals leave out is never read.

    A row's id tells its content, so a row read once is read no more, however often the namespace changes around it.
    """

    def __init__(self, rows: CollectionRows) -> None:
        self._rows = rows
        self._lock = RLock()
        self._mark: str | None = None
        self._token: str | None = None
        self._model: EmbeddingModel | None = None
        self._corpora: dict[Signals, Corpus] = {}
        self._loaded: dict[Part, dict[str, Loaded]] = {}

    def get(self, signals: Signals) -> tuple[Corpus, EmbeddingModel | None]:
        """The corpus as it is visible now, and the embedding model it was made with."""
        with self._lock:
            mark = self._rows.settled
            if mark is None or mark != self._mark:
                self._renew()
            if signals not in self._corpora:
                self._corpora[signals] = self._settled(signals)
            self._mark = mark
            return self._corpora[signals], self._model

    def _renew(self) -> None:
        """Let go of what has changed since; asking takes 2 ms, which is why the place's mark is looked at first."""
        now = generation(self._rows)
        token = now.token if now else None
        if token != self._token:
            self._corpora.clear()
            self._keep_model(self._rows.recorded())
        self._token = token

    def _keep_model(self, model: EmbeddingModel | None) -> None:
        if model != self._model:
            self._loaded.clear()
        self._model = model

    def _settled(self, signals: Signals) -> Corpus:
        """Load anew while a writer takes rows away that a commit just read still names."""
        for _ in range(_TRIES):
            commits = all_commits(self._rows)
            parts = {part: self._load(part, commits) for part in _ASKED[signals]}
            whole = [commit for commit in commits if _is_whole(commit, parts)]
            if len(whole) == len(commits):
                break
        return _corpus(whole, parts)

    def _load(self, part: Part, commits: Sequence[Commit]) -> Mapping[str, Loaded]:
        known = self._loaded.get(part, {})
        wanted = [name for commit in commits for name in commit.ids(part)]
        new = self._rows.get(part, [name for name in wanted if name not in known], vectors=True)
        found = known | {row.id: Loaded.of(part, row) for row in new}
        self._loaded[part] = {name: found[name] for name in wanted if name in found}
        return self._loaded[part]


def _is_whole(commit: Commit, parts: Parts) -> bool:
    return all(name in found for part, found in parts.items() for name in commit.ids(part))


def _corpus(commits: Sequence[Commit], parts: Parts) -> Corpus:
    listed = [found[name] for part, found in parts.items() for commit in commits for name in commit.ids(part)]
    embedded = [(row.piece, row.vector, row.tokens) for row in listed if row.vector is not None]
    return Corpus.build(
        [_session(commit, parts.get("chunks")) for commit in commits],
        [row.episode for row in listed if row.episode is not None],
        [piece for piece, _, _ in embedded],
        np.stack([vector for _, vector, _ in embedded]) if embedded else None,
        [tokens for _, _, tokens in embedded],
    )


def _session(commit: Commit, chunks: Mapping[str, Loaded] | None) -> Session:
    if chunks is None:
        return commit.head
    return commit.session(turn for name in commit.carriers if (turn := chunks[name].turn) is not None)
