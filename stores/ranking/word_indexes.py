"""The words of one namespace: of its turns, of what is stated about them, and of its entries, each indexed when first asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from langrecall.language.words import terms
from langrecall.records import Episode, Event, Fact, Turn
from langrecall.rendering import image_note
from langrecall.stores.encoding.pieces import episode_text
from langrecall.stores.ranking.bm25 import Postings


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Indexes over turns in order, with the session of each and where each session begins, and over entries by session."""

    turns: Sequence[Turn]
    turn_session: NDArray[np.int64]
    bounds: NDArray[np.int64]
    episodes: Mapping[int, Episode]

    @cached_property
    def said(self) -> Postings:
        """What each turn says, without its speaker."""
        return Postings.build(self._said, self.turn_session, self.bounds)

    @cached_property
    def entries(self) -> Postings:
        """The entry of each session as its one turn; a session without one keeps its place and matches nothing."""
        entries = (self.episodes.get(session) for session in range(len(self.bounds) - 1))
        return Postings.apart([terms(episode_text(entry)) if entry else [] for entry in entries])

    @cached_property
    def stated(self) -> Postings:
        """The words of each turn, and those that the facts and events of it add, such as the names that a pronoun stands for."""
        stated = [list(said) for said in self._said]
        for position, text in self._statements():
            stated[position] += sorted(set(terms(text)).difference(stated[position]))
        return Postings.build(stated, self.turn_session, self.bounds)

    @cached_property
    def _said(self) -> list[list[str]]:
        return [terms(" ".join([turn.text, *map(image_note, turn.images)])) for turn in self.turns]

    def _statements(self) -> Iterator[tuple[int, str]]:
        for session, episode in self.episodes.items():
            first, end = self.bounds[session], self.bounds[session + 1]
            statements: list[Fact | Event] = [*episode.facts, *episode.events]
            for statement in statements:
                for index in statement.turns:
                    if first + index < end:
                        yield int(first + index), statement.text
