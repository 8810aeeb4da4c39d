"""Embeddings without a model: bags of words hashed into a few dimensions."""

import re
from hashlib import blake2b
from math import sqrt

from langchain_core.embeddings import Embeddings

WORD = re.compile(r"\w+")


class HashEmbedder(Embeddings):
    """Deterministic unit vectors in which texts that share words are neighbours; a text without words is the first axis."""

    def __init__(self, dimension: int = 256) -> None:
        if dimension < 1:
            msg = f"dimension must be at least 1, got {dimension}"
            raise ValueError(msg)
        self.dimension = dimension

    @property
    def model_name(self) -> str:
        """`hash-<dimension>`, under which a history records its embedding model."""
        return f"hash-{self.dimension}"

    def embed_query(self, text: str) -> list[float]:
        """Embed one text."""
        counts = [0.0] * self.dimension
        for word in WORD.findall(text.casefold()):
            counts[_bucket(word, self.dimension)] += 1.0
        length = sqrt(sum(count * count for count in counts))
        return [count / length for count in counts] if length else [1.0, *counts[1:]]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed each text as `embed_query` would."""
        return [self.embed_query(text) for text in texts]


def _bucket(word: str, dimension: int) -> int:
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest()) % dimension
