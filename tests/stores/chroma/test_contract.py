"""What every history promises, in memory, in a folder and on a server, with embeddings and without."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone
from threading import get_ident
from typing import Any, get_args
from uuid import uuid4

import pytest

from langrecall.errors import InputError, NamespaceError, UnknownIdError
from langrecall.records import Episode, Image, Role, Session, TimeCue, Turn
from langrecall.stores.base import HistoryMemory, HistoryStore, PutReport
from langrecall.stores.chroma.bound import BoundHistory
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.stores.chroma.rows import PARTS

Store = Callable[[BoundHistory, Sequence[Session]], PutReport]
Talk = Callable[..., Session]
Entry = Callable[[Session], Episode]

ODD_NAMESPACES = ("ab", "太郎", "mira@mail.example", "10.0.0.1", "x" * 600, "👩‍👩‍👧 ..", " ", "a/b\\c\n")
EXACT_TEXTS = (
    "  leading and trailing blanks \n",
    "two\r\nlines\tand a tab",
    "عربى ‏مرحبا and 日本語",
    "👩‍👩‍👧 zero\u200bwidth \ufeff e\u0301 é",
    "",
    "   ",
    "\x00\x07 control",
    "word " * 900,
    "x" * 5_000,
)


def raw_ids(history: BoundHistory) -> dict[str, set[str]]:
    """Everything stored in the namespace's collections, visible or not, its generation mark left out."""
    rows = history._rows
    asked = {part: rows._ask(part, lambda collection: collection.get(include=[])["ids"]) for part in PARTS}
    return {part: set(ids or ()) - {"generation"} for part, ids in asked.items()}


def test_is_what_the_graphs_ask_for(memory: ChromaHistory, history: BoundHistory) -> None:
    wanted_memory: HistoryMemory = memory
    wanted: HistoryStore = history
    assert wanted_memory.at(history.namespace).namespace == wanted.namespace


def test_an_unknown_namespace_is_empty(memory: ChromaHistory, history: BoundHistory) -> None:
    assert history.sessions() == []
    assert history.search_turns("anything") == []
    assert history.search_episodes("anything") == []
    assert history.episodes(["s1"]) == []
    assert history.turns(["s1:0"]) == []
    assert history.staged(["s1"]) == []
    assert history.stats() == {"sessions": 0, "turns": 0, "chunks": 0, "facts": 0}
    assert history.delete("s1") is False
    assert history.clear() == 0
    with pytest.raises(UnknownIdError, match="no session 's1' in namespace"):
        history.session("s1")
    assert history.namespace not in memory.namespaces()


def test_sessions_and_entries_come_back_exactly(history: BoundHistory, entry: Entry) -> None:
    local = datetime(2024, 6, 1, 19, 0, 0, 5, tzinfo=timezone(timedelta(hours=-5, minutes=-30)))
    roles = get_args(Role)
    turns = [
        Turn(
            session_id="s:1 é",
            index=index,
            speaker="Zoë 🐝 / Team",
            role=roles[index % 5],
            text=text,
            time=local if index % 2 else datetime(2024, 6, 1),
            images=(Image(source="http://x.invalid/a.png", caption="a cat", ocr="MIAU"), Image()) if index == 1 else (),
            source_id=f"D1:{index}",
        )
        for index, text in enumerate(EXACT_TEXTS)
    ]
    session = Session(session_id="s:1 é", time=local, turns=tuple(turns), source="file.json")
    undated = Session(session_id="s2", time_text="sometime in May", turns=())
    cue = TimeCue(text="tonight", turn=1, start=local.date(), end=local.date(), granularity="day")
    episode = entry(session).model_copy(update={"time_cues": (cue,), "topics": ("cats",)})
    history.put([session, undated], {"s:1 é": episode}, describer="test", form="wiki")

    back = history.session("s:1 é")
    assert back == session
    assert back.model_dump_json() == session.model_dump_json()
    assert back.turns[1].time is not None
    assert back.turns[1].time.utcoffset() == local.utcoffset()
    assert back.turns[0].time is not None
    assert back.turns[0].time.tzinfo is None
    assert history.session("s2") == undated
    assert history.episodes(["s2", "s:1 é"]) == [episode]
    assert history.turns([turn.id for turn in reversed(turns)]) == turns[::-1]


