"""Which pieces stand for which turns."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray


class Standing(NamedTuple):
    """Pieces by row, and the place of the turn that each stands for among the turns asked about."""

    rows: NDArray[np.int64]
    places: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Links:
    """Pairs of a piece and a turn, by turn; the pairs of turn `t` are `starts[t]` to `starts[t + 1]`."""

    rows: NDArray[np.int64]
    turns: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, rows: NDArray[np.int64], turns: NDArray[np.int64], size: int) -> Self:
        """`size` is the number of turns."""
        order = np.argsort(turns, kind="stable")
        return cls(rows[order], turns[order], np.searchsorted(turns[order], np.arange(size + 1)))

    def standing_for(self, turns: NDArray[np.int64]) -> Standing:
        """The pieces of some turns, given by ascending position."""
        if len(turns) == len(self.starts) - 1:
            return Standing(self.rows, self.turns)
        first, counts = self.starts[turns], self.starts[turns + 1] - self.starts[turns]
        places = np.repeat(np.arange(len(turns)), counts)
        within = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
        return Standing(self.rows[first[places] + within], places)

    def turns_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The turns that some pieces stand for."""
        return self.turns[np.isin(self.rows, rows)]
