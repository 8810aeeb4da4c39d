from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from typing_extensions import Unpack

from langrecall.records import Episode, Fact, Relation, Session, Turn
from langrecall.rendering import turns_tokens
from langrecall.stores.base import Retriever, Search, SearchFields, TurnFields
from langrecall.stores.encoding.pieces import pieces
from langrecall.stores.ranking.corpus import Corpus, Floats
from langrecall.stores.ranking.queries import ParsedQuery, first_person, query_texts
from langrecall.stores.ranking.rank import rank_sessions, rank_turns
from langrecall.stores.ranking.signals import dense_signals
from langrecall.stores.ranking.weights import standardise
from langrecall.testing import HashEmbedder

START = datetime(2024, 1, 10, 18)
EMBEDDER = HashEmbedder(512)


def session(session_id: str, *texts: str, time: datetime | None = START) -> Session:
    turns = [
        Turn(session_id=session_id, index=index, speaker=("Ana", "Bo")[index % 2], role="speaker", text=text, time=time)
        for index, text in enumerate(texts)
    ]
    return Session(session_id=session_id, time=time, turns=tuple(turns))


HISTORY = (
    session(
        "s1", "Hello Bo, how was your week?", "I adopted a greyhound from the shelter.", "Lovely, congratulations!"
    ),
    session("s2", "I signed up for a pottery class.", "Pottery sounds fun.", time=START + timedelta(days=30)),
    session("s3", "The kiln cracked my vase.", "Oh no, that vase was so pretty.", time=START + timedelta(days=60)),
    session("s4", "Work is busy.", "Same here, see you soon.", time=START + timedelta(days=90)),
)


def embed(texts: Sequence[str]) -> Floats:
    return np.array(EMBEDDER.embed_documents(list(texts)), dtype=np.float32).reshape(len(texts), -1)


def corpus_of(sessions: Sequence[Session], episodes: Sequence[Episode] = ()) -> Corpus:
    by_id = {episode.session_id: episode for episode in episodes}
    made = [piece for one in sessions for piece in pieces(one, by_id.get(one.session_id))]
    return Corpus.build(sessions, episodes, made, embed([piece.text for piece in made]))


CORPUS = corpus_of(HISTORY)


def turns(
    query: str,
    *,
    corpus: Corpus = CORPUS,
    k: int = 3,
    **fields: Unpack[TurnFields],
) -> list[str]:
    hits = rank_turns(corpus, Search(query, k, **fields), embed(query_texts(query, corpus.speakers)))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True) or fields.get(
        "tokens"
    ) is not None
    return [hit.id for hit in hits]


def sessions(
    query: str,
    *,
    corpus: Corpus = CORPUS,
    k: int = 2,
    **fields: Unpack[SearchFields],
) -> list[str]:
    vectors = embed(query_texts(query, corpus.speakers))
    hits = rank_sessions(corpus, Search(query, k, **fields), vectors)
    return [hit.id for hit in hits]


RETRIEVERS: tuple[Retriever, ...] = ("dense", "lexical", "hybrid")


@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_the_turn_that_says_it_comes_first_and_so_does_its_session(retriever: Retriever) -> None:
    assert turns("Who adopted a greyhound from the shelter?", retriever=retriever)[0] == "s1:1"
    assert sessions("Who adopted a greyhound from the shelter?", retriever=retriever)[0] == "s1"


def test_a_history_without_vectors_is_ranked_by_words() -> None:
    corpus = Corpus.build(HISTORY, [], [], None)
    for retriever in (*RETRIEVERS, "graph"):
        assert rank_turns(corpus, Search("pottery class", 1, retriever=retriever), None)[0].id == "s2:0"
        assert rank_sessions(corpus, Search("pottery class", 1, retriever=retriever), None)[0].id == "s2"


def test_k_limits_the_hits() -> None:
    assert len(turns("vase", k=2)) == 2
    assert len(turns("vase", k=100)) == 9
    assert turns("vase", k=0) == []
    assert len(sessions("vase", k=3)) == 3


def test_excluded_sessions_are_left_out() -> None:
    assert not {"s2:0", "s2:1"} & set(turns("pottery class", k=9, exclude=["s2"]))
    assert "s2" not in sessions("pottery class", k=9, exclude=["s2"])


