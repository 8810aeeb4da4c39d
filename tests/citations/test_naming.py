"""Which turns or session words name: models write ids in brackets and lists, shorten and misspell them."""

import pytest

from langrecall.citations.naming import STRETCH, Named, session_named, sessions_of, turn_named, turns_meant, turns_named

ODD = [
    "Chat with Bo, 2024:0",
    "chat [1]:12",
    "Team; May:0",
    "WhatsApp Chat with Bo 2025-08-30T1800:3",
    '"quoted":4',
    "10:30:2",
    "s1:2",
    "x-s1:2",
]


@pytest.mark.parametrize("written", ["{}", " [{}]", '"{}".', "`{}`", "({})", "around {}, please", "\n{}\n"])
@pytest.mark.parametrize("turn", ODD)
def test_an_id_is_found_whatever_it_holds(turn: str, written: str) -> None:
    assert turns_named(written.format(turn), sessions_of(ODD)).ids == [turn]


@pytest.mark.parametrize(
    ("words", "ids", "others"),
    [
        ("s1:3", ["s1:3"], []),
        ("s1: 3", ["s1:3"], []),
        ("s1:3.", ["s1:3"], []),
        ("[s1:3], [s1:4]", ["s1:3", "s1:4"], []),
        ("[s1:3][s1:4]", ["s1:3", "s1:4"], []),
        ("s1:4;s1:3", ["s1:4", "s1:3"], []),
        ("s1:3 s1:3", ["s1:3"], []),
        ("a b:1 and s1:3", ["a b:1", "s1:3"], ["and"]),
        ("s1:3-5", ["s1:3", "s1:4", "s1:5"], []),
        ("[s1:3\u20134]", ["s1:3", "s1:4"], []),
        ("a b:1 - 2", ["a b:1", "a b:2"], []),
        ("s1:5-3", ["s1:5"], []),
        ("s1:0-999999", [f"s1:{index}" for index in range(STRETCH)], []),
        ("s1:03", ["s1:3"], []),
        ("s1:99", ["s1:99"], []),
        ("s2:3", [], ["s2:3"]),
        ("s1:3, s2:4", ["s1:3"], ["s2:4"]),
        ("[s2:3; s1]", [], ["s2:3", "s1"]),
        ("xs1:3", [], ["xs1:3"]),
        ("x-s1:3", [], ["x-s1:3"]),
        ("s1:3:0", [], ["s1:3:0"]),
        ("S1:3", [], ["S1:3"]),
        ("s1:3x", [], ["s1:3x"]),
        ("s1", [], ["s1"]),
        ("What did Bo say in 2023, and where?", [], ["What did Bo say in 2023", "and where?"]),
        ("", [], []),
        (" [] ,.", [], []),
    ],
)
def test_turns_of_known_sessions_are_told_from_what_else_stands_there(
    words: str, ids: list[str], others: list[str]
) -> None:
    assert turns_named(words, ["s1", "a b"]) == Named(ids, others)


@pytest.mark.parametrize(
    ("words", "unknown"),
    [
        ("s1:3", []),
        ("around s1:3", []),
        ("s1:3, said [zz:9]", ["zz:9"]),
        ("the dog", ["the dog"]),
        ("[a b:1], zz:9", ["a b:1", "zz:9"]),
        ("", []),
    ],
)
def test_what_was_meant_for_an_id_is_told_by_its_form_or_by_nothing_else_being_named(
    words: str, unknown: list[str]
) -> None:
    assert turns_named(words, ["s1"]).unknown == unknown


@pytest.mark.parametrize(
    ("words", "turns"),
    [
        ("s1:3, s1:4", ["s1:3", "s1:4"]),
        ("[s1:3];[s1:4]", ["s1:3", "s1:4"]),
        (" s1:3 ,\n 4 ", ["s1:3", "s1:4"]),
        ("3,4", ["s1:3", "s1:4"]),
        ("S1: 3", ["s1:3"]),
        ("turn 3 (s1:3)", ["s1:3"]),
        ("s1:3 (Mia)", ["s1:3"]),
        ("s1:3-4", ["s1:3", "s1:4"]),
        ("s2:3", ["s2:3"]),
        ("nonsense", ["nonsense"]),
        ("", []),
    ],
)
def test_words_that_are_nothing_but_ids_may_spell_them_otherwise(words: str, turns: list[str]) -> None:
    assert turns_meant(words, ["s1:3", "s1:4"]) == turns


def test_a_bare_number_is_a_turn_only_where_one_session_is_shown() -> None:
    assert turns_meant("3", ["s1:3", "s2:4"]) == ["3"]
    assert turns_meant("1:3", ["session_1:3", "session_2:3"]) == ["session_1:3"]


SEEN = ["s1", "chat [1]", '"quoted"', " blank", "Chat with Bo, 2024", "10:30"]


@pytest.mark.parametrize(
    ("words", "session"),
    [
        ("s1", "s1"),
        (" [s1] ", "s1"),
        ("s1.", "s1"),
        ("`s1:12`", "s1"),
        ("s1:3, s1:4", "s1"),
        ("read around s1:12, please", "s1"),
        ("chat [1]", "chat [1]"),
        ("chat [1]:0", "chat [1]"),
        ('"quoted"', '"quoted"'),
        (" blank", " blank"),
        ("[Chat with Bo, 2024:3]", "Chat with Bo, 2024"),
        ("10:30", "10:30"),
        ("10:30:2", "10:30"),
        ("s2", None),
        ("what s1 says", None),
        ("s1:x", None),
        ("", None),
    ],
)
def test_a_session_is_named_by_its_id_or_by_a_turn(words: str, session: str | None) -> None:
    assert session_named(words, SEEN) == session


@pytest.mark.parametrize("words", ["{}", " {}\n", "[{}]", "`{}`.", '"{}"'])
@pytest.mark.parametrize("turn", ["s1:2", "chat [1]:12", "Chat with Bo, 2024:0", "10:30:2"])
def test_one_turn_is_named_as_it_is_or_wrapped(words: str, turn: str) -> None:
    assert str(turn_named(words.format(turn))) == turn


@pytest.mark.parametrize("words", ["", "s1", "s1:x", "[]"])
def test_what_names_no_turn_is_an_error(words: str) -> None:
    with pytest.raises(ValueError, match="no turn id"):
        turn_named(words)
