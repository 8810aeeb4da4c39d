"""Noun phrases are what one could ask about, and nothing else is taken for one."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from langrecall.language.english import is_english, leads
from langrecall.language.noun_phrases import LONGEST, noun_phrases
from langrecall.language.words import words_of


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("I signed up for a pottery class yesterday.", ["pottery class"]),
        ("We've been researching adoption agencies lately.", ["adoption agencies"]),
        ("I ran a charity race for animal shelters last Saturday!", ["charity race", "animal shelters"]),
        ("My sister bought a really nice rowing boat.", ["sister", "rowing boat"]),
        ("She went to a chess tournament, a book fair and a flea market.", ["chess tournament", "book fair", "flea market"]),
        ("I love beekeeping, rock climbing and old maps.", ["beekeeping", "rock climbing", "maps"]),
        ("The HTTP support group helped us.", ["HTTP support group"]),
        ("Our support team plays the talent show.", ["support team", "talent show"]),
        ("I sold Mia's violin to buy oil paints.", ["violin", "oil paints"]),
        ("That zoë-themed café, isn't it lovely?", ["zoë-themed café"]),
        ("I'm allergic to cat hair, and he isn't.", ["cat hair"]),
    ],
)  # fmt: skip
def test_phrases_are_told_as_they_are_written(text: str, phrases: list[str]) -> None:
    assert noun_phrases(text) == phrases


@pytest.mark.parametrize(
    "text",
    [
        "Wow, that's a great idea! You are so kind.",
        "What a lot of things! Some kind of way to do it, one day.",
        "It was so peaceful and I felt really hopeful and creative.",
        "I met Anna Berg in Bergen.",
        "Bathing Luna helps, and so does encouraging Luna.",
        "See you next week, or on Monday morning.",
        "I told her that they do it themselves, again and again.",
        "Thanks! Sounds good. Take care.",
        "1234 5,000 12:30 --- !!! ... ' '' \u2019s",
        "",
    ],
)
def test_names_pronouns_praise_and_times_are_no_phrases(text: str) -> None:
    assert noun_phrases(text) == []


@given(st.text())
@example("\u0300")
def test_any_text_has_short_phrases_of_its_own_words(text: str) -> None:
    for phrase in noun_phrases(text):
        assert 0 < len(phrase.split()) <= LONGEST
        assert all(word in text for word in phrase.split())


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("I was at the market with my sister and we bought some bread.", True),
        ("I bought a beagle.", True),
        ("Ich war am Montag in Berlin und will so was kaufen.", False),
        ("J'ai vu un film avec mon frère et nous avons ri.", False),
        ("Ho comprato un cane e una casa a Roma.", False),
        ("Byłem na kursie i to było do niczego, ale my to lubimy.", False),
        ("昨日、京都の図書館で新しい仕事を始めました。", False),
        ("ذهبت إلى السوق مع أختي", False),
        ("", False),
    ],
)
def test_english_is_told_from_other_languages(text: str, english: bool) -> None:
    assert is_english(words_of(text)) is english


def test_a_short_turn_of_an_english_talk_needs_only_to_be_nearer_to_english() -> None:
    assert leads(words_of("A pottery class of my own!"))
    assert not leads(words_of("Das war in der Schule."))
