"""An answer as a person reads it."""

import io
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from langrecall.citations.support import answer_support
from langrecall.cli.answers import show_answer
from langrecall.records import Turn
from langrecall.state import Citation, Coverage, RecallOutput, SentenceSupport, TotalUsage

CITATION = Citation(
    turn="summer:0",
    source_id="B1",
    session_id="summer",
    speaker="Jonas",
    time="2024-07-15T09:00:00",
    quote="I moved last Saturday.",
    verified=True,
)
ANSWER = RecallOutput(
    answer="Jonas moved on 13 July 2024 [1].",
    abstained=False,
    citations=[CITATION],
    answer_support=[
        SentenceSupport(text="Jonas moved on 13 July 2024 [1].", citations=[1], support="supported", reason="")
    ],
    supported=True,
    memory=[],
    coverage=Coverage(sessions=3, ranked=3, seen=2, read=1, unseen=1),
    usage=TotalUsage(calls=0, prompt_tokens=0, completion_tokens=0, seconds=0.25, by_node={}),
    stop_reason="sufficient",
)


def shown(**changes: Any) -> str:
    stream = io.StringIO()
    answer: Any = ANSWER | changes
    show_answer(Console(file=stream, width=100, color_system=None, highlight=False), answer)
    return stream.getvalue()


def test_answer_citation_and_what_it_rests_on() -> None:
    assert shown().splitlines() == [
        "  Jonas moved on 13 July 2024 [1]. ✓",
        "",
        "  [1] Jonas, 15 July 2024, 09:00 · summer:0 (B1)",
        "      “I moved last Saturday.”",
        "  3 sessions: 2 seen, 1 read, 1 unseen · no model · 0.2 s · 1 of 1 sentence supported · sufficient",
    ]


def test_a_quote_that_the_answer_gives_whole_is_not_given_again() -> None:
    text = shown(answer="Jonas, 15 July 2024: “I moved last Saturday.” [1]", answer_support=[])
    assert text.count("I moved last Saturday.") == 1


def test_an_undated_turn_and_a_turn_without_an_own_id() -> None:
    lines = shown(citations=[CITATION | {"time": None, "source_id": None}])
    assert "[1] Jonas, undated · summer:0\n" in lines


def test_the_mark_stands_behind_each_sentence_and_what_is_not_borne_out_is_named() -> None:
    invented = SentenceSupport(
        text="It cost 500 euros [1].", citations=[1], support="unsupported", reason="no 500 there"
    )
    unknown = SentenceSupport(text="He was glad [1].", citations=[1], support="not_checkable", reason="")
    support = [*ANSWER["answer_support"], invented, unknown]
    answer = " ".join(each["text"] for each in support)
    lines = shown(answer=answer, answer_support=support, supported=False).splitlines()
    assert lines[:2] == [
        "  Jonas moved on 13 July 2024 [1]. ✓ It cost 500 euros [1]. ✗ He was glad [1]. ?",
        "  ✗ not supported: “It cost 500 euros [1].”: no 500 there",
    ]
    assert " · 1 of 3 sentences supported · " in lines[-1]


@pytest.mark.parametrize(
    ("calls", "cost"), [(1, "1 call, 1,300 tokens"), (4, "4 calls, 1,300 tokens")], ids=["one", "several"]
)
def test_the_cost_of_a_model(calls: int, cost: str) -> None:
    usage = TotalUsage(calls=calls, prompt_tokens=1200, completion_tokens=100, seconds=2.0, by_node={})
    assert f" · {cost} · 2.0 s · " in shown(usage=usage)


def test_an_abstention_says_why_the_search_ended() -> None:
    text = shown(
        answer="Nothing in this history says so.",
        abstained=True,
        citations=[],
        answer_support=[],
        stop_reason="exhausted",
    )
    assert text.splitlines()[-1].endswith(" · abstained (exhausted)")


def test_the_readme_shows_an_unsupported_answer_as_it_looks() -> None:
    turn = Turn(
        session_id="s1",
        index=2,
        speaker="Mia",
        role="speaker",
        text="He is called Bolt.",
        time=datetime(2024, 3, 4, 18, 30),
    )
    answer = "Mia's dog is called Bolt [1]. She bought him in 2019 for 500 euros [1]."
    cited = Citation(
        turn=turn.id,
        source_id=None,
        session_id="s1",
        speaker="Mia",
        time="2024-03-04T18:30:00",
        quote=turn.text,
        verified=True,
    )
    printed = shown(answer=answer, citations=[cited], answer_support=answer_support(answer, [[turn]], people=["Mia"]))
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert "```text\n" + printed.rsplit("\n", 2)[0] + "\n```" in readme
