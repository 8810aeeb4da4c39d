import numpy as np
import pytest

from langrecall.language.words import LexicalIndex, terms, words_of


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


def test_accents_and_case_do_not_hide_a_match() -> None:
    index = LexicalIndex.build([terms("We met at the Café Müller"), terms("We met at home")])
    assert index.scores(terms("CAFE MULLER"))[0] > 0
    assert index.scores(terms("CAFE MULLER"))[1] == 0


def test_a_rarer_term_counts_for_more() -> None:
    index = LexicalIndex.build([["boat", "walk"], ["walk", "rain"], ["walk", "sun"]])
    scores = index.scores(["boat", "walk"])
    assert scores[0] > scores[1] == scores[2] > 0


@pytest.mark.parametrize("query", [[], ["unknown"]])
def test_a_query_without_known_terms_matches_nothing(query: list[str]) -> None:
    index = LexicalIndex.build([["boat"], [], ["rain"]])
    assert index.scores(query).tolist() == [0, 0, 0]


def test_documents_without_terms_keep_their_place() -> None:
    index = LexicalIndex.build([[], ["boat"], []])
    assert np.flatnonzero(index.scores(["boat"])).tolist() == [1]


@pytest.mark.parametrize("documents", [[], [[], []]])
def test_an_index_without_terms_matches_nothing(documents: list[list[str]]) -> None:
    assert LexicalIndex.build(documents).scores(["boat"]).tolist() == [0.0] * len(documents)
