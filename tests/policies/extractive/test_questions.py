"""A question is taken apart by its words alone."""

import pytest

from langrecall.policies.extractive.questions import Asked

PEOPLE = ["Mia", "Tom Ash"]


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("When did Mia move?", "when"),
        ("What time does the shop open?", "clock"),
        ("Where does Runa live?", "where"),
        ("Which hospital was it?", "name"),
        ("What is the name of her dog?", "name"),
        ("How much did the shoe cost?", "money"),
        ("How long is the boat?", "length"),
        ("How many dogs has Mia?", "number"),
        ("What does Runa do for a living?", "job"),
        ("What did Mia paint?", "other"),
    ],
)
def test_kind(query: str, kind: str) -> None:
    assert Asked.of(query, PEOPLE).kind == kind


def test_speakers_are_people_and_no_terms() -> None:
    asked = Asked.of("What did Mia tell Tom about the regatta in Oslo?", PEOPLE)
    assert asked.people == {"Mia", "Tom Ash"}
    assert asked.terms == {"regatta", "oslo"}
    assert asked.names == {"oslo"}


def test_in_a_chat_with_an_assistant_i_is_the_user() -> None:
    assert Asked.of("Where did I park my bike?", ["user", "assistant"]).people == {"user"}


def test_light_words_are_terms_only_where_nothing_else_is_left() -> None:
    assert Asked.of("What did Mia say?", PEOPLE).terms == {"say"}


def test_verbs_and_the_answer_type_count_less_than_nouns() -> None:
    weights = Asked.of("Which sauce did Mia burn with the onions?", PEOPLE).weights()
    assert weights["onion"] > weights["burn"] > weights["sauc"]
    assert sum(weights.values()) == pytest.approx(1)


def test_irregular_verbs_are_one_word() -> None:
    assert Asked.of("When did Mia break the vase?", PEOPLE).terms == Asked.of("Was the vase broken?", PEOPLE).terms
