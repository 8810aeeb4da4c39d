"""A turn is quoted by what it has: its words, or else what is known of its pictures."""

from collections.abc import Iterator
from typing import Any

import pytest

from langrecall.citations.quotes import locate
from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.policies.base import AnswerRequest, Question
from langrecall.policies.extractive.policy import ExtractivePolicy
from langrecall.policies.extractive.questions import Asked
from langrecall.policies.extractive.quotes import PICTURE_CHARACTERS, QUOTE_CHARACTERS, passages, quote_of
from langrecall.records import Image, Turn
from langrecall.settings import Settings, resolve
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory

QUERY = "What is the door code for the flat?"
ASKED = Asked.of(QUERY, ["Mia", "Tom"])
LIST = "Flat 3b\nWater: Tuesday\nDoor code\n4711\nHeating: off\nBins: Friday, at the back door\nLandlady: Ms Ortega"


def turn(*images: Image, text: str = "") -> Turn:
    return Turn(session_id="p", index=1, speaker="Mia", role="speaker", text=text, images=images)


def quoted(said: Turn) -> str:
    passage = quote_of(said, ASKED)
    assert passage
    return passage.lead + passage.words


@pytest.mark.parametrize(
    ("said", "answer", "line"),
    [
        (turn(text=" Hi! "), ["Hi!"], " Hi! "),
        (turn(Image(caption="a note"), text="Hi!"), ["Hi!"], "Hi!"),
        (turn(Image(caption="a note"), text=" \n"), ["picture: a note"], "picture: a note"),
        (
            turn(Image(caption="a cat"), Image(caption="a code")),
            ["picture: a cat", "picture: a code"],
            "picture: a code",
        ),
        (turn(Image(ocr="CODE 4711 ROME")), ["in the picture: CODE 4711 ROME"], "in the picture: CODE 4711 ROME"),
        (turn(Image(ocr="BAKERY\nOPEN")), ["in the picture: BAKERY / OPEN"], "in the picture: BAKERY OPEN"),
        (
            turn(Image(caption="a note", ocr="Code: 4711"), text="Hi!"),
            ["Hi!", "in the picture: Code: 4711"],
            "in the picture: Code: 4711",
        ),
        (
            turn(Image(caption="a note", ocr="Code: 4711")),
            ["picture: a note", "in the picture: Code: 4711"],
            "in the picture: Code: 4711",
        ),
        (turn(Image(caption="a note", ocr="BAKERY")), ["picture: a note"], "picture: a note"),
    ],
)
def test_only_what_is_there_is_quoted(said: Turn, answer: list[str], line: str) -> None:
    assert [lead + words for lead, words in passages(said, ASKED)] == answer
    assert quoted(said) == line


@pytest.mark.parametrize("images", [(), (Image(source="a.png"),), (Image(caption=" ", ocr="\n"),)])
def test_of_nothing_nothing_is_quoted(images: tuple[Image, ...]) -> None:
    assert passages(turn(*images), ASKED) == []
    assert quote_of(turn(*images), ASKED) is None


def test_of_a_long_text_the_sentences_about_the_question_are_quoted() -> None:
    dull = "The weather was dull and had no surprises in it at all. " * 40
    for text in (
        f"The door code is 4711, by the way. {dull}",
        f"{dull}The door code is 4711, by the way. {dull}",
        f"{dull}door code 4711",
    ):
        said = turn(text=text)
        (passage,) = passages(said, ASKED)
        assert "4711" in passage.words
        assert 400 < len(passage.words) <= QUOTE_CHARACTERS
        assert locate(quoted(said), [said])
    assert len(passages(turn(text="x" * 5000), ASKED)[0].words) == QUOTE_CHARACTERS


def test_what_is_written_in_a_picture_is_quoted_where_it_says_more_of_what_was_asked_than_the_text() -> None:
    said = turn(Image(ocr=LIST), text="Look what hangs in the hall of the flat!")
    passage = quote_of(said, ASKED)
    assert passage
    assert passage.lead == "in the picture: "
    assert "Door code 4711" in passage.words
    assert locate(passage.words, [said])
    assert quoted(turn(Image(ocr="Bins: Friday"), text="The door code of the flat?")) == "The door code of the flat?"


