from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from langrecall.language.words import LexicalIndex
from langrecall.records import Episode, Event, Fact, Session, Turn
from langrecall.stores.ranking.lexicon import Lexicon
from langrecall.stores.ranking.postings import WINDOW, Postings

Talk = list[list[str]]
TALKS = st.lists(st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6), max_size=9), max_size=6)


def postings(talks: Sequence[Talk]) -> Postings:
    lengths = [len(talk) for talk in talks]
    session = np.repeat(np.arange(len(talks)), lengths)
    bounds = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return Postings.build([turn for talk in talks for turn in talk], session, bounds)


def joined(turns: Talk) -> list[str]:
    return [term for turn in turns for term in turn]


@given(TALKS, st.lists(st.sampled_from("abcdefgz"), max_size=4))
def test_windows_score_as_if_each_were_indexed(talks: list[Talk], query: list[str]) -> None:
    windows = [joined(talk[max(0, at - WINDOW) : at + WINDOW + 1]) for talk in talks for at in range(len(talk))]
    scores = postings(talks).window_scores(query, np.arange(len(windows)))
    np.testing.assert_allclose(scores, LexicalIndex.build(windows).scores(query), rtol=1e-4)


@given(TALKS, st.lists(st.sampled_from("abcdefgz"), max_size=4))
def test_sessions_score_as_if_each_were_indexed(talks: list[Talk], query: list[str]) -> None:
    indexed = LexicalIndex.build([joined(talk) for talk in talks])
    np.testing.assert_allclose(postings(talks).session_scores(query), indexed.scores(query), rtol=1e-4)


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
    assert not lexicon.turn_index.scores(["emigr"]).any()
    assert lexicon.entry_index.scores(["emigr"]).all()
