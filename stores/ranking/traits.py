"""What can be told of each turn before any question is asked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from langrecall.language.names import name_words
from langrecall.language.sentences import QUESTION_MARKS
from langrecall.records import Turn
from langrecall.rendering import turn_tokens

_TIME = re.compile(
    r"\b(?:yesterday|to(?:day|night|morrow)|last|next|ago|weeks?|weekends?|months?|years?|since|recently|just|morning|night"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october"
    r"|november|december|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class Traits:
    """One value a turn: who speaks (by position among the speakers, -1 for nobody named), and what kind of turn it is."""

    speaker: NDArray[np.int64]
    asks: NDArray[np.float32]
    replies: NDArray[np.float32]
    time_told: NDArray[np.float32]
    names_told: NDArray[np.float32]
    tokens: NDArray[np.float32]

    @classmethod
    def of(cls, turns: Sequence[Turn], bounds: NDArray[np.int64], speakers: Sequence[str]) -> Self:
        """`asks`: ends in a question; `replies`: the turn before holds one; `names_told`: log(1 + names besides the speakers').

        `tokens` are those of the turn without grounded dates, which take some 0.1 ms a turn to find.
        """
        place = {speaker: position for position, speaker in enumerate(speakers)}
        spoken = {word for speaker in speakers for word in speaker.split()}
        names = [len(set(name_words(turn.text)) - spoken) for turn in turns]
        return cls(
            speaker=np.array([_speaker(turn, place) for turn in turns], dtype=np.int64),
            asks=np.array([turn.text.rstrip().endswith(QUESTION_MARKS) for turn in turns], dtype=np.float32),
            replies=_after(np.array([_questions(turn) for turn in turns], dtype=np.float32), bounds),
            time_told=np.array([bool(_TIME.search(turn.text)) for turn in turns], dtype=np.float32),
            names_told=np.log1p(np.array(names, dtype=np.float32)),
            tokens=np.array([turn_tokens(turn, grounded=False) for turn in turns], dtype=np.float32),
        )


def _speaker(turn: Turn, place: dict[str, int]) -> int:
    return place.get(turn.speaker, -1) if turn.role == "speaker" else -1


def _questions(turn: Turn) -> bool:
    return any(mark in turn.text for mark in QUESTION_MARKS)


def _after(values: NDArray[np.float32], bounds: NDArray[np.int64]) -> NDArray[np.float32]:
    """The value of the turn before, 0 at the start of a session."""
    before = np.roll(values, 1)
    before[bounds[:-1][bounds[:-1] < len(values)]] = 0
    return before
