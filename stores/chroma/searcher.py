"""Search one namespace: the question's vectors, the corpus as it is now, and the ranking over both."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias
from weakref import ref

from typing_extensions import Unpack

from langrecall.effects import twin
from langrecall.stores.base import Hit, Search, SearchFields, TurnFields
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

Rank: TypeAlias = Callable[[Corpus, Search, Floats | None, TokenVectors | None], list[Hit]]
"""`rank_sessions` or `rank_turns`."""


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

    def search_episodes(self, query: Search | str, k: int | None = None, **fields: Unpack[SearchFields]) -> list[Hit]:
        """Rank sessions; raises `EmbeddingMismatchError`, and `InputError` where the retriever `graph` finds no graph."""
        search = Search.of(query, k, **fields)
        if search.tokens is not None or search.passages:
            raise TypeError("tokens and passages are of turns: give them to search_turns")
        return self._ranked(rank_sessions, search)

    def search_turns(self, query: Search | str, k: int | None = None, **fields: Unpack[TurnFields]) -> list[Hit]:
        """Rank turns; raises `EmbeddingMismatchError`, and `InputError` where the retriever `graph` finds no graph."""
        return self._ranked(rank_turns, Search.of(query, k, **fields))

    # With the same keywords, which not every store takes.
    asearch_episodes = twin(search_episodes)
    asearch_turns = twin(search_turns)

    def _ranked(self, rank: Rank, search: Search) -> list[Hit]:
        search = replace(search, query=clean_text(search.query))
        corpus, model = self._corpus(search)
        vectors, token_vectors = self._vectors(search, corpus, model)
        with one_thread():
            return rank(corpus, search, vectors, token_vectors)

    def _corpus(self, search: Search) -> tuple[Corpus, EmbeddingModel | None]:
        corpus, model = self._snapshots.get(search.signals)
        if search.retriever == "graph" and (self._checked is None or self._checked() is not corpus):
            forms = [commit.origin.form for commit in all_commits(self._rows)]
            check_graph(self._namespace, corpus, forms, search.signals)
            self._checked = ref(corpus)  # which a write replaces: it is not to be kept for this
        return corpus, model

    def _vectors(
        self, search: Search, corpus: Corpus, model: EmbeddingModel | None
    ) -> tuple[Floats | None, TokenVectors | None]:
        """Those of the texts of the query, and those of the tokens of the last of them, which is in the first person."""
        if self._encoder is None:
            return None, None
        check_model(self._namespace, model, self._encoder)
        if search.retriever == "lexical" or not corpus.vectors or not search.query.strip():
            return None, None
        vectors, tokens = self._encoder.queries_all(query_texts(search.query, corpus.speakers))
        check_model(self._namespace, model, self._encoder)  # its dimension is known only now
        return vectors, tokens[-1] if tokens else None
