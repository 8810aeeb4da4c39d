import json
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from langrecall.policies.model.parsing import Parsed, Unreadable, parse
from langrecall.policies.model.said import Said
from langrecall.policies.model.wire import JudgementReply, StepReply, entry_shape, judgement_shape, step_shape

FENCE = "`" * 3
T = TypeVar("T")

MOST_CALLS = 100
"""Function calls that reading a reply may take for each of its characters, however long it is."""
INSUFFICIENT = '{"sufficient": false, "missing": ["city"]}'


def judged(text: str, *arguments: object, cut: bool = False) -> Parsed[JudgementReply] | Unreadable:
    return parse(Said(text, arguments, cut), judgement_shape())


def within(calls: int, work: Callable[[], T]) -> T:
    """What `work` gives if it makes no more function calls than so many, which counts the same on any machine."""
    left = calls

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal left
        left -= event.endswith("call")
        assert left >= 0, f"more than {calls} calls"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        return work()
    finally:
        sys.setprofile(before)


def stepped(text: str) -> Parsed[StepReply] | Unreadable:
    return parse(Said(text), step_shape(("read_raw", "search_meta", "answer")))


@pytest.mark.parametrize(
    ("text", "sufficient", "repaired"),
    [
        pytest.param(INSUFFICIENT, False, False, id="clean"),
        pytest.param(
            f"{FENCE}json\n{INSUFFICIENT}\n{FENCE}\nI looked at one session.", False, False, id="B01 fence and tail"
        ),
        pytest.param(
            f'<think>maybe {{"sufficient": true}}?</think>{INSUFFICIENT}', False, False, id="B03 thoughts first"
        ),
        pytest.param(
            f'maybe {{"sufficient": true}}?</think>{INSUFFICIENT}', False, False, id="B03 opening tag in the prompt"
        ),
        pytest.param(f"<THINKING>a</THINKING><think>b</think>{INSUFFICIENT}", False, False, id="B03 several blocks"),
        pytest.param(
            '{"sufficient": false, "missing": ["he wrote </think> there"]}', False, False, id="B03 tag in a string"
        ),
        pytest.param('{"Verdict": {"sufficient": true}}', True, True, id="B05 class name"),
        pytest.param('[{"sufficient": true}]', True, True, id="B05 bare list"),
        pytest.param('{"is_enough": true}', True, False, id="B05 renamed key"),
        pytest.param("{'sufficient': True, 'missing': [],}", True, True, id="B13 Python literal"),
        pytest.param('{"sufficient": true, "missing": []} see [2] and {note}', True, False, id="B13 brackets after"),
        pytest.param('As [1] and {a note} say: {"sufficient": true}', True, False, id="brackets before"),
        pytest.param('The [first one: {"sufficient": true, "missing": []}', True, False, id="unclosed bracket before"),
        pytest.param('{"sufficient": false, "missing": ["she said "no" twice"]}', False, True, id="unescaped quotes"),
        pytest.param('{"sufficient": false, "missing": ["a\nb"]}', False, False, id="raw line break"),
        pytest.param('"{\\"sufficient\\": true}"', True, True, id="JSON in a string"),
        pytest.param(
            '<tool_call>{"name": "J", "arguments": {"sufficient": true}}</tool_call>', True, True, id="B20 wrapper"
        ),
        pytest.param(
            '{"name": "J", "arguments": "{\\"sufficient\\": true}"}', True, True, id="B11 doubly encoded, as text"
        ),
        pytest.param('{"sufficient": true, "missing": []', True, True, id="last brace forgotten"),
        pytest.param('{"note": 1} {"sufficient": true} {"sufficient": false}', True, False, id="first that validates"),
    ],
)
def test_takes_the_first_complete_object(text: str, sufficient: bool, repaired: bool) -> None:
    parsed = judged(text)
    assert isinstance(parsed, Parsed)
    assert (parsed.value.sufficient, parsed.repaired) == (sufficient, repaired)


