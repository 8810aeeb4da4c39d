"""Search one namespace: the question's vectors, the corpus as it is now, and the ranking over both."""

from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial
from typing import TypeAlias
from weakref import ref

from langrecall.stores.base import Hit, Retriever, Signals
from langrecall.stores.chroma.collections import CollectionRows
from langrecall.stores.chroma.commits import all_commits
from langrecall.stores.chroma.snapshots import Snapshots
from langrecall.stores.cleaning import clean_text
from langrecall.stores.encoding.blas import one_thread
from langrecall.stores.encoding.encoder import EmbeddingModel, Encoder, Floats, check_model
from langrecall.stores.encoding.token_vectors import TokenVectors
from langrecall.stores.ranking.corpus import Corpus
from langrecall.stores.ranking.graph_check import check_graph
from langrecall.stores.ranking.queries import query_texts
from langrecall.stores.ranking.rank import rank_sessions, rank_turns

Rank: TypeAlias = Callable[..., list[Hit]]
"""`rank_sessions` or `rank_turns`, told what to look for."""


class Searcher:
    """The searching half of a bound history; see `HistoryStore`.

    A history opened without embeddings is searched by words alone, also where it was made with vectors.
    """

    def __init__(self, namespace: str, rows: CollectionRows, encoder: Encoder | None) -> None:
        self._namespace = namespace
        self._rows = rows
        self._encoder = encoder
        self._snapshots = Snapshots(rows)
        self._checked: ref[Corpus] | None = None

    def prepare(self) -> None:
        """Load the embedding model now, if there is one; otherwise the first search does, and takes seconds with the built-in one."""
        if self._encoder is not None:
            self._encoder.load()

    def search_episodes(
        self,
        query: str,
        k: int = 5,
        *,
        exclude: Collection[str] = (),
        before: datetime | None = None,
        retriever: Retriever = "hybrid",
        signals: Signals = "all",
    ) -> list[Hit]:
        """Rank sessions; raises `EmbeddingMismatchError`, and `InputError` where the retriever `graph` finds no graph."""
        return self._ranked(partial(rank_sessions, k=k, exclude=exclude, before=before), query, retriever, signals)

    def search_turns(
        self,
        query: str,
        k: int = 10,
        *,
        exclude: Collection[str] = (),
        before: datetime | None = None,
        tokens: int | None = None,
        passages: bool = False,
        retriever: Retriever = "hybrid",
        signals: Signals = "all",
    ) -> list[Hit]:
        """Rank turns; raises `EmbeddingMismatchError`, and `InputError` where the retriever `graph` finds no graph."""
        rank = partial(rank_turns, k=k, exclude=exclude, before=before, tokens=tokens, passages=passages)
        return self._ranked(rank, query, retriever, signals)

    def _ranked(self, rank: Rank, query: str, retriever: Retriever, signals: Signals) -> list[Hit]:
        asked = clean_text(query)
        corpus, model = self._corpus(retriever, signals)
        vectors, token_vectors = self._vectors(asked, corpus, model, retriever)
        with one_thread():
            return rank(corpus, asked, vectors, retriever=retriever, signals=signals, token_vectors=token_vectors)

    def _corpus(self, retriever: Retriever, signals: Signals) -> tuple[Corpus, EmbeddingModel | None]:
        corpus, model = self._snapshots.get(signals)
        if retriever == "graph" and (self._checked is None or self._checked() is not corpus):
            forms = [commit.origin.form for commit in all_commits(self._rows)]
            check_graph(self._namespace, corpus, forms, signals)
            self._checked = ref(corpus)  # which a write replaces: it is not to be kept for this
        return corpus, model

    def _vectors(
        self, query: str, corpus: Corpus, model: EmbeddingModel | None, retriever: Retriever
    ) -> tuple[Floats | None, TokenVectors | None]:
        """Those of the texts of the query, and those of the tokens of the last of them, which is in the first person."""
        if self._encoder is None:
            return None, None
        check_model(self._namespace, model, self._encoder)
        if retriever == "lexical" or not corpus.vectors or not query.strip():
            return None, None
        vectors, tokens = self._encoder.queries_all(query_texts(query, corpus.speakers))
        check_model(self._namespace, model, self._encoder)  # its dimension is known only now
        return vectors, tokens[-1] if tokens else None