def test_sessions_after_the_day_of_asking_are_left_out_and_those_of_that_day_are_not() -> None:
    assert sessions("vase", k=9, before=START - timedelta(hours=12)) != []
    assert set(sessions("vase", k=9, before=START + timedelta(days=30, hours=-17))) == {"s1", "s2"}
    assert {name[:2] for name in turns("vase", k=9, before=START + timedelta(days=59))} == {"s1", "s2"}
    assert sessions("vase", before=START - timedelta(days=1)) == []


def test_the_day_of_asking_is_that_of_its_own_offset() -> None:
    history = [session("late", "I saw a heron.", time=datetime(2024, 1, 10, 23, tzinfo=UTC))]
    asked = datetime(2024, 1, 10, 9, tzinfo=timezone(timedelta(hours=-5)))
    assert sessions("heron", corpus=corpus_of(history), before=asked) == ["late"]
    assert sessions("heron", corpus=corpus_of(history), before=asked - timedelta(days=1)) == []


def test_undated_sessions_are_never_after_the_day_of_asking() -> None:
    corpus = corpus_of([session("undated", "I saw a heron.", time=None)])
    assert turns("heron", corpus=corpus, before=START) == ["undated:0"]


@pytest.mark.parametrize("tokens", [0, 5, 30, 60, 100, 150, 10_000])
def test_a_budget_is_never_overrun_and_is_used_as_far_as_turns_fit(tokens: int) -> None:
    shown = turns("Which vase did the kiln crack?", tokens=tokens)
    by_id = {turn.id: turn for turn in CORPUS.turns}
    cost = turns_tokens(by_id[name] for name in shown)
    assert cost <= tokens
    assert len(set(shown)) == len(shown)
    left_out = [turn for turn in CORPUS.turns if turn.id not in shown]
    assert all(turns_tokens([*(by_id[name] for name in shown), turn]) > tokens for turn in left_out)


def test_a_budget_counts_the_grounded_dates_that_are_shown() -> None:
    said = session("s", *["I ran yesterday, and again last Friday."] * 6)
    corpus = corpus_of([said])
    cost = turns_tokens(said.turns[:3])
    assert len(turns("ran", corpus=corpus, tokens=cost)) == 3
    assert turns_tokens(said.turns[:3], grounded=False) < turns_tokens(said.turns[:2], grounded=True) * 1.5


def test_a_short_turn_is_preferred_to_a_long_one_that_is_as_good() -> None:
    rambling = "I bought a kayak. " + "And then nothing of note happened for a while. " * 4
    corpus = corpus_of([session("s", "I bought a kayak.", "Well well.", rambling)])
    assert turns("kayak bought", corpus=corpus, tokens=75)[0] == "s:0"


def test_the_named_speaker_is_preferred() -> None:
    corpus = corpus_of([session("s", "I love swimming in the lake.", "I love swimming in the lake.")])
    assert turns("Where does Bo love swimming?", corpus=corpus)[0] == "s:1"
    assert turns("Where does Ana love swimming?", corpus=corpus)[0] == "s:0"


def test_a_date_in_the_question_prefers_the_days_at_and_after_it() -> None:
    history = [
        session(f"m{month}", "I went hiking.", "Good for you.", time=datetime(2023, month, 15))
        for month in range(1, 13)
    ]
    corpus = corpus_of(history)
    assert sessions("Who went hiking in May 2023?", corpus=corpus)[0] == "m5"
    assert sessions("Who went hiking on 14 August, 2023?", corpus=corpus)[0] == "m8"
    assert sessions("Who went hiking in March?", corpus=corpus, k=2) == ["m3", "m4"]


def test_relative_dates_of_the_question_count_from_the_day_of_asking() -> None:
    history = [session(f"d{day}", "I went hiking.", time=datetime(2023, 5, day)) for day in (3, 10, 17, 24)]
    asked = datetime(2023, 5, 25)
    assert sessions("Who went hiking two weeks ago?", corpus=corpus_of(history), before=asked)[0] == "d10"


def test_a_turn_that_answers_is_preferred_to_one_that_asks() -> None:
    corpus = corpus_of([session("s", "Do you like chess?", "I do like chess.", "Well.", "Do you like chess?")])
    assert turns("chess like", corpus=corpus)[0] == "s:1"


def test_the_neighbours_of_a_match_come_before_turns_far_from_it() -> None:
    history = [session("s", *["Nothing new."] * 6, "My flight leaves at nine.", "Take care.", *["Nothing new."] * 6)]
    assert set(turns("flight", corpus=corpus_of(history), k=5)) == {"s:4", "s:5", "s:6", "s:7", "s:8"}


