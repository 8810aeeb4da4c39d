"""The words of one namespace as BM25 indexes: its turns, windows of turns, sessions and entries, each built when first asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from langrecall.records import Episode, Event, Fact, Turn
from langrecall.rendering import image_note
from langrecall.stores.lexical import LexicalIndex, terms
from langrecall.stores.pieces import episode_text

WINDOW = 2
"""Turns on each side that the window of a turn takes in."""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Indexes over turns in order, `bounds` being where each session's turns begin, and over entries by session position."""

    turns: Sequence[Turn]
    bounds: NDArray[np.int64]
    episodes: Mapping[int, Episode]

    @cached_property
    def turn_index(self) -> LexicalIndex:
        """BM25 over what each turn says, without its speaker."""
        return LexicalIndex.build(self._said)

    @cached_property
    def window_index(self) -> LexicalIndex:
        """BM25 over each turn with two turns on each side of it, and what is stated of them."""
        return LexicalIndex.build(self._windows())

    @cached_property
    def session_index(self) -> LexicalIndex:
        """BM25 over all turns of each session, and what is stated of them."""
        spans = pairwise(self.bounds.tolist())
        return LexicalIndex.build(list(chain.from_iterable(self._stated[first:end])) for first, end in spans)

    @cached_property
    def entry_index(self) -> LexicalIndex:
        """BM25 over the entry of each session; a session without one keeps its place and matches nothing."""
        entries = (self.episodes.get(session) for session in range(len(self.bounds) - 1))
        return LexicalIndex.build(terms(episode_text(entry)) if entry else [] for entry in entries)

    @cached_property
    def _said(self) -> list[list[str]]:
        return [terms(" ".join([turn.text, *map(image_note, turn.images)])) for turn in self.turns]

    @cached_property
    def _stated(self) -> list[list[str]]:
        """The terms of each turn, and those that the facts and events of it add, such as the names that a pronoun stands for."""
        stated = [list(said) for said in self._said]
        for position, text in self._statements():
            stated[position] += sorted(set(terms(text)).difference(stated[position]))
        return stated

    def _statements(self) -> Iterator[tuple[int, str]]:
        for session, episode in self.episodes.items():
            first, end = self.bounds[session], self.bounds[session + 1]
            statements: list[Fact | Event] = [*episode.facts, *episode.events]
            for statement in statements:
                for index in statement.turns:
                    if first + index < end:
                        yield int(first + index), statement.text

    def _windows(self) -> Iterator[list[str]]:
        for first, end in pairwise(self.bounds.tolist()):
            for at in range(first, end):
                yield list(chain.from_iterable(self._stated[max(first, at - WINDOW) : min(end, at + WINDOW + 1)]))
