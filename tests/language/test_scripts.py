"""Which scripts set no spaces between words."""

import pytest

from langrecall.language.scripts import is_unspaced, unspaced_characters
from langrecall.language.words import words_of


@pytest.mark.parametrize(
    ("text", "unspaced"),
    [
        ("สวัสดี", True),
        ("ສະບາຍດີ", True),
        ("မြန်မာ", True),
        ("ខ្មែរ", True),
        ("ひらがな", True),
        ("カタカナ", True),
        ("ｶﾀｶﾅ", True),
        ("ㄅㄆㄇ", True),
        ("漢字", True),
        ("々木", True),
        ("𠮷野", True),
        ("한국어", True),
        ("ᄒ", True),
        ("ㅋㅋ", True),
        ("word", False),
        ("Łódź", False),
        ("Москва", False),
        ("नमस्ते", False),
        ("שלום", False),
        ("。漢字", False),
        ("7", False),
        ("", False),
    ],
)
def test_a_script_is_known_by_the_first_character(text: str, unspaced: bool) -> None:
    assert is_unspaced(text) is unspaced


def test_only_characters_of_such_scripts_are_counted() -> None:
    assert unspaced_characters("我在 Oslo 住了 3 年。") == 5


def test_an_iteration_mark_stays_with_its_word() -> None:
    assert words_of("佐々木") == ["佐々", "々木"]
