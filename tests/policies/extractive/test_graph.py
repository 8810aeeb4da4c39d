"""The graph of a session without a model."""

from collections.abc import Sequence

import pytest

from langrecall.policies.extractive.graph import NAMES, NOUN_PHRASES, RELATIONS, TOGETHER, graph_of
from langrecall.records import Image, Turn


def turns(*said: tuple[str, str], caption: str | None = None) -> list[Turn]:
    """Turns of one session; the last has a picture where a caption is given."""
    made = [
        Turn(session_id="s", index=place, speaker=speaker, role="speaker", text=text)
        for place, (speaker, text) in enumerate(said)
    ]
    return [*made[:-1], made[-1].model_copy(update={"images": (Image(caption=caption),)})] if caption else made


def related(said: Sequence[Turn]) -> dict[tuple[str, str], tuple[int, ...]]:
    return {(one.subject, one.object): one.turns for one in graph_of(said).relations}


TALK = turns(
    ("Mia", "I joined a pottery class in Bergen."),
    ("Tom", "Is the pottery class near the harbour?"),
    ("Mia", "It is. My sister Runa likes pottery classes too."),
)


def test_speakers_names_and_noun_phrases_are_entities_each_once_however_spelled() -> None:
    entities = graph_of(TALK).entities
    assert {"Mia", "Tom", "Bergen", "pottery class", "harbour"} <= set(entities)
    assert "pottery classes" not in entities
    assert len(set(entities)) == len(entities)


def test_a_speaker_is_related_to_what_is_said_with_the_turns_that_say_it() -> None:
    found = related(TALK)
    assert found["Mia", "pottery class"] == (0, 2)
    assert found["Tom", "harbour"] == (1,)
    assert {relation.predicate for relation in graph_of(TALK).relations} == {TOGETHER}


def test_things_said_in_one_sentence_are_related_once_in_either_order() -> None:
    found = related(
        turns(
            ("Mia", "The chess club met in a rowing boat. I sold my violin."),
            ("Tom", "Your rowing boat and the chess club!"),
        )
    )
    pairs = {frozenset(pair): said for pair, said in found.items() if not {"Mia", "Tom"} & set(pair)}
    assert pairs == {frozenset(("chess club", "rowing boat")): (0, 1)}


def test_calling_each_other_by_name_relates_nobody() -> None:
    assert related(turns(("Mia", "How are you, Tom? I am well."), ("Tom", "Fine, Mia, and you?"))) == {}


def test_a_caption_names_things_too() -> None:
    found = related(
        turns(
            ("Mia", "I was there with my sister."), ("Tom", "Look at this."), caption="a photo of a wooden lighthouse"
        )
    )
    assert found["Tom", "wooden lighthouse"] == (1,)


@pytest.mark.parametrize(
    "text",
    [
        "昨日、京都の図書館で新しい仕事を始めました。",
        "Ich habe am Montag mit meiner Schwester einen Kurs besucht und er war sehr gut.",
        "Byłem na kursie i to było do niczego.",
        "Я купил новую лодку в Бергене.",
        "🐝🐝🐝",
        "",
    ],
)
def test_what_is_not_english_has_no_noun_phrases(text: str) -> None:
    graph = graph_of(turns(("Mia", text)))
    assert all(entity == "Mia" or entity[0].isupper() for entity in graph.entities)


def test_a_turn_in_another_language_is_left_out_of_an_english_talk() -> None:
    entities = graph_of(
        turns(
            ("Mia", "I joined a pottery class with my sister, and we both like it."),
            ("Tom", "Das war in der alten schule am fluss."),
        )
    ).entities
    assert "pottery class" in entities
    assert not {"schule", "alten schule", "fluss"} & set(entities)


def test_a_long_session_keeps_what_most_turns_speak_of() -> None:
    letters = "abcdefghij"
    odd = [
        f"I saw the {a}{b}{c}ton bridge and the {a}{c}{b}ford market of {a.upper()}{b}{c}ville."
        for a in letters
        for b in letters
        for c in "abcd"
    ]
    graph = graph_of(turns(*(("Mia", text) for text in [*odd, "I like the night train.", "I took the night train."])))
    assert len(graph.entities) == NAMES + NOUN_PHRASES + 1
    assert len(graph.relations) == RELATIONS
    assert "night train" in graph.entities


def test_every_turn_is_related_before_any_is_twice() -> None:
    letters = "abcdefgh"
    many = "the fishing net, the rowing boat, the oil lamp and the tin whistle"
    texts = [f"I sold {many} at the {a}{b}ton market." for a in letters[:4] for b in letters]
    reached = {
        index for relation in graph_of(turns(*(("Mia", text) for text in texts))).relations for index in relation.turns
    }
    assert reached == set(range(len(texts)))


def test_the_same_turns_have_the_same_graph_and_none_have_none() -> None:
    assert graph_of(TALK) == graph_of(list(TALK))
    assert graph_of([]) == ((), ())
