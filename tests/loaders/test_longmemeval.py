"""LongMemEval's shape and its known faults, on histories written here; counts on the real files where they are at hand."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from langrecall.errors import InputError
from langrecall.loaders import load, longmemeval
from langrecall.loaders.benchmark import load_benchmark

Write = Callable[..., Path]


def messages(*marks: bool) -> list[dict[str, Any]]:
    return [
        {"role": "assistant" if at % 2 else "user", "content": f"turn {at}", "has_answer": mark}
        for at, mark in enumerate(marks)
    ]


def entry(name: str = "q1", **fields: object) -> dict[str, Any]:
    return {
        "question_id": name,
        "question_type": "temporal-reasoning",
        "question": "When?",
        "answer": 7,
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["f1", "x2", "f1"],
        "haystack_dates": ["2023/05/21 (Sun) 02:21", "2023/05/20 (Sat) 02:21", "2023/05/22 (Mon) 00:05"],
        "haystack_sessions": [messages(False, True), messages(False), messages(True, False, False)],
        "answer_session_ids": ["f1"],
        **fields,
    }


def test_a_history_is_sorted_and_tells_repeated_sessions_apart(write: Write) -> None:
    loaded = load(write([entry()]))
    (history,) = loaded.histories
    assert (loaded.kind, history.name) == ("longmemeval", "q1")
    assert [(one.session_id, one.source) for one in history.sessions] == [("x2", "x2"), ("f1", "f1"), ("f1#2", "f1")]
    assert history.sessions[0].time == datetime(2023, 5, 20, 2, 21)
    turn = history.sessions[1].turns[1]
    assert (turn.id, turn.speaker, turn.role, turn.text) == ("f1:1", "assistant", "assistant", "turn 1")


def test_one_history_can_be_picked_by_its_question(write: Write) -> None:
    path = write([entry("q1"), entry("q2_abs")])
    assert [history.name for history in load(path, only="q2_abs").histories] == ["q2_abs"]
    with pytest.raises(InputError, match="holds nothing called 'q3'; there are q1, q2_abs"):
        load(path, only="q3")


def test_a_question_carries_text_answer_evidence_and_time(write: Write) -> None:
    plain, abstaining = longmemeval.questions(write([entry("q1"), entry("q2_abs", answer_session_ids=["x2", "gone"])]))
    assert (plain.answer, plain.category, plain.abstention) == ("7", "temporal-reasoning", False)
    assert plain.evidence == ("f1:1", "f1#2:0")
    assert plain.evidence_sessions == ("f1", "f1#2")
    assert plain.query_time == datetime(2023, 5, 30, 23, 40)
    assert (abstaining.abstention, abstaining.evidence_sessions, abstaining.unresolved) == (True, ("x2",), ("gone",))


def test_a_session_without_turns_is_empty_and_a_blank_turn_keeps_its_place(write: Write) -> None:
    blank = [{"role": "user", "content": " "}, {"role": "assistant", "content": "yes", "has_answer": True}]
    path = write([entry(haystack_sessions=[[], blank, messages(False)])])
    history = load(path).histories[0]
    assert history.empty == ("f1",)
    assert history.sessions[0].turns[0].text == " "
    assert history.warnings == ("turn 'x2:0': blank, kept in its place",)
    assert longmemeval.questions(path)[0].evidence == ("x2:1",)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"haystack_dates": ["2023/05/21"]}, 'q1: "haystack_dates" has 1 items for 3 "haystack_sessions"'),
        ({"haystack_sessions": [[], "hi", []]}, "q1, session 'x2': its turns are a string"),
        (
            {"haystack_sessions": [[], [{"role": "user", "content": None}], []]},
            "session 'x2', turn 1: \"content\" is null",
        ),
        ({"haystack_sessions": [[], [{"role": "boss", "content": "x"}], []]}, "\"role\" is 'boss'; the roles are user"),
        ({"haystack_sessions": [[], ["x"], []]}, "turn 1: a JSON object belongs here"),
        ({"haystack_sessions": 3}, 'q1: "haystack_sessions" is the number 3'),
        ({"question_id": ""}, 'record 1: "question_id" is blank'),
    ],
)
def test_an_entry_that_cannot_be_used_is_named(write: Write, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(write([entry(**fields)]))
    assert message in str(caught.value)


def test_a_benchmark_is_its_histories_and_its_questions(write: Write) -> None:
    loaded = load_benchmark(write([entry("q1"), entry("q2")]), only="q2")
    assert loaded.kind == "longmemeval"
    assert (
        [history.name for history in loaded.histories]
        == [question.question_id for question in loaded.questions]
        == ["q2"]
    )
    with pytest.raises(InputError, match="neither a LoCoMo nor a LongMemEval file"):
        load_benchmark(write([{"session_id": "a", "turns": []}]))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "questions", "sessions", "turns", "abstaining"),
    [("longmemeval_s_dev.json", 21, 993, 10593, 1), ("longmemeval_oracle_dev.json", 65, 119, 1383, 4)],
)
def test_the_development_files_have_their_known_counts(
    benchmark_data: Path, name: str, questions: int, sessions: int, turns: int, abstaining: int
) -> None:
    loaded = load_benchmark(benchmark_data / name)
    held = [session for history in loaded.histories for session in history.sessions]
    assert (len(loaded.questions), len(held), sum(len(session.turns) for session in held)) == (
        questions,
        sessions,
        turns,
    )
    assert sum(question.abstention for question in loaded.questions) == abstaining
    assert all(
        question.query_time and question.evidence_sessions and not question.unresolved for question in loaded.questions
    )
    assert all(
        history.sessions == tuple(sorted(history.sessions, key=lambda one: str(one.time)))
        for history in loaded.histories
    )
    assert not any(history.warnings or history.empty for history in loaded.histories)
