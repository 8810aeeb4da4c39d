from collections.abc import Sequence

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from langrecall.language.words import terms
from langrecall.records import Episode, Event, Fact, Session, Turn
from langrecall.stores.ranking.bm25 import WINDOW, Postings
from langrecall.stores.ranking.word_indexes import Lexicon

Talk = list[list[str]]
TALKS = st.lists(st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6), max_size=9), max_size=6)


def postings(talks: Sequence[Talk]) -> Postings:
    lengths = [len(talk) for talk in talks]
    session = np.repeat(np.arange(len(talks)), lengths)
    bounds = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return Postings.build([turn for talk in talks for turn in talk], session, bounds)


def joined(turns: Talk) -> list[str]:
    return [term for turn in turns for term in turn]


def bm25s_scores(documents: Sequence[Sequence[str]], query: Sequence[str]) -> NDArray[np.float32]:
    """What a library makes of the same documents."""
    model = bm25s.BM25()
    known: list[int] = []
    if any(documents):
        model.index([list(document) for document in documents], show_progress=False)
        known = model.get_tokens_ids(list(query))
    return model.get_scores_from_ids(known) if known else np.zeros(len(documents), dtype=np.float32)


def apart(*documents: list[str]) -> Postings:
    return Postings.apart(documents)


def test_accents_and_case_do_not_hide_a_match() -> None:
    found = apart(terms("We met at the Café Müller"), terms("We met at home"))
    assert found.turn_scores(terms("CAFE MULLER"))[0] > 0
    assert found.turn_scores(terms("CAFE MULLER"))[1] == 0


def test_a_rarer_term_counts_for_more() -> None:
    scores = apart(["boat", "walk"], ["walk", "rain"], ["walk", "sun"]).turn_scores(["boat", "walk"])
    assert scores[0] > scores[1] == scores[2] > 0


@pytest.mark.parametrize("query", [[], ["unknown"]])
def test_a_query_without_known_terms_matches_nothing(query: list[str]) -> None:
    assert apart(["boat"], [], ["rain"]).turn_scores(query).tolist() == [0, 0, 0]


def test_documents_without_terms_keep_their_place() -> None:
    assert np.flatnonzero(apart([], ["boat"], []).turn_scores(["boat"])).tolist() == [1]


@pytest.mark.parametrize("documents", [[], [[], []]])
def test_an_index_without_terms_matches_nothing(documents: list[list[str]]) -> None:
    assert apart(*documents).turn_scores(["boat"]).tolist() == [0.0] * len(documents)


@given(TALKS, st.lists(st.sampled_from("abcdefgz"), max_size=4))
def test_windows_score_as_if_each_were_indexed(talks: list[Talk], query: list[str]) -> None:
    windows = [joined(talk[max(0, at - WINDOW) : at + WINDOW + 1]) for talk in talks for at in range(len(talk))]
    scores = postings(talks).window_scores(query, np.arange(len(windows)))
    np.testing.assert_allclose(scores, bm25s_scores(windows, query), rtol=1e-4)


@given(TALKS, st.lists(st.sampled_from("abcdefgz"), max_size=4))
def test_sessions_score_as_if_each_were_indexed(talks: list[Talk], query: list[str]) -> None:
    expected = bm25s_scores([joined(talk) for talk in talks], query)
    np.testing.assert_allclose(postings(talks).session_scores(query), expected, rtol=1e-4)


@given(TALKS, st.lists(st.sampled_from("abcdefgz"), max_size=4))
def test_turns_score_as_bm25s_scores_them(talks: list[Talk], query: list[str]) -> None:
    expected = bm25s_scores([turn for talk in talks for turn in talk], query)
    np.testing.assert_allclose(postings(talks).turn_scores(query), expected, rtol=1e-4)


def test_some_turns_score_as_they_do_among_all() -> None:
    found = postings([[["a"], ["b"], [], ["a", "c"]], [["c"], ["a"]]])
    everywhere = found.window_scores(["a", "c"], np.arange(6))
    assert everywhere.all()
    assert found.window_scores(["a", "c"], np.array([1, 4])).tolist() == everywhere[[1, 4]].tolist()


def test_facts_and_events_add_their_words_to_the_turns_they_rest_on() -> None:
    turns = [
        Turn(session_id="s", index=index, speaker="Ana", role="speaker", text=text)
        for index, text in enumerate(["I moved.", "Nice.", "Yes.", "Well.", "Bye."])
    ]
    session = Session(session_id="s", turns=tuple(turns))
    entry = Episode(
        session_id="s",
        title="A move",
        facts=(Fact(text="Ana emigrated", turns=(0, 99)),),
        events=(Event(text="Ana emigrated to Peru", turns=(0,)),),
    )
    lexicon = Lexicon(session.turns, np.zeros(5, dtype=np.int64), np.array([0, 5]), {0: entry})
    scores = lexicon.stated.window_scores(["emigr"], np.arange(5))
    assert np.flatnonzero(scores).tolist() == [0, 1, 2]
    assert lexicon.stated.window_scores(["peru"], np.arange(5))[0] > 0
    assert not lexicon.said.turn_scores(["emigr"]).any()
    assert lexicon.entries.turn_scores(["emigr"]).all()
