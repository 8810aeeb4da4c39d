"""Telling the formats apart, and the documented examples."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from langrecall.errors import InputError
from langrecall.loaders import load
from langrecall.loaders.faults import Location, listed, shape

FORMATS = Path(__file__).parents[2] / "docs" / "formats.md"
LOCOMO = {"sample_id": "c1", "conversation": {"session_1": []}}
LONGMEMEVAL = {"question_id": "q1", "haystack_sessions": [], "haystack_session_ids": [], "haystack_dates": []}


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ([LOCOMO], "locomo"),
        (LOCOMO, "locomo"),
        ([LONGMEMEVAL], "longmemeval"),
        (LONGMEMEVAL, "longmemeval"),
        ({"sessions": [{"session_id": "a"}]}, "sessions"),
        ([{"session_id": "a"}], "sessions"),
        ([{"role": "user", "content": "x"}], "messages"),
        ([[{"type": "human", "content": "x"}]], "messages"),
        ([{"mapping": {}, "id": "c"}], "messages"),
    ],
)
def test_the_content_tells_the_format(write: Callable[..., Path], content: object, kind: str) -> None:
    assert load(write(content)).kind == kind
    lines = "\n".join(map(json.dumps, content if isinstance(content, list) else [content]))
    assert load(write(lines, "h.jsonl")).kind == kind


@pytest.mark.parametrize(
    ("content", "described"),
    [
        (
            {"name": "Jimmy", "messages": [{"id": 1, "from": "Bo", "text": "hi"}]},
            "an object with the keys 'name', 'messages'",
        ),
        ([{"text": "x"}, {"text": "y"}], "a list of 2 records, the first an object with the keys 'text'"),
        ([{"type": ["human"], "content": "x"}], "an object with the keys 'type', 'content'"),
        ("just a string", "a string"),
        (["one", "two"], "a list of 2 records, the first a string"),
        (7, "the number 7"),
        (None, "null"),
        ({}, "an empty object"),
        ([[[]]], "a list"),
    ],
)
def test_an_unknown_shape_is_described_beside_the_known_ones(
    write: Callable[..., Path], content: object, described: str
) -> None:
    path = write(json.dumps(content))
    with pytest.raises(InputError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(
        f"{path}: JSON of an unknown shape ({described}); known are a LoCoMo file, a LongMemEval file"
    )
    assert message.endswith("see docs/formats.md")


@pytest.mark.parametrize(
    ("content", "fault"), [([], "an empty list"), ({"sessions": []}, 'an empty list of "sessions"')]
)
def test_an_empty_list_is_no_history(write: Callable[..., Path], content: object, fault: str) -> None:
    with pytest.raises(InputError, match=f"{fault}; give a file that holds a history"):
        load(write(content))


def test_the_documented_example_loads(write: Callable[..., Path]) -> None:
    example = re.findall(r"```json\n(.*?)```", FORMATS.read_text(encoding="utf-8"), re.DOTALL)
    (session,) = load(write(example[0])).histories[0].sessions
    assert session.session_id == "2024-03-16"
    assert [(turn.speaker, turn.role, turn.source_id) for turn in session.turns] == [
        ("Tavish", "speaker", None),
        ("Ilka", "speaker", None),
        ("calendar", "tool", "m3"),
    ]
    assert str(session.time) == "2024-03-16 11:05:00+01:00"
    assert session.turns[1].images[0].caption == "a get-well card"


def test_a_fault_names_the_file_the_record_and_the_mend() -> None:
    place = Location("h.json").at("session 's'").at("turn 3")
    assert str(place.fault("no text", "give it some")) == "h.json: session 's', turn 3: no text; give it some"


def test_long_lists_are_cut_and_counted() -> None:
    assert listed(["a", "b"]) == "a, b"
    assert listed(map(str, range(30)), shown=3) == "0, 1, 2 and 27 more"


@pytest.mark.parametrize(("value", "words"), [(True, "true"), (1.5, "the number 1.5"), ((), "a tuple")])
def test_shapes_are_named_in_words(value: object, words: str) -> None:
    assert shape(value) == words
