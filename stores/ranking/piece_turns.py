"""Which pieces stand for which turns."""

from dataclasses import dataclass
from functools import cached_property
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

    @cached_property
    def turn_of_row(self) -> NDArray[np.int64]:
        """The turn that each piece stands for, of several the last."""
        turns = np.zeros(self.rows.max(initial=-1) + 1, dtype=np.int64)
        turns[self.rows] = self.turns
        return turns
