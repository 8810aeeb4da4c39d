from collections.abc import Sequence

import numpy as np
import pytest

from langrecall.records import Session, Turn
from langrecall.stores.base import Retriever, Search
from langrecall.stores.chroma.bound import BoundHistory
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.stores.chroma.places import Place
from langrecall.stores.encoding.encoder import Encoded, Encoder
from langrecall.stores.encoding.pieces import pieces
from langrecall.stores.encoding.token_vectors import UNIT, TokenVectors
from langrecall.stores.ranking import rank, second_look
from langrecall.stores.ranking.corpus import Corpus, Floats
from langrecall.stores.ranking.queries import query_texts
from langrecall.stores.ranking.rank import rank_sessions, rank_turns

MEANINGS = ("dog hound puppy greyhound", "car van wheels", "soup broth stew", "sea shore coast")


def token_vectors(text: str) -> TokenVectors:
    """A direction for each meaning that a word of the text has."""
    found = [number for word in text.lower().split() for number, words in enumerate(MEANINGS) if word in words.split()]
    return (np.eye(len(MEANINGS))[found] * UNIT).astype(np.int8)


class Telling:
    """A model whose rows say nothing, and whose tokens say what is meant."""

    def documents(self, texts: list[str]) -> Encoded:
        return Encoded(np.ones((len(texts), 4), dtype=np.float32), [token_vectors(text) for text in texts])

    def queries(self, texts: list[str]) -> Encoded:
        return self.documents(texts)


def session(session_id: str, *texts: str) -> Session:
    turns = [
        Turn(session_id=session_id, index=index, speaker="Ana", role="speaker", text=text)
        for index, text in enumerate(texts)
    ]
    return Session(session_id=session_id, turns=tuple(turns))


HISTORY = (
    session("s1", "We had rain all week", "The hound slept here", "Nothing else"),
    session("s2", "My van broke down", "I made broth", "We went home"),
    session("s3", "It was late", "Good night", "See you then"),
)
QUESTION = "any puppy today"


def corpus_of(sessions: Sequence[Session], *, told: bool = True) -> Corpus:
    made = [piece for one in sessions for piece in pieces(one, None)]
    rows, tokens = Telling().documents([piece.text for piece in made])
    return Corpus.build(sessions, [], made, rows, tokens or () if told else ())


def found(corpus: Corpus, query: str = QUESTION, *, exclude: Sequence[str] = (), k: int = 9) -> list[str]:
    vectors, tokens = asked(query)
    return [hit.id for hit in rank_turns(corpus, Search(query, k, exclude=exclude), vectors, tokens)]


def asked(query: str) -> tuple[Floats, TokenVectors]:
    rows, _ = Telling().queries(query_texts(query, ["Ana"]))
    return rows, token_vectors(query)


def test_a_turn_that_means_a_word_of_the_question_comes_first() -> None:
    assert found(corpus_of(HISTORY))[0] == "s1:1"
    vectors, tokens = asked(QUESTION)
    hits = rank_sessions(corpus_of(HISTORY), Search(QUESTION, 3), vectors, tokens)
    assert hits[0].id == "s1"


def test_turns_beside_it_come_before_those_of_other_sessions() -> None:
    assert set(found(corpus_of(HISTORY))[:3]) == {"s1:0", "s1:1", "s1:2"}


def test_a_question_of_two_words_prefers_where_both_are_meant() -> None:
    both = session("s4", "A van and soup", "Fine")
    assert found(corpus_of([*HISTORY[::2], both, session("s5", "A car", "Fine")]), "wheels stew")[0] == "s4:0"


@pytest.mark.parametrize("query", ["", "nothing that is meant"])
def test_a_question_without_tokens_is_ranked_as_without_a_second_look(query: str) -> None:
    assert found(corpus_of(HISTORY), query) == found(corpus_of(HISTORY, told=False), query)


def test_a_history_whose_tokens_were_not_kept_is_ranked_all_the_same() -> None:
    assert sorted(found(corpus_of(HISTORY, told=False))) == sorted(found(corpus_of(HISTORY)))


def test_where_everything_is_left_out_nothing_is_looked_at() -> None:
    assert found(corpus_of(HISTORY), exclude=["s1", "s2", "s3"]) == []


@pytest.mark.parametrize("left_out", [[f"c{number}" for number in range(5)], [f"c{number}:0" for number in range(5)]])
def test_what_is_left_out_takes_no_place_among_those_looked_at(
    left_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rank, "LOOKED_AT", 3)
    crowd = [session(f"c{number}", "any today any today") for number in range(5)]
    corpus = corpus_of([*crowd, session("s9", "Good night", "A hound", "See you")])
    assert found(corpus, exclude=left_out)[0] == "s9:1"


def test_a_turn_that_was_seen_still_speaks_for_its_neighbours() -> None:
    assert found(corpus_of(HISTORY), exclude=["s1:1"])[:2] == ["s1:0", "s1:2"]


def test_turns_not_looked_at_count_as_those_that_have_no_tokens() -> None:
    corpus = corpus_of([session(f"s{number}", text) for number, text in enumerate(("A hound", "A van", "Oh", "Late"))])
    assert corpus.tokens is not None
    at, scores, worths = np.arange(4), np.zeros(4, dtype=np.float32), np.arange(4, 0, -1).astype(np.float32)
    hound, van, nothing, unseen = second_look.look_again(
        corpus, corpus.tokens, token_vectors("puppy"), at, scores, worths, count=3
    )
    assert hound > van > nothing == unseen


def test_the_other_retrievers_stay_plain() -> None:
    corpus = corpus_of(HISTORY)
    vectors, tokens = asked(QUESTION)
    retrievers: tuple[Retriever, ...] = ("dense", "lexical")
    for retriever in retrievers:
        plain = rank_turns(corpus, Search(QUESTION, 9, retriever=retriever), vectors)
        told = rank_turns(corpus, Search(QUESTION, 9, retriever=retriever), vectors, tokens)
        assert told == plain


class TestKept:
    """Token vectors in a store: written with the turns, read with them, and missed where they are not there."""

    @pytest.fixture
    def history(self) -> BoundHistory:
        return ChromaHistory(Place.parse(None), Encoder("telling", Telling)).at("ana")

    def test_a_search_looks_at_them(self, history: BoundHistory) -> None:
        history.put(HISTORY, {}, describer="none", form="wiki")
        assert history.search_turns(QUESTION, 1)[0].id == "s1:1"
        assert history.search_episodes(QUESTION, 1)[0].id == "s1"

    def test_the_raw_turns_read_as_they_were_put(self, history: BoundHistory) -> None:
        history.put(HISTORY, {}, describer="none", form="wiki")
        assert history.session("s2") == HISTORY[1]

    def test_new_turns_of_a_known_session_have_them(self, history: BoundHistory) -> None:
        history.put(HISTORY, {}, describer="none", form="wiki")
        grown = session("s3", *(turn.text for turn in HISTORY[2].turns), "A stew for everyone")
        history.put([grown], {}, describer="none", form="wiki")
        assert history.search_turns("soup", 2)[0].id in ("s3:3", "s2:1")
        assert history.search_turns(QUESTION, 1)[0].id == "s1:1"
