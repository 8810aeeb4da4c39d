"""What of some turns is shown within a cap, and which passage of one that is too long for it."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langrecall import ChromaHistory, create_ingest_graph, create_recall_graph
from langrecall.engine.observations import Fit, fit
from langrecall.records import Turn
from langrecall.rendering import CUT, turns_tokens
from langrecall.stores.ranking.token_budget import PASSAGE

DULL = "The weather was dull and had no surprises in it at all. " * 100


def turn(index: int, text: str) -> Turn:
    return Turn(session_id="s", index=index, speaker="Tom", role="speaker", text=text)


def shown(text: str, cap: int, query: str) -> str:
    return fit([turn(0, text)], cap, grounded=False, query=query).clipped[0].text


def ids(turns: Sequence[Turn]) -> list[int]:
    return [each.index for each in turns]


def test_a_turn_that_could_never_fit_is_shown_as_a_passage_among_those_that_do() -> None:
    fitted = fit([turn(0, DULL), turn(1, "My dog is Bolt."), turn(2, DULL)], 1000, grounded=False)
    assert (ids(fitted.whole), ids(fitted.clipped), fitted.hidden) == ([1], [0, 2], 2)
    assert fitted.tokens == turns_tokens([*fitted.whole, *fitted.clipped], grounded=False)
    assert all(turns_tokens([part], grounded=False) <= PASSAGE + 10 for part in fitted.clipped)


def test_a_turn_that_only_does_not_fit_any_more_is_passed_over() -> None:
    half = "x" * 400
    fitted = fit([turn(0, half), turn(1, half), turn(2, "short")], 150, grounded=False)
    assert (ids(fitted.whole), ids(fitted.clipped), fitted.hidden) == ([0, 2], [], 1)


@pytest.mark.parametrize("where", [0, 1, 30, 99, 100])
def test_the_passage_is_where_the_words_of_the_query_are(where: int) -> None:
    dull = DULL.split(". ")
    text = ". ".join([*dull[:where], "My dog is called Bolt", *dull[where:]])
    passage = shown(text, 300, "What is Tom's dog called?")
    assert "My dog is called Bolt" in passage
    assert passage.removeprefix(CUT.strip() + " ").removesuffix(CUT) in text


def test_the_passage_that_says_most_of_them_is_taken_and_of_equals_the_first() -> None:
    text = f"A dog. {DULL} The dog is called Bolt. {DULL} The dog is called Rex. {DULL}"
    assert "Bolt" in shown(text, 300, "What is the dog called?")


def test_without_a_word_of_the_query_it_is_the_beginning() -> None:
    assert shown(DULL, 300, "Bolt").startswith("The weather was")
    assert shown(DULL, 300, "").startswith("The weather was")


@given(st.lists(st.integers(1, 3000), max_size=12), st.integers(50, 1500))
def test_a_cap_is_never_overrun(lengths: list[int], cap: int) -> None:
    turns = [turn(index, ("word " * length)[:length]) for index, length in enumerate(lengths)]
    fitted = fit(turns, cap, grounded=False, query="word")
    assert isinstance(fitted, Fit)
    assert fitted.tokens == turns_tokens([*fitted.whole, *fitted.clipped], grounded=False) <= cap
    assert fitted.hidden == len(turns) - len(fitted.whole)
    assert bool(turns) == bool(fitted.whole or fitted.clipped)


@pytest.mark.parametrize("preset", ["combined", "memcot"])
@pytest.mark.parametrize("text", [f"My dog is called Bolt. {DULL}", f"{DULL} My dog is called Bolt."])
def test_a_turn_longer_than_the_cap_is_found_shown_in_part_and_answered_from(preset: str, text: str) -> None:
    with ChromaHistory.open(None, embeddings=None) as memory:
        told = [
            {"speaker": "Mia", "text": "Any news?"},
            {"speaker": "Tom", "text": text},
            {"speaker": "Mia", "text": "Nice."},
        ]
        create_ingest_graph(memory.at("a")).invoke({"sessions": [{"session_id": "s", "turns": told}]})
        settings = {"observation_tokens": 1000, "retriever": "hybrid"}
        graph = create_recall_graph(memory.at("a"), preset=preset, settings=settings)  # type: ignore[arg-type]
        *_, state = graph.stream({"query": "What is Tom's dog called?"}, stream_mode="values")
    seen = [each for each in state["observation"] if "s:1" in each["clipped"]]
    assert seen
    assert all("called Bolt" in each["text"] for each in seen)
    assert [each["turn"] for each in state["citations"]] == ["s:1"]
    assert not state["abstained"]