def test_put_again_skips_and_changes_nothing(history: BoundHistory, store: Store, talk: Talk) -> None:
    sessions = [talk("s1", "I moved to Rome", "Nice"), talk("s2", "I have a dog", day=1)]
    assert store(history, sessions) == PutReport(("s1", "s2"), (), ())
    before = raw_ids(history)
    assert store(history, sessions) == PutReport((), (), ("s1", "s2"))
    assert raw_ids(history) == before


def test_changes_tells_what_put_would_do(history: BoundHistory, store: Store, talk: Talk) -> None:
    store(history, [talk("same", "a"), talk("grown", "a"), talk("redescribed", "a")])
    sessions = [talk("new", "a"), talk("grown", "a", "b"), talk("same", "a")]
    changes = history.changes(sessions, describer="test", form="wiki")
    assert changes == (("new",), ("grown",), ("same",))
    for describer, form in (("another", "wiki"), ("test", "graph")):
        assert history.changes([talk("same", "a")], describer=describer, form=form).updated == ("same",)
    assert history.session("grown").turns[-1].text == "a"


def test_another_grounding_version_is_an_update(
    history: BoundHistory, store: Store, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(history, [talk("s1", "a")])
    monkeypatch.setattr("langrecall.stores.chroma.commits.Origin.__new__.__defaults__", (10_000,))
    assert history.changes([talk("s1", "a")], describer="test", form="wiki").updated == ("s1",)


def test_grown_session_keeps_its_rows_and_gains_the_new(history: BoundHistory, store: Store, talk: Talk) -> None:
    store(history, [talk("s1", "one", "two")])
    before = raw_ids(history)["chunks"]
    grown = talk("s1", "one", "two", "three", "four", "five")
    assert store(history, [grown]) == PutReport((), ("s1",), ())
    assert raw_ids(history)["chunks"] > before
    assert history.stats()["turns"] == 5
    assert history.session("s1") == grown


def test_changed_session_is_replaced_without_leftovers(
    memory: ChromaHistory, history: BoundHistory, store: Store, talk: Talk
) -> None:
    store(history, [talk("s1", "the password is swordfish", "noted", "bye"), talk("s2", "hello", day=1)])
    changed = talk("s1", "nothing to see")
    store(history, [changed])
    fresh = memory.at(f"fresh-{uuid4()}")
    store(fresh, [changed, talk("s2", "hello", day=1)])
    assert raw_ids(history) == raw_ids(fresh)
    assert history.session("s1") == changed
    assert all(
        "swordfish" not in turn.text
        for turn in history.turns([hit.id for hit in history.search_turns("swordfish", 99)])
    )
    fresh.clear()


def test_equal_texts_do_not_collide(history: BoundHistory, store: Store, talk: Talk) -> None:
    store(history, [talk("s1", *["ok"] * 6), talk("s2", *["ok"] * 6)])
    assert history.stats()["chunks"] == 12
    assert {hit.id for hit in history.search_turns("ok", 99)} == {f"s{s}:{i}" for s in (1, 2) for i in range(6)}


def test_same_ids_in_two_namespaces_stay_apart(memory: ChromaHistory, store: Store, talk: Talk) -> None:
    prefix = str(uuid4())
    sam, sam1, nobody = (memory.at(f"{prefix}{name}") for name in ("sam", "sam1", "sa"))
    store(sam, [talk("session_1", "I live in Oslo")])
    store(sam1, [talk("session_1", "I live in Lima")])
    assert [turn.text for turn in sam.turns([sam.search_turns("where do I live")[0].id])] == ["I live in Oslo"]
    assert [turn.text for turn in sam1.turns([sam1.search_turns("where do I live")[0].id])] == ["I live in Lima"]
    assert nobody.search_turns("where do I live") == []
    assert sam.clear() == 1
    assert sam1.session("session_1").turns[0].text == "I live in Lima"
    sam1.clear()


def test_any_text_is_a_namespace(memory: ChromaHistory, store: Store, talk: Talk) -> None:
    known = set(memory.namespaces())
    for name in ODD_NAMESPACES:
        store(memory.at(name), [talk("s1", f"my name is {name}")])
    assert set(memory.namespaces()) == known | set(ODD_NAMESPACES)
    for name in ODD_NAMESPACES:
        assert memory.at(name).session("s1").turns[0].text == f"my name is {name}"
        memory.at(name).clear()
    assert set(memory.namespaces()) == known


@pytest.mark.parametrize("name", ["", "\ud800", 5, None, b"n", ["n"]])
def test_no_text_is_no_namespace(memory: ChromaHistory, name: Any) -> None:
    with pytest.raises(NamespaceError, match="is no namespace"):
        memory.at(name)


def test_delete_leaves_nothing_of_a_session(
    memory: ChromaHistory, history: BoundHistory, store: Store, talk: Talk
) -> None:
    store(history, [talk("s1", "I keep bees"), talk("s2", "I sing", day=1)])
    fresh = memory.at(f"fresh-{uuid4()}")
    store(fresh, [talk("s1", "I keep bees")])
    assert history.delete("s2") is True
    assert raw_ids(history) == raw_ids(fresh)
    assert {hit.id for hit in history.search_turns("who sings", 9)} == {"s1:0"}
    assert [hit.id for hit in history.search_episodes("who sings", 9)] == ["s1"]
    assert [info.session_id for info in history.sessions()] == ["s1"]
    assert history.delete("s2") is False
    fresh.clear()


@pytest.mark.parametrize("last", ["delete", "clear"])
def test_the_last_session_takes_the_collections_with_it(
    memory: ChromaHistory, history: BoundHistory, store: Store, talk: Talk, last: str
) -> None:
    store(history, [talk("s1", "I keep bees")])
    assert history.namespace in memory.namespaces()
    assert history.search_turns("bees")
    assert (history.delete("s1") if last == "delete" else history.clear()) == 1
    assert not history._rows.exists()
    assert history.namespace not in memory.namespaces()
    assert history.search_turns("bees") == []
    assert store(history, [talk("s1", "I keep bees")]).created == ("s1",)
    assert [hit.id for hit in history.search_turns("bees")] == ["s1:0"]


def test_sessions_are_in_time_order_undated_last(history: BoundHistory, store: Store, talk: Talk) -> None:
    sessions = [talk("u1", "a", day=None), talk("s10", "b", day=9), talk("u0", "c", day=None), talk("s2", "d", day=1)]
    store(history, sessions)
    store(history, [talk("u1", "a", "more", day=None)])
    assert [info.session_id for info in history.sessions()] == ["s2", "s10", "u1", "u0"]
    assert [(info.title, info.turns) for info in history.sessions()][2] == ("Talk u1", 2)
    assert history.sessions()[0].time == talk("s2", "d", day=1).time


def test_search_leaves_out_what_it_is_told_to(history: BoundHistory, store: Store, talk: Talk) -> None:
    store(history, [talk(f"s{day}", "the boat is blue", day=day) for day in range(4)])
    ask = talk("asked", "", day=1).time
    assert {hit.id for hit in history.search_episodes("boat", 9, before=ask)} == {"s0", "s1"}
    assert {hit.id for hit in history.search_turns("boat", 9, before=ask, exclude=["s0"])} == {"s1:0"}
    assert len(history.search_turns("boat", 2)) == 2


def test_ids_come_back_in_the_order_asked_for(history: BoundHistory, store: Store, talk: Talk) -> None:
    store(history, [talk("s1", "a", "b"), talk("s2", "c")])
    asked = ["s2:0", "s1:1", "s9:0", "s1:7", "nonsense", "s1:0", "s1:1"]
    assert [turn.text for turn in history.turns(asked)] == ["c", "b", "a", "b"]
    assert [episode.session_id for episode in history.episodes(["s2", "none", "s1"])] == ["s2", "s1"]


def test_window_widens_by_chunks_within_its_session(history: BoundHistory, store: Store, talk: Talk) -> None:
    long = "a long story " * 200  # four chunks
    store(history, [talk("s0", "before"), talk("s1", "a", "", "b", long, "c", "d"), talk("s2", "after")])

    def window(index: int, width: int) -> list[int]:
        return [turn.index for turn in history.window("s1", index, width)]

    assert window(2, 0) == [2]
    assert window(0, 1) == [0, 1]
    assert window(2, 2) == [0, 1, 2, 3]
    assert window(4, 1) == [3, 4, 5]
    assert window(4, 3) == [3, 4, 5]
    assert window(4, 5) == [2, 3, 4, 5]
    assert window(3, 99) == [0, 1, 2, 3, 4, 5]
    with pytest.raises(UnknownIdError, match="no turn 6 in session 's1': it has 6 turns"):
        window(6, 1)


def test_staged_sessions_are_kept_aside_until_put(
    memory: ChromaHistory, history: BoundHistory, store: Store, talk: Talk
) -> None:
    first, second = talk("s1", "I keep bees"), talk("s2", "I sing", day=1)
    history.stage([first, second])
    assert history.staged(["s2", "none", "s1"]) == [second, first]
    assert history.sessions() == []
    assert history.search_turns("bees") == []
    assert history.namespace not in memory.namespaces()
    store(history, [first])
    assert history.staged(["s1", "s2"]) == [second]
    assert [hit.id for hit in history.search_turns("sing bees", 9)] == ["s1:0"]
    history.delete("s1")
    assert history.namespace not in memory.namespaces()
    assert history.staged(["s2"]) == [second]
    history.unstage(["s2", "none"])
    assert history.staged(["s2"]) == []
    assert not history._rows.exists()


def test_unchanged_sessions_are_unstaged_by_put_too(history: BoundHistory, store: Store, talk: Talk) -> None:
    store(history, [talk("s1", "a")])
    history.stage([talk("s1", "a")])
    store(history, [talk("s1", "a")])
    assert history.staged(["s1"]) == []


def test_lone_surrogates_become_replacement_characters(history: BoundHistory, store: Store, talk: Talk) -> None:
    broken = talk("s\udc00", "nice \ud83d day", "\ud83d\ude00 whole")
    assert store(history, [broken]).created == ("s\ufffd",)
    assert [turn.text for turn in history.session("s\ufffd").turns] == ["nice \ufffd day", "😀 whole"]
    assert store(history, [broken]).skipped == ("s\ufffd",)
    assert history.delete("none \udc00") is False
    assert [hit.id for hit in history.search_turns("nice \ud83d day", 1)] == ["s\ufffd:0"]
    assert history.episodes(["s\ufffd"])[0].title == "Talk s\ufffd"


def test_one_id_twice_in_one_put_is_an_error(history: BoundHistory, store: Store, talk: Talk) -> None:
    with pytest.raises(InputError, match="session 's1' is given twice"):
        store(history, [talk("s1", "a"), talk("s1", "b")])
    assert history.sessions() == []


def test_more_rows_than_one_batch_holds(
    history: BoundHistory, store: Store, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("langrecall.stores.chroma.collections._BATCH", 50)
    session = talk("s1", *[f"note {number}" for number in range(120)])
    store(history, [session])
    assert "s1:117" in {hit.id for hit in history.search_turns("note 117", 9)}
    assert history.session("s1") == session
    assert history.clear() == 1


def test_a_session_needs_no_entry_and_no_turns(history: BoundHistory, talk: Talk) -> None:
    bare, empty = talk("bare", "I keep bees"), talk("empty")
    history.put([bare, empty], {}, describer="test", form="wiki")
    assert history.episodes(["bare", "empty"]) == []
    assert history.session("empty") == empty
    assert history.search_turns("bees", 1)[0].id == "bare:0"
    assert [info.title for info in history.sessions()] == ["", ""]


async def test_async_forms_do_the_same(history: BoundHistory, talk: Talk, entry: Entry) -> None:
    session = talk("s1", "I keep bees", "You do")
    entries = {"s1": entry(session)}
    await history.astage([session])
    assert await history.astaged(["s1"]) == [session]
    await history.aunstage(["s1"])
    assert (await history.achanges([session], describer="test", form="wiki")).created == ("s1",)
    assert (await history.aput([session], entries, describer="test", form="wiki")).created == ("s1",)
    assert await history.asearch_turns("bees", 1) == history.search_turns("bees", 1)
    assert await history.asearch_episodes("bees") == history.search_episodes("bees")
    assert await history.asessions() == history.sessions()
    assert await history.asession("s1") == session
    assert await history.aepisodes(["s1"]) == list(entries.values())
    assert await history.aturns(["s1:1"]) == [session.turns[1]]
    assert await history.awindow("s1", 0, 1) == list(session.turns)
    assert await history.astats() == history.stats()
    assert await history.adelete("s1") is True
    assert await history.aclear() == 0


async def test_async_forms_work_in_another_thread(
    history: BoundHistory, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = set()

    def asked(*args: Any) -> Any:
        threads.add(get_ident())
        return ask(*args)

    ask = history._rows._ask
    monkeypatch.setattr(history._rows, "_ask", asked)
    await history.aput([talk("s1", "I keep bees")], {}, describer="test", form="wiki")
    await history.asearch_turns("bees")
    await history.asession("s1")
    assert threads
    assert get_ident() not in threads
