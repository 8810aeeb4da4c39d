"""A name is a name in every script that has capitals, and only where a capital tells anything."""

import pytest

from langrecall.language.names import name_words, names_of


@pytest.mark.parametrize(
    "name", ["Anna", "Élodie", "Øystein", "Łódź", "Ængus", "Ñuño", "Đorđe", "Žižek", "Οδυσσέας", "Александр", "Ōtani"]
)
def test_a_capital_within_a_sentence_makes_a_name(name: str) -> None:
    assert names_of(f"we met {name} there") == [name]
    assert names_of(f"we heard “{name}” twice") == [name]


@pytest.mark.parametrize(
    "text", ["Étude is what they call it.", "an étude and the ñandú", "", "We left. Then it rained.", "she is 5 A"]
)
def test_no_name(text: str) -> None:
    assert names_of(text) == []


def test_a_run_of_capitals_is_one_name_and_each_name_is_told_once() -> None:
    text = "with Øystein Dahl in Bø, and again with Øystein Dahl"
    assert names_of(text) == ["Øystein Dahl", "Bø"]
    assert name_words(text) == ["Øystein", "Dahl", "Bø", "Øystein", "Dahl"]
