"""The value of a search, and the async forms of a store of one's own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import FrozenInstanceError, fields
from datetime import datetime
from threading import get_ident

import pytest

from langrecall.graphs.recall import create_recall_graph
from langrecall.records import Episode, Session, Turn
from langrecall.stores.base import (
    Changes,
    HistoryStore,
    Hit,
    PutReport,
    Search,
    SessionInfo,
    ThreadedHistory,
    TurnFields,
)
from langrecall.stores.chroma.history import ChromaHistory

DAY = datetime(2024, 3, 1, 19)


def talk() -> Session:
    turn = Turn(session_id="s1", index=0, speaker="Ana", role="speaker", text="I keep bees", time=DAY)
    return Session(session_id="s1", time=DAY, turns=(turn,))


class OwnStore(ThreadedHistory):
    """One session, and what was asked of it."""

    namespace = "own"

    def __init__(self) -> None:
        self.asked: list[tuple[Search, int]] = []

    def changes(self, sessions: Sequence[Session], *, describer: str, form: str) -> Changes:
        return Changes((), (), tuple(session.session_id for session in sessions))

    def put(
        self, sessions: Sequence[Session], episodes: Mapping[str, Episode], *, describer: str, form: str
    ) -> PutReport:
        return PutReport((), (), tuple(session.session_id for session in sessions))

    def stage(self, sessions: Sequence[Session]) -> None: ...

    def staged(self, session_ids: Iterable[str]) -> list[Session]:
        return []

    def unstage(self, session_ids: Iterable[str]) -> None: ...

    def search_episodes(self, search: Search, /) -> list[Hit]:
        self.asked.append((search, get_ident()))
        return [Hit("s1", 1.0)]

    def search_turns(self, search: Search, /) -> list[Hit]:
        self.asked.append((search, get_ident()))
        return [Hit("s1:0", 1.0)]

    def sessions(self) -> list[SessionInfo]:
        return [SessionInfo("s1", "Bees", DAY, 1)]

    def session(self, session_id: str) -> Session:
        return talk()

    def episodes(self, session_ids: Iterable[str]) -> list[Episode]:
        return [Episode(session_id=session_id, title="Bees") for session_id in session_ids]

    def turns(self, turn_ids: Iterable[str]) -> list[Turn]:
        return list(talk().turns) if "s1:0" in turn_ids else []

    def window(self, session_id: str, index: int, width: int) -> list[Turn]:
        return list(talk().turns)

    def delete(self, session_id: str) -> bool:
        return False

    def clear(self) -> int:
        return 0

    def stats(self) -> dict[str, int]:
        return {"sessions": 1}


def test_a_search_is_a_value() -> None:
    search = Search("bees", 3, exclude=["s1", "s2"], before=DAY)
    assert search == Search("bees", 3, exclude={"s2", "s1"}, before=DAY)
    assert {search: "found"}[Search("bees", 3, exclude=("s1", "s2", "s1"), before=DAY)] == "found"
    with pytest.raises(FrozenInstanceError):
        search.k = 4  # type: ignore[misc]


def test_keywords_make_a_search_and_change_one() -> None:
    search = Search.of("bees", 3, tokens=100, passages=True)
    assert search == Search("bees", 3, tokens=100, passages=True)
    assert Search.of(search) == search
    assert Search.of(search, tokens=None, retriever="dense") == Search("bees", 3, passages=True, retriever="dense")


def test_every_field_is_a_keyword() -> None:
    own = {"query", "k"}
    assert {field.name for field in fields(Search)} - own == TurnFields.__required_keys__ | TurnFields.__optional_keys__


class TestInKeywords:
    """The searches of a Chroma history, as README and notebooks call them."""

    def test_they_say_what_a_search_says(self, bees: ChromaHistory) -> None:
        history = bees.at("ana")
        whole = Search("bees", tokens=1000, before=DAY, exclude=["s2"])
        found = history.search_turns("bees", tokens=1000, before=DAY, exclude=["s2"])
        assert [hit.id for hit in found] == ["s1:0"]
        assert found == history.search_turns(whole)
        assert history.search_turns(whole, exclude=["s1"]) == []
        assert history.search_episodes("bees", k=0) == history.search_episodes(Search("bees", 0)) == []
        assert history.search_episodes(query="bees", k=2) == history.search_episodes("bees", 2) != []

    async def test_the_async_forms_take_them_too(self, bees: ChromaHistory) -> None:
        history = bees.at("ana")
        assert await history.asearch_turns("bees", tokens=1000, before=DAY) == history.search_turns("bees", tokens=1000)
        assert await history.asearch_episodes("bees", k=1) == history.search_episodes("bees", 1)

    async def test_an_unknown_one_is_refused(self, bees: ChromaHistory) -> None:
        history = bees.at("ana")
        with pytest.raises(TypeError, match="unexpected keyword argument 'token'"):
            history.search_turns("bees", token=1000)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="unexpected keyword argument 'token'"):
            await history.asearch_turns("bees", token=1000)  # type: ignore[call-arg]

    def test_sessions_are_not_counted_in_tokens(self, bees: ChromaHistory) -> None:
        with pytest.raises(TypeError, match="tokens and passages are of turns"):
            bees.at("ana").search_episodes("bees", tokens=1000)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="tokens and passages are of turns"):
            bees.at("ana").search_episodes(Search("bees", passages=True))


class TestOwnStore:
    """A store that implements the plain methods and takes their async forms from `ThreadedHistory`."""

    async def test_every_async_form_is_there_and_leaves_the_event_loop(self) -> None:
        own = OwnStore()
        store: HistoryStore = own
        assert await store.asearch_turns(Search("bees", 3)) == store.search_turns(Search("bees", 3))
        assert [search for search, _ in own.asked] == [Search("bees", 3)] * 2
        assert own.asked[0][1] != own.asked[1][1] == get_ident()
        names = {name for name in vars(HistoryStore) if not name.startswith("_")} - {"namespace"}
        plain = {name for name in names if f"a{name}" in names}
        assert names == plain | {f"a{name}" for name in plain} == plain | set(vars(ThreadedHistory)) & names
        assert await store.asession("s1") == talk()

    async def test_the_graph_runs_on_it_both_ways(self) -> None:
        graph = create_recall_graph(OwnStore())
        told = graph.invoke({"query": "Does Ana keep bees?"})
        assert "I keep bees" in told["answer"]
        assert (await graph.ainvoke({"query": "Does Ana keep bees?"}))["answer"] == told["answer"]


@pytest.fixture
def bees() -> Iterator[ChromaHistory]:
    with ChromaHistory.open(None, embeddings=None) as memory:
        memory.at("ana").put([talk()], {}, describer="test", form="wiki")
        yield memory
