from datetime import datetime

import numpy as np

from langrecall.records import Episode, Fact, Session, Turn
from langrecall.stores.encoding.pieces import Piece, pieces
from langrecall.stores.ranking.corpus import Corpus


def session(session_id: str, *texts: str, time: datetime | None = None) -> Session:
    turns = [
        Turn(session_id=session_id, index=index, speaker=("Ana", "Bo")[index % 2], role="speaker", text=text, time=time)
        for index, text in enumerate(texts)
    ]
    return Session(session_id=session_id, time=time, turns=tuple(turns))


LATER = session("later", "I moved to Oslo. It is cold here.", "How nice?", time=datetime(2024, 5, 2, 9))
EARLIER = session("earlier", "I live in Rome.", time=datetime(2023, 12, 31))
UNDATED = session("undated", "Hello there my friend.")
EMPTY = session("empty", time=datetime(2024, 1, 1))


def entry(of: Session, *facts: Fact) -> Episode:
    return Episode(session_id=of.session_id, title="Talk", time=of.time, participants=("Ana", "Bo"), facts=facts)


def numbered(count: int) -> np.ndarray:
    return np.arange(count * 2, dtype=np.float32).reshape(count, 2)


def built(*sessions: Session, episodes: tuple[Episode, ...] = ()) -> tuple[Corpus, list[Piece]]:
    by_id = {episode.session_id: episode for episode in episodes}
    made = [piece for one in sessions for piece in pieces(one, by_id.get(one.session_id))]
    return Corpus.build(sessions, episodes, made, numbered(len(made))), made


def test_sessions_are_in_time_order_and_undated_ones_last() -> None:
    corpus, _ = built(LATER, UNDATED, EMPTY, EARLIER)
    assert corpus.sessions == ("earlier", "empty", "later", "undated")
    assert np.isnan(corpus.session_times).tolist() == [False, False, False, True]
    assert [turn.id for turn in corpus.turns] == ["earlier:0", "later:0", "later:1", "undated:0"]
    assert corpus.turn_session.tolist() == [0, 2, 2, 3]
    assert corpus.bounds.tolist() == [0, 1, 1, 3, 4]


def test_vectors_follow_their_pieces_to_turns_and_sessions() -> None:
    corpus, made = built(LATER, EARLIER)
    rows = [row for row, piece in enumerate(made) if piece.kind == "sentence"]
    assert corpus.vectors["sentence"].tolist() == numbered(len(made))[rows].tolist()
    assert corpus.owners["sentence"].tolist() == [1, 1]
    assert corpus.links["sentence"].turns.tolist() == [1, 1]
    links = corpus.links["turn"]
    assert list(zip(links.rows.tolist(), links.turns.tolist(), strict=True)) == [(2, 0), (0, 1), (1, 2)]


def test_facts_are_linked_to_the_turns_they_rest_on_and_to_no_others() -> None:
    facts = (Fact(text="Ana moved", turns=(0, 1)), Fact(text="Bo asked", turns=(7,)))
    corpus, _ = built(EARLIER, LATER, episodes=(entry(LATER, *facts),))
    links = corpus.links["fact"]
    assert list(zip(links.rows.tolist(), links.turns.tolist(), strict=True)) == [(0, 1), (0, 2)]


def test_without_vectors_only_words_are_left() -> None:
    corpus = Corpus.build([LATER], [], pieces(LATER, None), None)
    assert not corpus.vectors
    assert corpus.lexicon.said.turn_scores(["oslo"])[0] > 0


def test_entries_alone_make_a_corpus() -> None:
    episode = entry(LATER, Fact(text="Ana moved", turns=(0,)))
    made = [piece for piece in pieces(LATER, episode) if piece.kind in ("episode", "fact")]
    corpus = Corpus.build([], [episode], made, numbered(len(made)))
    assert corpus.sessions == ("later",)
    assert corpus.turns == ()
    assert corpus.speakers == ("Ana", "Bo")
    assert corpus.links["fact"].turns.tolist() == []
    assert corpus.lexicon.entries.turn_scores(["move"])[0] > 0


def test_signals_take_the_other_half_away() -> None:
    corpus, _ = built(LATER, episodes=(entry(LATER, Fact(text="Ana moved", turns=(0,))),))
    raw, entries = corpus.seen_by("raw"), corpus.seen_by("metadata")
    assert set(raw.vectors) == {"turn", "context", "sentence"}
    assert not raw.episodes
    assert set(entries.vectors) == {"episode", "fact"}
    assert not entries.turns
    assert corpus.seen_by("all") is corpus


def test_traits_tell_questions_replies_times_and_names() -> None:
    talk = session("s", "Where were you yesterday?", "In Rome with Carla.", "Nice!", time=datetime(2024, 1, 1))
    traits = built(talk, LATER)[0].traits
    assert traits.asks.tolist() == [1, 0, 0, 0, 1]
    assert traits.replies.tolist() == [0, 1, 0, 0, 0]
    assert traits.time_told.tolist() == [1, 0, 0, 0, 0]
    assert np.expm1(traits.names_told).round().tolist() == [0, 2, 0, 1, 0]
    assert traits.speaker.tolist() == [0, 1, 0, 0, 1]


def test_an_empty_history_is_a_corpus_too() -> None:
    corpus = Corpus.build([], [], [], None)
    assert corpus.sessions == ()
    assert corpus.lexicon.stated.session_scores(["x"]).tolist() == []
    assert corpus.traits.replies.tolist() == []
