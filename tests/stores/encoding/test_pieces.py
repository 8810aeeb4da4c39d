from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langrecall.records import Episode, Event, Fact, Image, Relation, Session, Turn
from langrecall.rendering import text_tokens
from langrecall.stores.encoding.pieces import CHUNK_CHARACTERS, Piece, PieceKind, pieces, split_text, telling_sentences


def session(*texts: str, images: tuple[Image, ...] = ()) -> Session:
    turns = [
        Turn(session_id="s", index=index, speaker=("Ana", "Bo")[index % 2], role="speaker", text=text, images=images)
        for index, text in enumerate(texts)
    ]
    return Session(session_id="s", time=datetime(2024, 3, 1), turns=tuple(turns))


def of_kind(found: list[Piece], kind: PieceKind) -> list[Piece]:
    return [piece for piece in found if piece.kind == kind]


def test_a_short_turn_is_one_piece_with_its_speaker_and_its_picture() -> None:
    found = pieces(session("Look at this", images=(Image(caption="a red kite"),)), None)
    assert of_kind(found, "turn") == [
        Piece("s:0:turn:0", "turn", "s", (0,), "Ana: Look at this [image: a red kite]"),
    ]


def test_a_long_turn_is_split_into_parts_that_join_to_the_turn_and_keep_its_index() -> None:
    said = "We walked along the river until it got dark. " * 60
    parts = of_kind(pieces(session("Hi", said), None), "turn")[1:]
    assert "".join(part.text for part in parts) == f"Bo: {said}"
    assert {part.turns for part in parts} == {(1,)}
    assert all(text_tokens(part.text) <= 200 for part in parts)
    assert len({part.id for part in parts}) == len(parts) == 4


@given(st.text(max_size=3 * CHUNK_CHARACTERS))
def test_splitting_loses_nothing(text: str) -> None:
    parts = split_text(text)
    assert "".join(parts) == text
    assert all(len(part) <= CHUNK_CHARACTERS for part in parts)


def test_splitting_cuts_between_words_where_it_can() -> None:
    assert all(part.endswith(" ") for part in split_text("walk " * 400)[:-1])
    assert [len(part) for part in split_text("x" * 1700)] == [800, 800, 100]


def test_a_context_holds_the_turn_before_as_far_as_there_is_room() -> None:
    first, second, third = of_kind(pieces(session("Where were you?", "In Rome.", "y" * 2000), None), "context")
    assert first.text == "Ana: Where were you?"
    assert second.text == "Ana: Where were you?\nBo: In Rome."
    assert len(third.text) == 1000
    assert "Rome" not in third.text
    assert second.turns == (1,)


def test_sentences_of_a_turn_are_pieces_where_there_are_several() -> None:
    found = of_kind(pieces(session("I moved to Oslo. It is cold there! Wow.", "I never left home."), None), "sentence")
    assert [piece.text for piece in found] == ["Ana: I moved to Oslo.", "Ana: It is cold there!"]


def test_a_turn_longer_than_a_chunk_has_no_sentence_pieces() -> None:
    assert not of_kind(pieces(session("We walked along the river. " * 40), None), "sentence")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It cost 3.50 euros. We paid it.", ["It cost 3.50 euros.", "We paid it."]),
        ("昨日東京に行きました。楽しかったです。", ["昨日東京に行きました。", "楽しかったです。"]),
        ("one two three\nfour five six", ["one two three", "four five six"]),
        ("Wow! Yes.", []),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    assert telling_sentences(text) == expected


def test_equal_texts_of_different_turns_have_different_ids() -> None:
    found = pieces(session("ok", "ok", "ok"), None)
    assert len({piece.id for piece in found}) == len(found)


def test_a_blank_session_has_no_pieces() -> None:
    assert pieces(Session(session_id="s"), None) == []
    assert pieces(Session(session_id="s"), Episode(session_id="s", title=" ")) == []


def test_an_entry_has_one_piece_of_its_own_and_one_for_each_part() -> None:
    entry = Episode(
        session_id="s",
        title="Rome",
        facts=(Fact(text="Ana was in Rome", turns=(0,)), Fact(text="Bo was not", turns=(1,))),
        events=(Event(text="Ana was in Rome", turns=(2,)),),
        entities=("Ana", "Rome", "Ana"),
        relations=(Relation(subject="Ana", predicate="visited", object="Rome", turns=(0, 2)),),
    )
    found = pieces(session("a", "b", "c"), entry)
    assert [piece.turns for piece in of_kind(found, "episode")] == [()]
    assert [(piece.text, piece.turns) for piece in of_kind(found, "fact")] == [
        ("Ana was in Rome", (0, 2)),
        ("Bo was not", (1,)),
    ]
    assert [(piece.text, piece.turns) for piece in of_kind(found, "entity")] == [("Ana", (0, 2)), ("Rome", (0, 2))]
    assert [piece.text for piece in of_kind(found, "relation")] == ["Ana visited Rome"]
