"""Support follows from words, from who is spoken of, and from the kind of thing asked for."""

from datetime import datetime

import pytest

from langrecall.policies.extractive.evidence import holds, is_about, weigh
from langrecall.policies.extractive.questions import Asked, Kind
from langrecall.records import Image, Turn

PEOPLE = ["Mia", "Tom"]


def turn(text: str, *, speaker: str = "Mia", index: int = 1, images: tuple[Image, ...] = ()) -> Turn:
    time = datetime(2024, 3, 12, 18)
    return Turn(session_id="s", index=index, speaker=speaker, role="speaker", text=text, time=time, images=images)


def support(query: str, said: Turn, *before: Turn) -> float:
    (evidence,) = weigh([said], before, Asked.of(query, PEOPLE))
    return evidence.support


def test_a_turn_that_says_it_carries_the_question() -> None:
    assert support("Where did Mia buy the lamp?", turn("I bought the lamp in the market hall.")) == pytest.approx(1)


def test_the_same_words_of_another_person_carry_nothing() -> None:
    assert support("Where did Tom buy the lamp?", turn("I bought the lamp in the market hall.")) == 0


def test_what_is_said_to_a_person_is_about_that_person() -> None:
    assert support("Where did Tom buy the lamp?", turn("You bought the lamp in the market hall.")) > 0.9


def test_a_question_states_nothing() -> None:
    assert support("Where did Mia buy the lamp?", turn("Where did I buy that lamp?")) == 0


def test_a_reply_is_carried_by_the_question_before_it() -> None:
    reply, asked = turn("Two hundred euros."), turn("What did your lamp cost?", speaker="Tom", index=0)
    assert (
        support("How much did Mia's lamp cost?", reply, asked) > 0.5 > support("How much did Mia's lamp cost?", reply)
    )


def test_without_the_kind_of_thing_asked_for_there_is_no_support() -> None:
    assert support("How much did Mia's lamp cost?", turn("I like the lamp in the hall.")) == 0


def test_text_read_from_a_picture_counts() -> None:
    poster = turn("Look!", images=(Image(caption="a poster", ocr="Regatta, doors open 19:45"),))
    assert support("What time do the doors open at the regatta?", poster) > 0.9


def test_a_picture_of_which_nothing_is_known_carries_nothing() -> None:
    before = turn("Here is an image of my lamp.", index=0)
    unread = turn("", images=(Image(source="a.png"),))
    assert support("What is in Mia's image of the lamp?", unread, before) == 0


def test_rank_decides_between_equals() -> None:
    said = [turn("The lamp broke."), turn("The lamp broke.", index=5)]
    first, second = weigh(said, [], Asked.of("What happened to the lamp?", PEOPLE))
    assert (first.turn.index, second.turn.index) == (1, 5)
    assert first.score > second.score


@pytest.mark.parametrize(
    ("sentence", "speaker", "about"),
    [
        ("I moved.", "Mia", True),
        ("The moving van came.", "Mia", True),
        ("You moved.", "Mia", False),
        ("I moved.", "Tom", False),
        ("You moved.", "Tom", True),
        ("Mia moved.", "Tom", True),
    ],
)
def test_is_about(sentence: str, speaker: str, about: bool) -> None:
    assert is_about(sentence, turn(sentence, speaker=speaker), Asked.of("Where did Mia move?", PEOPLE)) is about


@pytest.mark.parametrize(
    ("kind", "yes", "no"),
    [
        ("clock", "Doors at 19:45.", "Doors in the evening."),
        ("number", "I have three cats.", "I have cats."),
        ("money", "It was 20 euros.", "It was dear."),
        ("length", "It is four metres long.", "It is very long."),
        ("name", "We called it Bolt.", "We called it something."),
        ("job", "She is a ferry engineer.", "She is tall."),
    ],
)
def test_holds(kind: Kind, yes: str, no: str) -> None:
    assert holds(yes, turn(yes), kind)
    assert not holds(no, turn(no), kind)
