"""Other memory libraries, each behind the same two calls: store turns as they are, and rank them for a question."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import FakeListChatModel

from langrecall.stores.encoding.encoder import Encoder

FOUND = 50
"""Turns asked of a peer: more than any budget here has room for."""
_OWNER = "bench"
_NO_LIMIT = 1_000_000  # tokens


class GivenTurn(NamedTuple):
    """A turn as every peer is given it."""

    id: str
    text: str


class Peer(Protocol):
    """One library, empty when made."""

    def put(self, lines: Sequence[GivenTurn]) -> None:
        """Store turns without asking a language model."""
        ...

    def search(self, question: str) -> list[str]:
        """The ids of the best turns, best first."""
        ...


class EncoderEmbeddings(Embeddings):
    """The one model that all are measured with."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector a text."""
        vectors: list[list[float]] = self.encoder.encode(texts).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """One vector."""
        vector: list[float] = self.encoder.queries([text])[0].tolist()
        return vector


class LangChainChroma:
    """A plain retriever of langchain-chroma over turns."""

    def __init__(self, embeddings: EncoderEmbeddings) -> None:
        from langchain_chroma import Chroma

        self._chroma = Chroma(
            collection_name=_OWNER,
            embedding_function=embeddings,
            persist_directory="chroma",
            collection_configuration={"hnsw": {"space": "cosine"}},
        )
        self._retriever = self._chroma.as_retriever(search_kwargs={"k": FOUND})

    def put(self, lines: Sequence[GivenTurn]) -> None:
        """Add all texts at once."""
        self._chroma.add_texts([line.text for line in lines], ids=[line.id for line in lines])

    def search(self, question: str) -> list[str]:
        """Nearest neighbours."""
        return [str(document.id) for document in self._retriever.invoke(question)]


class LangMem:
    """The search of LangMem's memory tool, over LangGraph's InMemoryStore."""

    def __init__(self, embeddings: EncoderEmbeddings) -> None:
        from langgraph.store.memory import InMemoryStore
        from langmem import create_search_memory_tool

        dimension = embeddings.encoder.dimension
        self._store = InMemoryStore(index={"embed": embeddings, "dims": dimension, "fields": ["text"]})
        self._tool = create_search_memory_tool((_OWNER,), store=self._store, response_format="content_and_artifact")

    def put(self, lines: Sequence[GivenTurn]) -> None:
        """One batch of items."""
        from langgraph.store.base import PutOp

        self._store.batch([PutOp((_OWNER,), line.id, {"text": line.text}) for line in lines])

    def search(self, question: str) -> list[str]:
        """The keys that the tool returns beside its text."""
        call = {"type": "tool_call", "name": "search_memory", "id": "1", "args": {"query": question, "limit": FOUND}}
        return [item.key for item in self._tool.invoke(call).artifact]


class Mem0:
    """Mem0 with `infer=False`, in its own default store (Qdrant, on disk)."""

    def __init__(self, embeddings: EncoderEmbeddings) -> None:
        from mem0 import Memory

        size = {"embedding_model_dims": embeddings.encoder.dimension}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": {"path": "qdrant", "on_disk": True, **size}},
                "embedder": {"provider": "langchain", "config": {"model": embeddings}},
                "llm": {"provider": "langchain", "config": {"model": FakeListChatModel(responses=[""])}},
                "history_db_path": "history.db",
            }
        )

    def put(self, lines: Sequence[GivenTurn]) -> None:
        """One call a turn: there is no call for many."""
        for line in lines:
            self._memory.add(line.text, user_id=_OWNER, metadata={"turn": line.id}, infer=False)

    def search(self, question: str) -> list[str]:
        """Without a threshold, so that nothing found is lost."""
        found = self._memory.search(question, filters={"user_id": _OWNER}, top_k=FOUND, threshold=0.0)
        return [item["metadata"]["turn"] for item in found["results"]]


class LightRag:
    """LightRAG's naive mode, each turn a chunk; its language model says nothing, so there is no graph."""

    def __init__(self, embeddings: EncoderEmbeddings) -> None:
        from lightrag import LightRAG
        from lightrag.utils import EmbeddingFunc, Tokenizer

        async def embed(texts: Sequence[str], **_: object) -> Any:  # noqa: ANN401 - as LightRAG declares it
            return np.asarray(embeddings.encoder.encode(texts))

        async def silence(*_: object, **__: object) -> str:
            return ""

        self._ids: dict[str, list[str]] = {}
        self._loop = asyncio.new_event_loop()
        self._rag = LightRAG(
            working_dir="lightrag",
            embedding_func=EmbeddingFunc(embedding_dim=embeddings.encoder.dimension, max_token_size=8192, func=embed),
            llm_model_func=silence,
            tokenizer=Tokenizer("characters", _Characters()),
            cosine_better_than_threshold=-1.0,
        )
        self._loop.run_until_complete(self._rag.initialize_storages())

    def put(self, lines: Sequence[GivenTurn]) -> None:
        """All turns as the chunks of one document."""
        from lightrag.utils import sanitize_text_for_encoding

        texts = [sanitize_text_for_encoding(line.text) for line in lines]  # as LightRAG will keep and return them
        for line, text in zip(lines, texts, strict=True):
            self._ids.setdefault(text, []).append(line.id)
        self._loop.run_until_complete(self._rag.ainsert_custom_chunks("\n".join(texts), texts, doc_id=_OWNER))

    def search(self, question: str) -> list[str]:
        """The chunks of the context, by their text: LightRAG keeps no ids of ours."""
        from lightrag import QueryParam

        wanted = QueryParam(mode="naive", chunk_top_k=FOUND, enable_rerank=False, max_total_tokens=_NO_LIMIT)
        found = self._loop.run_until_complete(self._rag.aquery_data(question, wanted))
        return [name for chunk in found["data"].get("chunks", ()) for name in self._ids[chunk["content"]]]


class _Characters:
    """A tokenizer for LightRAG, whose own fetches tables from the net."""

    def encode(self, text: str) -> list[int]:
        return list(map(ord, text))

    def decode(self, tokens: Sequence[int]) -> str:
        return "".join(map(chr, tokens))


PEERS: Mapping[str, Callable[[EncoderEmbeddings], Peer]] = {
    "mem0ai": Mem0,
    "langmem": LangMem,
    "lightrag-hku": LightRag,
    "langchain-chroma": LangChainChroma,
}
"""By the name of the distribution."""
