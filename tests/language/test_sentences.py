"""Sentences end in one way for everybody."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langrecall.language.sentences import is_question, sentence_spans, sentences, statement_starts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I came. I saw!  Did you?", ["I came.", "I saw!", "Did you?"]),
        ("no stop at all", ["no stop at all"]),
        ("one line\nanother\n\n- third", ["one line", "another", "- third"]),
        ("Dr. Smith met Mr. Jones e.g. on Monday. Fine.", ["Dr. Smith met Mr. Jones e.g. on Monday.", "Fine."]),
        ("J. R. Ewing called. So did I. Really.", ["J. R. Ewing called.", "So did I.", "Really."]),
        ("It costs 3.5 euros at www.shop.com. Cheap.", ["It costs 3.5 euros at www.shop.com.", "Cheap."]),
        ("We left at 9 a.m. sharp. At 5 p.m. We returned.", ["We left at 9 a.m. sharp.", "At 5 p.m.", "We returned."]),
        ("She said “no!” Then she left... Gone.", ["She said “no!”", "Then she left...", "Gone."]),
        ("really?! yes.I did", ["really?!", "yes.", "I did"]),
        ("你好。我很好\uff01你呢\uff1f", ["你好。", "我很好\uff01", "你呢\uff1f"]),
        ("「元気\uff1f」はい。", ["「元気\uff1f」", "はい。"]),
        ("كيف حالك؟ بخير", ["كيف حالك؟", "بخير"]),
        ("so happy! \N{FACE WITH TEARS OF JOY} She came", ["so happy!", "\N{FACE WITH TEARS OF JOY} She came"]),
        (" \n ", []),
    ],
)
def test_where_sentences_end(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


@pytest.mark.parametrize(
    ("sentence", "asks"), [("Did you? ", True), ("你呢\uff1f", True), ("حالك؟", True), ("No.", False)]
)
def test_what_asks(sentence: str, asks: bool) -> None:
    assert is_question(sentence) is asks


def test_statements_begin_after_whatever_parts_them() -> None:
    text = "At 8:30: Go! - Then \N{EM DASH} maybe; \N{BULLET} stop"
    assert {text[start:].split()[0] for start in statement_starts(text)} == {
        "At",
        "Go!",
        "Then",
        "maybe;",
        "\N{BULLET}",
        "stop",
    }


@given(st.text())
def test_no_letter_is_lost_and_none_told_twice(text: str) -> None:
    spans = sentence_spans(text)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert "".join("".join(text[start:end] for start, end in spans).split()) == "".join(text.split())