@pytest.mark.parametrize(
    ("text", "fault", "prose"),
    [
        pytest.param("", "empty", False, id="B07 empty"),
        pytest.param("<think>I should think {", "empty", False, id="only thoughts"),
        pytest.param("I cannot tell.", "no JSON object", True, id="B20 prose"),
        pytest.param("42", "no JSON object", True, id="a bare number"),
        pytest.param(
            '{"properties": {"sufficient": {"type": "boolean"}}}', "sufficient: field required", False, id="B05 schema"
        ),
        pytest.param('[{"session": "s1"}]', "sufficient: field required", False, id="B05 bare list of something else"),
        pytest.param(
            '{"sufficient": "perhaps"}', "sufficient: input should be a valid boolean", False, id="no boolean"
        ),
        pytest.param(
            '{"sufficient": true, "evolution": "guessed"}',
            "evolution: input should be",
            False,
            id="unknown verdict word",
        ),
    ],
)
def test_says_why_there_is_no_object(text: str, fault: str, prose: bool) -> None:
    parsed = judged(text)
    assert isinstance(parsed, Unreadable)
    assert fault in parsed.fault
    assert parsed.prose is prose


def test_a_cut_object_is_never_completed() -> None:
    assert judged('{"sufficient": tr', cut=True) == Unreadable("it was cut off because it is too long")
    assert judged('{"sufficient": true, "missing": ["th', cut=True) == Unreadable(
        "it was cut off because it is too long"
    )


def test_a_whole_object_before_the_cut_counts() -> None:
    assert isinstance(judged('{"sufficient": true} and furthermore {"x', cut=True), Parsed)


@pytest.mark.parametrize(
    ("arguments", "sufficient"),
    [
        pytest.param({"sufficient": True}, True, id="object"),
        pytest.param('{"sufficient": true}', True, id="JSON"),
        pytest.param('"{\\"sufficient\\": true}"', True, id="B11 doubly encoded"),
        pytest.param("{'sufficient': False,}", False, id="almost JSON"),
    ],
)
def test_reads_tool_arguments_in_whatever_form(arguments: object, sufficient: bool) -> None:
    parsed = judged("", arguments)
    assert isinstance(parsed, Parsed)
    assert parsed.value.sufficient is sufficient


@pytest.mark.parametrize("arguments", [None, "", {}], ids=["null", "empty", "no arguments"])
def test_empty_tool_arguments_are_no_reply(arguments: object) -> None:
    assert judged("", arguments) == Unreadable("it is empty")


def test_prefers_tool_arguments_to_text() -> None:
    parsed = judged('{"sufficient": false}', {"sufficient": True})
    assert isinstance(parsed, Parsed)
    assert parsed.value.sufficient


@pytest.mark.parametrize("action", ["read_raw", "ReadRaw", "READ RAW", "read-raw"])
def test_an_action_is_known_in_any_spelling(action: str) -> None:
    parsed = stepped(f'{{"action": "{action}", "argument": "s3"}}')
    assert isinstance(parsed, Parsed)
    assert parsed.value.action == "read_raw"


@pytest.mark.parametrize("action", ["zoom_out", "finish", ""])
def test_an_action_that_is_not_open_is_a_fault_that_names_the_open_ones(action: str) -> None:
    parsed = stepped(f'{{"action": "{action}"}}')
    assert isinstance(parsed, Unreadable)
    assert "'read_raw', 'search_meta' or 'answer'" in parsed.fault


def test_loose_values_are_read_as_what_they_mean() -> None:
    parsed = stepped(
        '{"reasoning": null, "memory": ["Bo has a cat", {"fact": "He is 7", "source": 12, "quote": null}],'
        ' "missing": "the cat\'s age", "next_action": "answer", "argument": 3}'
    )
    assert isinstance(parsed, Parsed)
    step = parsed.value
    assert [(line.text, line.sources, line.quote) for line in step.memory] == [
        ("Bo has a cat", [], ""),
        ("He is 7", ["12"], ""),
    ]
    assert (step.reasoning, step.missing, step.argument) == ("", ["the cat's age"], "3")


def test_a_memory_that_cannot_be_read_is_a_fault_and_not_an_empty_memory() -> None:
    parsed = stepped('{"action": "answer", "memory": [{"sources": ["s1:1"]}]}')
    assert isinstance(parsed, Unreadable)
    assert "memory.0.text: field required" in parsed.fault


