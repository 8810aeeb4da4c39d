"""Random unit vectors in a model's name, for measuring speed: what a search costs does not depend on what its vectors say."""

import numpy as np

from langrecall.stores.encoding.encoder import Encoded, Encoder
from langrecall.stores.encoding.token_vectors import MOST

_CHARACTERS = 4  # of a token, about


class RandomBackend:
    """Random rows in place of a model's, and as many random token vectors as it would have, of `width` numbers; keeps the texts."""

    def __init__(self, dimension: int, width: int, *, seed: int) -> None:
        self._dimension = dimension
        self._width = width
        self.texts: list[str] = []
        self._random = np.random.default_rng(seed)

    def documents(self, texts: list[str]) -> Encoded:
        """New ones for each text."""
        self.texts += texts
        rows = self._random.standard_normal((len(texts), self._dimension), dtype=np.float32)
        if not self._width:
            return Encoded(rows)
        counts = [min(-(-len(text) // _CHARACTERS), MOST) for text in texts]
        return Encoded(rows, [self._random.integers(-40, 40, (count, self._width), dtype=np.int8) for count in counts])

    def queries(self, texts: list[str]) -> Encoded:
        """As `documents`."""
        return self.documents(texts)


def random_encoder(encoder: Encoder, *, seed: int) -> Encoder:
    """Random vectors under the name of a model, which tells here which ones it has."""
    rows, tokens = encoder.encode_all(["a few words"])
    backend = RandomBackend(rows.shape[1], tokens[0].shape[1] if tokens else 0, seed=seed)
    return Encoder(encoder.name, lambda: backend, dimension=rows.shape[1])
