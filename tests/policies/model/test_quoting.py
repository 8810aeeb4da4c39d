"""Quotes and ids of a model are put right in a time that grows with the turn alone."""

import time

from langrecall.policies.base import Line
from langrecall.policies.model.quoting import MOST_WORDS, put_right
from langrecall.records import Turn


def _turn(text: str) -> Turn:
    return Turn(session_id="s1", index=0, speaker="Bo", role="speaker", text=text)


def _right(quote: str, turn: Turn) -> Line:
    return put_right(Line(text=quote, sources=[turn.id], quote=quote), [turn.id], [turn])


def test_a_long_quote_that_was_changed_becomes_the_words_of_its_beginning() -> None:
    turn = _turn(" ".join(f"word{n}" for n in range(2 * MOST_WORDS)))
    assert _right(f"{turn.text.upper()}!?x", turn).quote == " ".join(turn.text.split()[:MOST_WORDS])


def test_a_long_quote_of_one_word_is_soon_looked_for() -> None:
    def seconds(words: int) -> float:
        turn = _turn("the " * words)
        begun = time.process_time()
        _right(f"zz {turn.text}q", turn)
        return time.process_time() - begun

    assert min(seconds(8_000) for _ in range(3)) < 8 * min(seconds(2_000) for _ in range(3))