LONG_NUMBER = "9" * 5_000
PIECES = [
    "{",
    "[",
    "}",
    "]",
    '"',
    "'",
    ":",
    ",",
    " ",
    "a",
    "1",
    "(",
    "\\",
    "\n",
    "\u201d",
    "`",
    '{"a": ',
    '"b": [',
    "null",
    "</think>",
]


@pytest.mark.parametrize("size", [4_000, 40_000])
@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "{",
        "[1,",
        '{"a":',
        '{"a": "',
        '{"a": "x", "b": ["',
        '["a", "b ',
        '{"a": {"b" ',
        '{"reasoning": "I think {"',
        '[{"',
        "{'a': '",
        "{\n\\",
        "{a 1} ",
        "<think>",
    ],
)
def test_a_reply_that_repeats_itself_is_soon_found_unreadable(unit: str, size: int) -> None:
    assert isinstance(within(MOST_CALLS * size, lambda: stepped((unit * size)[:size])), Unreadable)


@pytest.mark.parametrize("unit", ['”"', ' -"', "e }", "[", "(", ":("])
@pytest.mark.parametrize("opening", ["[", '{"a": "', '{"a": ["'])
def test_one_long_broken_stretch_is_soon_given_up(opening: str, unit: str) -> None:
    reply = opening + unit * 10_000
    assert isinstance(within(MOST_CALLS * len(reply), lambda: stepped(reply)), Unreadable)


@given(unit=st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join), opening=st.sampled_from(PIECES))
@example(unit="".join(['{"a": ', '"', "a", '"', ",", " ", '"b": [', '"']), opening=" ")
def test_whatever_is_repeated_ends_in_a_reply_or_a_fault(unit: str, opening: str) -> None:
    parsed = within(1_500_000, lambda: stepped(opening + (unit * 1_500)[:1_500]))
    assert isinstance(parsed, Parsed) or parsed.fault


@given(st.text())
def test_any_text_is_a_reply_or_a_fault(text: str) -> None:
    parsed = stepped(text)
    assert isinstance(parsed, Parsed) or parsed.fault


def test_what_nests_too_deeply_says_so() -> None:
    nested = '{"action": "answer", "missing": ' + "[" * 100 + "]" * 100 + "}"
    assert stepped(nested) == Unreadable("it has too many brackets within brackets")
    assert isinstance(judged("", {"sufficient": True, "missing": json.loads("[" * 60 + "]" * 60)}), Unreadable)


def test_an_object_after_broken_brackets_is_still_found() -> None:
    assert isinstance(judged("[a [b [c " + INSUFFICIENT), Parsed)
    assert isinstance(judged("[" * 50 + "]" * 50 + INSUFFICIENT), Parsed)


def test_a_long_reply_with_one_broken_quote_is_repaired() -> None:
    lines = ", ".join('{"text": "Bo said that the cat sleeps on the stove", "sources": ["s1:1"]}' for _ in range(80))
    parsed = stepped(f'{{"reasoning": "He said "so".", "memory": [{lines}], "action": "answer"}}')
    assert isinstance(parsed, Parsed)
    assert (len(parsed.value.memory), parsed.repaired) == (80, True)


@pytest.mark.parametrize("text", ['{"action": "answer", "argument": %s}', "{'action': 'answer', 'argument': %s,}"])
def test_a_number_of_any_length_is_read_as_its_digits(text: str) -> None:
    parsed = stepped(text % LONG_NUMBER)
    assert isinstance(parsed, Parsed)
    assert parsed.value.argument == LONG_NUMBER


def test_a_turn_index_of_any_length_is_dropped() -> None:
    reply = f'{{"title": "Cats", "events": [{{"text": "Bo got a cat", "turns": [2, {LONG_NUMBER}, "{LONG_NUMBER}"]}}]}}'
    parsed = parse(Said(reply), entry_shape("wiki"))
    assert isinstance(parsed, Parsed)
    assert parsed.value.events[0].turns == [2]
