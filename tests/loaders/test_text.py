"""Lone surrogates are cleaned; nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langrecall.loaders.text import clean, cleaned, may_hold_surrogates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nice \ud83d day", "nice \ufffd day"),
        ("\udc00", "\ufffd"),
        ("end \ud83d", "end \ufffd"),
        ("\ud83d\ude00 and \ude00\ud83d", "\U0001f600 and \ufffd\ufffd"),
    ],
)
def test_each_lone_surrogate_becomes_one_replacement_character(text: str, expected: str) -> None:
    assert clean(text) == expected


@given(st.text())
def test_well_formed_text_is_left_alone(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    "text", ["👩‍👩‍👧", "שלום \u200f", "a\u200bb", " two  blanks \r\n", "teh Kyiv trip w/ Łucja, 3pm-ish"]
)
def test_emoji_families_direction_marks_and_spelling_are_left_alone(text: str) -> None:
    assert clean(text) == text


def test_cleans_keys_and_values_at_any_depth() -> None:
    assert cleaned({"a\ud800": ["\udfff", {"b": 1}], "c": None}) == {"a\ufffd": ["\ufffd", {"b": 1}], "c": None}


@pytest.mark.parametrize(("raw", "expected"), [(r'"\ud83d"', True), (r'"\uDFff"', True), (r'"\u00e9 \\d83d"', False)])
def test_only_files_with_a_surrogate_escape_are_walked_again(raw: str, expected: bool) -> None:
    assert may_hold_surrogates(raw) is expected
