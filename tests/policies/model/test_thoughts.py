"""What a model thinks is cut out of what it says, whole or while it is streamed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langrecall.policies.model.thoughts import Spoken, ends_thoughts, without_thoughts


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>a</think> On 7 May [1].", "On 7 May [1]."),
        ("so it goes</think>\nOn 7 May [1].", "On 7 May [1]."),
        ("<think>never closed", ""),
        ("I <i>think</i> so", "I <i>think</i> so"),
    ],
)
def test_thoughts_are_taken_off(text: str, left: str) -> None:
    assert without_thoughts(text) == left


def streamed(text: str, *, after: str = "", opened: bool = False, cut: bool = False, size: int = 3) -> str:
    """What is passed on of a reply that comes in pieces of so many characters."""
    spoken = Spoken(after=after, opened=opened)
    heard = [spoken.heard(text[at : at + size]) for at in range(0, len(text), size)]
    return "".join(heard) + spoken.rest(cut=cut)


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("On 7 May [1].", "On 7 May [1]."),
        ("<think>a</think> On 7 May [1].", "On 7 May [1]."),
        ("  <thought>a\n</thought>\n<thinking>b</thinking>On 7 May [1].", "On 7 May [1]."),
        ("[think]so[/think] On 7 May [1].", "On 7 May [1]."),
        ("<think>never closed", ""),
        ("<b>On</b> 7 May [1].", "<b>On</b> 7 May [1]."),
        ("[1] says 7 May.", "[1] says 7 May."),
        ("<", "<"),
        ("", ""),
    ],
)
def test_thoughts_are_never_streamed(text: str, left: str, size: int) -> None:
    assert streamed(text, size=size) == left


def test_thoughts_that_the_prompt_has_opened_end_with_their_tag() -> None:
    assert ends_thoughts("so it goes</think> On 7 May [1].")
    assert streamed("so it goes</think> On 7 May [1].", opened=True) == "On 7 May [1]."
    assert streamed("On 7 May [1].", opened=True) == "On 7 May [1]."


def test_what_stands_before_the_marker_is_thought() -> None:
    reasoned = "First, the dog. Then the day.\nAnswer: On 7 May [1]."
    assert streamed(reasoned, after="Answer:") == "On 7 May [1]."
    assert streamed("First, the dog. Then", after="Answer:", cut=True) == ""
    assert streamed("On 7 May [1].", after="Answer:") == "On 7 May [1]."


def test_what_was_held_back_is_kept_as_thoughts() -> None:
    spoken = Spoken()
    assert spoken.heard("<think>a</think>b") + spoken.rest(cut=False) == "b"
    assert spoken.thoughts == "<think>a</think>"


@given(st.text(alphabet="<>/thinkab []"), st.integers(1, 5))
def test_a_stream_never_says_more_than_the_whole_reply(text: str, size: int) -> None:
    said, whole = streamed(text, size=size), without_thoughts(text)
    assert re.sub(r"\s", "", whole) in re.sub(r"\s", "", said)
