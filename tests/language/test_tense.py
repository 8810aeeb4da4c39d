"""The tense of a clause decides which Friday `on Friday` is."""

import time
from datetime import datetime

import pytest

from langrecall.grounding.text import ground
from langrecall.language.tense import Tense, clause_tense, tense


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I won the cup on Friday.", "past"),
        ("We've moved on Friday.", "past"),
        ("On Friday, I got great news - I'm finally going to Ireland.", "past"),
        ("They were here on Friday and will be back.", "past"),
        ("We will meet on Friday.", "future"),
        ("I'm having a party on Friday!", "future"),
        ("I\u2019ll come on Friday.", "future"),
        ("She has a game on Friday.", "future"),
        ("I was ill, but on Friday we're flying.", "future"),
        ("It was great. See you on Friday!", "future"),
        ("So on Friday then?", "unknown"),
        ("I'm swamped on Friday.", "unknown"),
        ("That's amazing on Friday.", "unknown"),
        ("The most respected show is on Friday.", "unknown"),
        ("We usually went on Friday.", "unknown"),
        ("I planned to go but will stay on Friday.", "future"),
        ("I signed the lease and we move in on Friday.", "unknown"),
        ("I signed the lease and on Friday moved.", "past"),
        ("I signed the lease, the one on Friday.", "past"),
    ],
)
def test_tense_around_an_expression(text: str, expected: Tense) -> None:
    start = text.lower().index("on friday")
    assert tense(text, start, start + len("on friday")) == expected


def test_only_the_sentence_lends_its_tense_to_a_clause_without_one() -> None:
    text = "On Friday, I won. We will celebrate."
    assert tense(text, 0, 9) == "past"
    assert clause_tense(text, 0, 9) == "unknown"


def test_a_long_text_costs_in_proportion_to_its_length() -> None:
    def seconds(times: int) -> float:
        text = "I went on Friday. " * times
        tries = []
        for _ in range(3):
            started = time.process_time()
            assert len(ground(text, datetime(2024, 5, 29))) == times
            tries.append(time.process_time() - started)
        return min(tries)

    assert seconds(2000) < 8 * seconds(500)  # four times the text; quadratic would be sixteen times the time
