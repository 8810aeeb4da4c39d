"""Random unit vectors in a model's name, for measuring speed: what a search costs does not depend on what its vectors say."""

from collections.abc import Sequence

import numpy as np
from langchain_core.embeddings import Embeddings


class RandomEmbedder(Embeddings):
    """Keeps the texts it was given; a history made with it opens with the model that `model_name` and `dimension` tell of."""

    def __init__(self, model_name: str, dimension: int, *, seed: int) -> None:
        self.model_name = model_name
        self.dimension = dimension
        self.texts: list[str] = []
        self._random = np.random.default_rng(seed)

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """A new vector for each text."""
        self.texts += texts
        rows = self._random.standard_normal((len(texts), self.dimension), dtype=np.float32)
        vectors: list[list[float]] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """A new vector."""
        return self.embed_documents([text])[0]
