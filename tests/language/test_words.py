import pytest

from langrecall.language.words import terms, words_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She was painting the painted kites!", ["paint", "paint", "kite"]),
        ("Zoë's CAFÉ", ["zoe", "cafe"]),
        ("\uff26\uff55\uff4c\uff4c width", ["full", "width"]),
        ("東京に行く", ["東京", "京に", "に行", "行く"]),
        ("がん", ["がん"]),
        ("한국어 학교", ["한국", "국어", "학교"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("route 66 in 2023", ["rout", "66", "2023"]),
        ("👍 🎉", []),
        ("what did he do?", []),
    ],
)
def test_terms_are_folded_stemmed_and_without_stop_words(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_words_keep_stop_words_and_endings() -> None:
    assert words_of("Was it Kites?") == ["was", "it", "kites"]
