"""A history as it was loaded, with what showing each of its turns costs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from langrecall.records import Session, Turn
from langrecall.rendering import header_tokens, turn_tokens


@dataclass(frozen=True)
class Transcript:
    """The raw sessions of a history; costs are those of `rendering.turns_tokens`, kept because they are asked for again and again."""

    sessions: Mapping[str, Session]
    turns: Mapping[str, Turn]
    turn_costs: Mapping[str, int]
    header_costs: Mapping[str, int]

    @classmethod
    def of(cls, sessions: Sequence[Session]) -> Self:
        """Price every turn and every session's header."""
        turns = {turn.id: turn for session in sessions for turn in session.turns}
        return cls(
            sessions={session.session_id: session for session in sessions},
            turns=turns,
            turn_costs={name: turn_tokens(turn) for name, turn in turns.items()},
            header_costs={session.session_id: header_tokens(session.session_id, session.time) for session in sessions},
        )

    @cached_property
    def tokens(self) -> int:
        """What the whole history costs."""
        return self.cost(self.turns)

    def cost(self, turn_ids: Iterable[str]) -> int:
        """What a set of turns costs to show, one header a session counted; raises `KeyError` for an unknown id."""
        shown = set(turn_ids)
        return self.header_cost(shown) + sum(self.turn_costs[name] for name in shown)

    def header_cost(self, turn_ids: Iterable[str]) -> int:
        """The headers' part of it."""
        return sum(self.header_costs[name] for name in {self.turns[turn].session_id for turn in turn_ids})

    def leading(self, turn_ids: Iterable[str], tokens: int) -> list[str]:
        """Turns in the order given until the first that no longer fits, as a text cut to a budget shows them."""
        return self._filled(turn_ids, tokens, stop=True)

    def fitting(self, turn_ids: Iterable[str], tokens: int) -> list[str]:
        """Turns in the order given, passing over those that no longer fit."""
        return self._filled(turn_ids, tokens, stop=False)

    def _filled(self, turn_ids: Iterable[str], tokens: int, *, stop: bool) -> list[str]:
        chosen: list[str] = []
        opened: set[str] = set()
        left = tokens
        for name in dict.fromkeys(turn_ids):
            session_id = self.turns[name].session_id
            cost = self.turn_costs[name] + (0 if session_id in opened else self.header_costs[session_id])
            if cost <= left:
                chosen.append(name)
                opened.add(session_id)
                left -= cost
            elif stop:
                break
        return chosen
