"""The packaged history and its questions say what the documentation promises of them."""

import re
from collections import Counter
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from langrecall.data import SampleQuestion, sample_history, sample_questions
from langrecall.loaders import load
from langrecall.records import Session

HIDDEN_IN_PICTURE = ("19:45", "7:45", "Drumlin", "16 August", "12 pounds")

READ_OFF = ("date", "picture")
"""Kinds whose answer stands in no text: it is read off a session's date, or a picture."""


@pytest.fixture(scope="module")
def sessions() -> tuple[Session, ...]:
    (history,) = load(sample_history()).histories
    assert (history.empty, history.warnings) == ((), ())
    return history.sessions


def everything() -> list[SampleQuestion]:
    questions = sample_questions()
    return [*questions.demo, *questions.abstention, questions.picture]


def test_two_friends_talk_over_eight_months(sessions: tuple[Session, ...]) -> None:
    assert 10 <= len(sessions) <= 12
    assert 120 <= sum(len(session.turns) for session in sessions) <= 160
    assert {speaker for session in sessions for speaker in session.speakers} == {"Ilka", "Tavish"}
    times = [session.time for session in sessions if session.time is not None]
    assert times == sorted(times)
    assert timedelta(days=230) < times[-1] - times[0] < timedelta(days=260)
    assert all(later - earlier < timedelta(days=40) for earlier, later in pairwise(times))


def test_a_stated_fact_changes_later(sessions: tuple[Session, ...]) -> None:
    said = {turn.id: turn.text for session in sessions for turn in session.turns}
    early, late = (
        next(turn for turn, text in said.items() if words in text) for words in ("14 September", "fifth of October")
    )
    assert early < late


@pytest.mark.parametrize(
    "expression", ["Yesterday", "last weekend", "two weeks ago", "two days ago", "next month", "last Friday"]
)
def test_relative_dates_occur(sessions: tuple[Session, ...], expression: str) -> None:
    assert any(expression in turn.text for session in sessions for turn in session.turns)


def test_the_picture_ships_and_nothing_else_says_what_it_says(sessions: tuple[Session, ...]) -> None:
    pictures = [(turn, image) for session in sessions for turn in session.turns for image in turn.images]
    ((turn, image),) = pictures
    assert image.source is not None
    assert Path(image.source).read_bytes().startswith(b"\x89PNG")
    assert sample_questions().picture.evidence == (turn.id,)
    shown = [f"{one.text} {one.images}" for session in sessions for one in session.turns]
    assert not [words for words in HIDDEN_IN_PICTURE for line in shown if words in line]


def test_the_picture_can_be_read() -> None:
    ocr = pytest.importorskip("rapidocr")
    found = ocr.RapidOCR()(str(sample_history().with_name("sample_poster.png")))
    assert sample_questions().picture.answer in " ".join(found.txts)


def test_the_demo_asks_four_kinds_of_question() -> None:
    assert [question.kind for question in sample_questions().demo] == ["one-hop", "two-sessions", "date", "never-said"]
    two_sessions = sample_questions().demo[1]
    assert len({turn.split(":")[0] for turn in two_sessions.evidence}) == 2


def test_half_of_the_thirty_questions_have_no_answer() -> None:
    kinds = Counter(question.kind for question in sample_questions().abstention)
    assert kinds["answerable"] == 15
    assert kinds["never-said"] + kinds["wrong-person"] == 15
    assert kinds["wrong-person"] >= 5


def test_no_question_is_asked_twice() -> None:
    asked = [question.question for question in everything()]
    assert len(set(asked)) == len(asked) == 35


@pytest.mark.parametrize("question", everything(), ids=lambda question: question.question)
def test_gold_is_complete_and_its_evidence_exists(sessions: tuple[Session, ...], question: SampleQuestion) -> None:
    known = {turn.id for session in sessions for turn in session.turns}
    answerable = question.kind not in ("never-said", "wrong-person")
    assert question.answerable is bool(question.evidence) is bool(question.answer) is answerable
    assert set(question.evidence) <= known


@pytest.mark.parametrize(
    "question", [one for one in everything() if one.kind not in READ_OFF], ids=lambda one: one.question
)
def test_numbers_and_names_of_an_answer_stand_in_its_evidence(
    sessions: tuple[Session, ...], question: SampleQuestion
) -> None:
    said = {turn.id: f"{turn.text} {turn.time:%Y %B}" for session in sessions for turn in session.turns}
    evidence = " ".join(said[turn] for turn in question.evidence)
    stated = re.findall(r"[\d,]+|(?<!^)\b[A-Z]\w+", question.answer)
    assert not [word for word in stated if word not in evidence]
