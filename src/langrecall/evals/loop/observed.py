"""What a run put before its reader, in the order in which it did, and what of that fits a token budget."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

from langrecall.evals.transcripts import Transcript
from langrecall.rendering import turn_tokens
from langrecall.state import Observation


class Look(NamedTuple):
    """One observation: the whole turns that it shows, best first, what each costs, and what all else in it costs."""

    turns: tuple[str, ...]
    costs: tuple[int, ...]
    rest: int

    @property
    def tokens(self) -> int:
        """What the observation costs."""
        return self.rest + sum(self.costs)


class Observed(NamedTuple):
    """Everything that was observed for one question; of parallel branches each turn counts once, as the reader is shown it once."""

    looks: tuple[Look, ...]

    @classmethod
    def of(cls, observations: Sequence[Observation], transcript: Transcript, *, grounded: bool) -> Self:
        """Read a final state's observations; `grounded` tells whether turns were shown with grounded dates, which cost more."""
        looks: list[Look] = []
        shown: dict[int, set[str]] = {}
        for seen in observations:
            known = shown.setdefault(seen["step"], set())
            costs = {name: turn_tokens(transcript.turns[name], grounded=grounded) for name in seen["turns"]}
            rest = max(seen["tokens"] - sum(costs.values()), 0)
            fresh = [name for name in seen["turns"] if name not in known]
            known.update(fresh)
            looks.append(Look(tuple(fresh), tuple(costs[name] for name in fresh), rest))
        return cls(tuple(looks))

    @classmethod
    def at_once(cls, turns: Sequence[str], transcript: Transcript) -> Self:
        """One retrieval and nothing else."""
        costs = tuple(transcript.turn_costs[name] for name in turns)
        return cls((Look(tuple(turns), costs, transcript.header_cost(turns)),))

    @property
    def tokens(self) -> int:
        """What everything costs."""
        return sum(look.tokens for look in self.looks)

    @property
    def turns(self) -> Mapping[str, int]:
        """Every turn shown whole, in the order of first appearance, with its cost."""
        return {name: cost for look in self.looks for name, cost in zip(look.turns, look.costs, strict=True)}

    def within(self, tokens: int) -> Mapping[str, int]:
        """The turns that a reader has seen who stops at a budget.

        Whole observations count until the first that does not fit. That one is charged for its entries and headers before it
        may show a turn, then shows its best turns that fit, as a cap would; after it nothing more is read.
        """
        seen: dict[str, int] = {}
        left = tokens
        for look in self.looks:
            room = left - look.rest
            for name, cost in zip(look.turns, look.costs, strict=True):
                if cost <= room:
                    seen[name] = cost
                    room -= cost
            if look.tokens > left:
                break
            left = room
        return seen