def test_of_much_writing_the_answer_shows_the_lines_that_matter() -> None:
    (passage,) = passages(turn(Image(ocr=LIST)), ASKED)
    assert (
        passage.words
        == "Flat 3b / Water: Tuesday / Door code / 4711 / Bins: Friday, at the back door / Landlady: Ms Ortega"
    )
    assert len(passages(turn(Image(ocr="code " * 500)), ASKED)[0].words) == PICTURE_CHARACTERS


@pytest.mark.parametrize(
    ("ocr", "words"),
    [
        (LIST, "Heating: off Bins: Friday, at the back door"),
        ("A\nB\nHeating\noff\nC\nD", "A B Heating off C D"),
        ("\n".join("ABCDEFGH") + "\nHeating", "E F G H Heating"),
        ("Heating\noff", "Heating off"),
    ],
)
def test_a_memory_line_quotes_one_stretch_that_is_long_enough_to_be_found(ocr: str, words: str) -> None:
    said = turn(Image(ocr=ocr))
    passage = quote_of(said, Asked.of("When is the heating on?", ["Mia"]))
    assert passage == ("in the picture: ", words)
    assert locate(passage.words, [said]) == said


@pytest.fixture
def remembered() -> Iterator[HistoryStore]:
    with ChromaHistory.open(None, embeddings=None) as memory:
        yield memory.at("mia")


@pytest.mark.parametrize("preset", ["combined", "memcot", "t2mem"])
@pytest.mark.parametrize(
    ("image", "shown"),
    [
        (Image(ocr="CODE 4711 ROME"), "in the picture: \u201cCODE 4711 ROME\u201d"),
        (Image(caption="a note with the door code 4711 of the flat"), "picture: \u201ca note with the door code 4711"),
        (Image(caption="the door code 4711"), "picture: \u201cthe door code 4711\u201d"),
    ],
    ids=["ocr", "caption", "short caption"],
)
def test_a_picture_sent_without_text_is_cited(remembered: HistoryStore, preset: str, image: Image, shown: str) -> None:
    said: list[dict[str, Any]] = [
        {"speaker": "Tom", "text": "Did you get the door code for the flat?"},
        {"speaker": "Mia", "text": "", "images": [image.model_dump()]},
        {"speaker": "Tom", "text": ""},
    ]
    session = {"session_id": "p", "time": "2024-03-04", "turns": said}
    create_ingest_graph(remembered).invoke({"sessions": [session]})
    result = create_recall_graph(remembered, settings={"preset": preset}).invoke({"query": QUERY})
    first = result["answer"].splitlines()[0]
    assert first.startswith(f"Mia, 4 March 2024: {shown}")
    assert first.endswith("[1]")
    assert "\u201c\u201d" not in result["answer"]
    assert result["citations"][0]["turn"] == "p:1"
    assert result["citations"][0]["verified"] is True


def test_a_picture_of_which_nothing_is_known_answers_nothing() -> None:
    request = AnswerRequest(
        question=Question("What is in the image of the flat?", None, resolve(Settings())),
        memory=[],
        quoted=[turn(Image(source="https://dead.invalid/a.png"))],
        context=[turn(text="Here is an image of the flat and what is in it.").model_copy(update={"index": 0})],
    )
    assert ExtractivePolicy().answer(request).value.abstained


def test_a_quoted_text_of_several_lines_stays_inside_its_line_of_the_answer() -> None:
    request = AnswerRequest(
        question=Question(QUERY, None, resolve(Settings())),
        memory=[],
        quoted=[turn(text="The door code of the flat is 4711.\nTom, 1 May 2020: \u201cit is 9999\u201d")],
    )
    assert ExtractivePolicy().answer(request).value.text.splitlines() == [
        "Mia, undated: \u201cThe door code of the flat is 4711.",
        "  Tom, 1 May 2020: \u201cit is 9999\u201d\u201d",
    ]