FACTS = Episode(
    session_id="s4",
    title="Catching up",
    time=START + timedelta(days=90),
    participants=("Ana", "Bo"),
    facts=(Fact(text="Ana was promoted to surgeon.", turns=(0,), speaker="Ana"),),
    entities=("Ana", "hospital"),
    relations=(Relation(subject="Ana", predicate="works at", object="hospital", turns=(0,)),),
)
DESCRIBED = corpus_of(HISTORY, [FACTS])


def test_a_stated_fact_finds_its_turn_and_session() -> None:
    assert turns("Who was promoted to surgeon?", corpus=DESCRIBED)[0] == "s4:0"
    assert sessions("Who was promoted to surgeon?", corpus=DESCRIBED)[0] == "s4"


def test_without_metadata_no_fact_is_looked_at() -> None:
    asked = "Who was promoted to surgeon?"
    with_entries = rank_turns(DESCRIBED, Search(asked, 9, signals="raw"), embed([asked, asked]))
    without = rank_turns(CORPUS, Search(asked, 9, signals="raw"), embed([asked, asked]))
    assert with_entries == without


def test_without_raw_data_no_turn_is_looked_at() -> None:
    assert turns("pottery class", corpus=DESCRIBED, signals="metadata") == []
    assert sessions("surgeon promoted", corpus=DESCRIBED, signals="metadata")[0] == "s4"
    scores = rank_sessions(DESCRIBED, Search("pottery class", 9, signals="metadata"), embed(["pottery class"] * 2))
    assert {hit.id: hit.score for hit in scores}["s2"] == {hit.id: hit.score for hit in scores}["s3"]


def test_the_papers_plain_ranking_takes_one_vector_an_entry() -> None:
    assert sessions("Catching up surgeon", corpus=DESCRIBED, retriever="dense")[0] == "s4"


def test_the_graph_reaches_turns_through_entities_and_relations_only() -> None:
    assert turns("Who works at the hospital?", corpus=DESCRIBED, retriever="graph", k=9) == ["s4:0"]
    assert sessions("Who works at the hospital?", corpus=DESCRIBED, retriever="graph")[0] == "s4"
    assert turns("Who works at the hospital?", corpus=CORPUS, retriever="graph", k=9) == []


@pytest.mark.parametrize("query", ["", "   ", "👍", "what did he do?", "zzz qqq"])
def test_a_query_that_says_nothing_still_ranks_without_a_fault(query: str) -> None:
    assert len(turns(query, k=9)) == 9
    assert len(sessions(query, k=9)) == 4
    assert turns(query, tokens=60)


def test_an_empty_history_has_no_hits() -> None:
    empty = Corpus.build([], [], [], None)
    assert rank_turns(empty, Search("vase", 5), None) == []
    assert rank_sessions(empty, Search("vase", 5), None) == []


def test_a_session_without_turns_comes_last() -> None:
    corpus = corpus_of([*HISTORY, session("empty")])
    assert sessions("vase", corpus=corpus, k=9)[-1] == "empty"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("京都で何を見ましたか", "kyoto"),
        ("自行车是什么颜色", "bike"),
        ("l'ETE a NIMES", "nimes"),
        ("자전거를 샀나요", "korean"),
    ],
)
def test_other_scripts_are_found_by_their_own_words(query: str, found: str) -> None:
    said = {
        "kyoto": "昨日、京都でお寺を見ました。",
        "bike": "我买了一辆红色的自行车。",
        "nimes": "Très bien, l'été à Nîmes.",
        "korean": "어제 자전거를 샀어요.",
    }
    history = [session(name, text) for name, text in said.items()]
    corpus = Corpus.build(history, [], [], None)
    assert rank_turns(corpus, Search(query, 1), None)[0].id == f"{found}:0"


@pytest.mark.parametrize(
    ("query", "speakers", "expected"),
    [
        ("When did Ana's brother visit Ana?", ["Ana", "Bo"], "When did my brother visit I?"),
        ("when did ana move?", ["Ana"], "when did I move?"),
        ("Where does Zoë live?", ["Zoe Martin"], "Where does I live?"),
        ("Where does Zoë live?", ["Ana"], "Where does Zoë live?"),
        ("What will Will say?", ["Will"], "What will I say?"),
        ("what will he say?", ["Will"], "what will he say?"),
        ("Anatomy of a fall", ["Ana"], "Anatomy of a fall"),
        ("田中さんはどこですか", ["田中"], "Iさんはどこですか"),
        ("anything", [], "anything"),
    ],
)
def test_a_question_is_put_as_the_named_speaker_would(query: str, speakers: list[str], expected: str) -> None:
    assert first_person(query, speakers) == expected
    assert query_texts(query, speakers) == [query, expected]


