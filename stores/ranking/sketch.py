"""Vectors by their few most telling directions, to find in millions of them those that are worth a closer look."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

DIRECTIONS = 32
_FITTED = 5_000
_BLOCK = 65_536


@dataclass(frozen=True, eq=False)
class Sketch:
    """The principal directions of a set of vectors, and how far each vector goes in them."""

    directions: NDArray[np.float32]
    extents: NDArray[np.float32]

    @classmethod
    def of(cls, vectors: NDArray[np.float32]) -> Self:
        """The directions are fitted to every so manieth vector."""
        fitted = vectors[np.linspace(0, len(vectors) - 1, min(len(vectors), _FITTED)).astype(np.int64)]
        directions = np.linalg.eigh(fitted.T @ fitted)[1][:, -DIRECTIONS:].astype(np.float32)
        blocks = [vectors[at : at + _BLOCK] @ directions for at in range(0, len(vectors), _BLOCK)]
        return cls(directions, np.concatenate(blocks))

    def similar(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """About the similarity of each vector to this one."""
        near: NDArray[np.float32] = self.extents @ (vector @ self.directions)
        return near
