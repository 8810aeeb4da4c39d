"""`reindex`: another embedding model for a history that is there."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import ScriptedServer

Run = Callable[..., Any]
Place = tuple[str, ...]
QUESTION = "Where does Jonas live?"


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An embedding server, by the name that --embeddings takes."""
    with ScriptedServer(dimension=64) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield "openai:text-embedding-3-small"


def shown(run: Run, place: Place) -> list[Any]:
    return [run("show", name, *place, "--json").json for name in ("spring", "summer")]


def test_a_history_gets_vectors_and_loses_them_again(run: Run, place: Place, embedder: str) -> None:
    before = shown(run, place)
    told = run("reindex", *place, "--embeddings", embedder, "--json").json
    assert (told["sessions"], told["embeddings"]) == (2, embedder)
    with ChromaHistory.open(place[1], embeddings=None) as memory:
        made = memory.embedding_model("friends")
        assert made is not None
        assert (made.dimension, made.spec) == (64, embedder)
    assert shown(run, place) == before
    assert run("search", QUESTION, *place, "--json").json["turns"]
    assert "2 sessions with no embedding model" in run("reindex", *place, "--embeddings", "none").out
    assert shown(run, place) == before
    assert run("search", QUESTION, *place, "--json").json["turns"]


def test_a_wrong_model_is_said_in_words_of_the_command_line(
    run: Run, place: Place, embedder: str, sessions_file: Path
) -> None:
    outcome = run("search", QUESTION, *place, "--embeddings", embedder, "--json")
    assert outcome.code == 2
    assert outcome.json["error"].endswith(
        ": use --embeddings none, or make it anew with langrecall reindex --embeddings ..."
    )
    assert run("reindex", *place, "--embeddings", embedder).code == 0
    outcome = run("ingest", sessions_file, *place, "--embeddings", "none")
    assert outcome.code == 2
    assert f"use --embeddings {embedder}, or" in outcome.err
    assert "None" not in outcome.err


def test_a_model_that_fails_leaves_the_history_as_it_was(
    run: Run, place: Place, embedder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = run("search", QUESTION, *place, "--json").json["turns"]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    outcome = run("reindex", *place, "--embeddings", embedder, "--json")
    assert outcome.code == 2
    assert "\n" not in outcome.json["error"]
    assert run("search", QUESTION, *place, "--json").json["turns"] == before


@pytest.mark.parametrize("embeddings", ["nonsense", "openai:"])
def test_embeddings_that_are_none_are_one_line(run: Run, place: Place, embeddings: str) -> None:
    outcome = run("reindex", *place, "--embeddings", embeddings)
    assert outcome.code == 2
    assert f"embeddings '{embeddings}' is not known" in outcome.err
    assert "None" not in outcome.err


def test_a_namespace_that_is_not_there_names_the_known_ones(run: Run, place: Place) -> None:
    outcome = run("reindex", place[0], place[1], "--namespace", "freinds", "--embeddings", "none", "--json")
    assert outcome.code == 2
    assert "it holds friends" in outcome.json["error"]


def test_a_folder_that_is_not_there_is_not_made(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    assert run("reindex", "--db", missing, "--namespace", "friends", "--embeddings", "none").code == 2
    assert not missing.exists()