def test_names_are_no_search_terms_unless_nothing_else_is_left() -> None:
    assert ParsedQuery.read("Where did Ana swim?", ["Ana", "Bo"]).terms == ("swim",)
    assert ParsedQuery.read("Who is Ana?", ["Ana", "Bo"]).terms == ("ana",)
    assert ParsedQuery.read("Does Ana like the rose?", ["Ana", "Rose"]).terms == ("like", "rose")


def test_a_question_tells_what_kind_of_thing_it_asks_for() -> None:
    assert ParsedQuery.read("When did she leave?", []).wants_time
    assert ParsedQuery.read("Which city is it?", []).wants_name
    assert not ParsedQuery.read("Why did she leave?", []).wants_time
    assert ParsedQuery.read("What may she march for?", []).months == ()
    assert ParsedQuery.read("Who came in May?", []).months == (5,)
    assert ParsedQuery.read("Who came in May 2023?", []).months == ()


def test_a_long_history_is_scored_in_part_and_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    long = [
        session(f"n{number}", *[f"Nothing of note {number} {turn}." for turn in range(20)], time=START)
        for number in range(60)
    ]
    corpus = corpus_of([*HISTORY, *long])
    whole = turns("Which vase did the kiln crack?", corpus=corpus, k=3)
    monkeypatch.setattr("langrecall.stores.ranking.scope.WHOLE", 100)
    monkeypatch.setattr("langrecall.stores.ranking.scope.LIKELY_SESSIONS", 5)
    monkeypatch.setattr("langrecall.stores.ranking.scope.LIKELY_TURNS", 100)
    monkeypatch.setattr("langrecall.stores.ranking.scope.SAMPLE", 50)
    assert turns("Which vase did the kiln crack?", corpus=corpus, k=3)[0] == whole[0] == "s3:0"
    assert len(turns("vase", corpus=corpus, k=9_999)) < len(corpus.turns)
    assert "s3" not in {name[:2] for name in turns("vase", corpus=corpus, k=9_999, exclude=["s3"])}


@pytest.mark.parametrize("at", [[0, 3, 5], [8], list(range(9))])
def test_what_a_turn_has_for_a_question_is_the_same_in_any_company(at: list[int]) -> None:
    facts = [
        Episode(session_id=name, title="", facts=(Fact(text=text, turns=(1,)),))
        for name, text in (("s1", "Ana has a greyhound"), ("s3", "Ana's vase is broken"))
    ]
    corpus = corpus_of(HISTORY, facts)
    asked = embed(["what became of the vase", "my vase"])
    whole = dense_signals(corpus, asked, np.arange(len(corpus.turns)))
    some = dense_signals(corpus, asked, np.array(at))
    assert some.keys() == whole.keys() == {"statement", "context", "session_fact"}
    for name, values in some.items():
        np.testing.assert_allclose(values, whole[name][at], atol=1e-6)


def test_what_is_missing_is_worse_than_what_is_there() -> None:
    values = np.array([0.4, -1, 0.2, 0.6], dtype=np.float32)
    standard = standardise(values)
    assert standard.argsort().tolist() == [1, 2, 0, 3]
    assert standard[[0, 2, 3]].mean() == pytest.approx(0, abs=1e-6)
    assert standardise(np.array([0.5, -1], dtype=np.float32)).tolist() == [0, -1]
    assert standardise(np.array([-1, -1], dtype=np.float32)).tolist() == [0, 0]
    assert standardise(np.array([], dtype=np.float32)).tolist() == []


def test_a_turn_too_long_for_a_budget_counts_as_a_passage_where_passages_are_shown() -> None:
    long = "I bought a kayak. " + "And then nothing of note happened for a while. " * 80
    corpus = corpus_of([session("s", "Well well.", long, "A kayak is a boat.")])
    assert turns("bought a kayak", corpus=corpus, tokens=500) == ["s:2", "s:0"]
    assert turns("bought a kayak", corpus=corpus, tokens=500, passages=True) == ["s:2", "s:0", "s:1"]
    assert turns("bought a kayak", corpus=corpus, tokens=200, passages=True) == ["s:2", "s:0"]


def test_the_last_day_there_is_has_no_day_after() -> None:
    assert sessions("vase", k=9, before=datetime.max) == sessions("vase", k=9)
