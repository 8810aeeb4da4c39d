"""What a server is set up with, and what it makes of it."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore
from langgraph_sdk.runtime import _ExecutionRuntime, _ReadRuntime

from langrecall.data import sample_history
from langrecall.errors import ModelConfigError, SettingsError
from langrecall.graphs import deploy
from langrecall.graphs.deploy import Deployment, Served, check_context
from langrecall.ingest_state import IngestSettings
from langrecall.settings import Settings

ROOT = Path(__file__).parents[2]
CONFIG = json.loads((ROOT / "langgraph.json").read_text())


@pytest.fixture
def served(tmp_path: Path) -> Served:
    return Deployment(db=str(tmp_path / "memory"), embeddings=None).build()


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("LANGRECALL_DB", str(tmp_path / "memory"))
    monkeypatch.setenv("LANGRECALL_EMBEDDINGS", "none")
    deploy._served.cache_clear()
    yield
    deploy._served.cache_clear()


def running(context: object) -> _ExecutionRuntime[Any]:
    return _ExecutionRuntime(access_context="threads.create_run", user=None, store=InMemoryStore(), context=context)


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, Deployment()),
        ({"LANGRECALL_DB": "", "LANGRECALL_MODEL": "", "LANGRECALL_EMBEDDINGS": ""}, Deployment()),
        ({"LANGRECALL_DB": "http://chroma:8000"}, Deployment(db="http://chroma:8000")),
        ({"LANGRECALL_EMBEDDINGS": "none"}, Deployment(embeddings=None)),
        ({"LANGRECALL_EMBEDDINGS": "openai:e"}, Deployment(embeddings="openai:e")),
        (
            {"LANGRECALL_MODEL": "openai:a", "LANGRECALL_ALLOWED_MODELS": "openai:b, ollama:c,,"},
            Deployment(model="openai:a", allowed_models=frozenset({"openai:b", "ollama:c"})),
        ),
    ],
)
def test_environment_is_read_once_and_empty_means_unset(environ: dict[str, str], expected: Deployment) -> None:
    assert Deployment.from_env(environ) == expected


def test_importing_the_deployment_reads_no_setting_and_makes_nothing(tmp_path: Path) -> None:
    code = (
        "import os\nos.environ['LANGRECALL_EMBEDDINGS'] = 'nonsense'\nimport langrecall.graphs.deploy as deploy\n"
        "print(deploy._served.cache_info().currsize, os.listdir())"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["0", "[]"]


def test_graphs_leave_checkpointer_and_store_to_the_server(served: Served) -> None:
    assert [graph.checkpointer for graph in served] == [None, None]
    assert [graph.store for graph in served] == [None, None]
    assert [graph.name for graph in served] == ["recall", "ingest"]


async def test_both_graphs_are_built_once_over_one_history(environment: None, tmp_path: Path) -> None:
    read: _ReadRuntime[Any] = _ReadRuntime(access_context="assistants.read", user=None, store=InMemoryStore())
    recall, ingest = await deploy.recall(read), await deploy.ingest(read)
    assert (await deploy.recall(read), await deploy.ingest(read)) == (recall, ingest)
    session = {"session_id": "s", "turns": [_turn("We sold the piano in Bruges.")]}
    context = {"namespace": "mia"}
    await ingest.ainvoke({"sessions": [session]}, context=context)
    result = await recall.ainvoke({"query": "Where was the piano sold?"}, context=context)
    assert [citation["turn"] for citation in result["citations"]] == ["s:0"]
    assert (tmp_path / "memory").is_dir()


async def test_a_run_with_an_unknown_setting_gets_no_graph(environment: None) -> None:
    with pytest.raises(SettingsError, match="unknown setting 'max_stesp'"):
        await deploy.recall(running({"namespace": "mia", "max_stesp": 3}))
    with pytest.raises(
        SettingsError, match="unknown setting 'max_steps': the settings are namespace, model, form, wave"
    ):
        await deploy.ingest(running({"namespace": "mia", "max_steps": 3}))


@pytest.mark.parametrize(
    "context", [None, {}, {"max_steps": 3}, {"thread_id": "t", "__x": 1, "langgraph_auth_user": "u"}]
)
def test_what_langgraph_puts_beside_settings_is_let_through(context: dict[str, Any] | None) -> None:
    check_context(Settings, running(context))
    with pytest.raises(SettingsError, match="unknown setting 'max_stesp'"):
        check_context(Settings, running({**(context or {}), "max_stesp": 3}))


def test_reading_a_thread_has_no_context_to_check() -> None:
    reading: Any = _ReadRuntime(access_context="threads.read", user=None, store=InMemoryStore())
    assert reading.execution_runtime is None
    check_context(IngestSettings, reading)


def test_only_allowed_models_may_be_named(tmp_path: Path) -> None:
    allowed = frozenset({"openai:b"})
    graph = Deployment(db=str(tmp_path), embeddings=None, allowed_models=allowed).build().recall
    with pytest.raises(
        ModelConfigError, match="'openai:c' is not allowed here: the allowed models are extractive, openai:b"
    ):
        graph.invoke({"query": "Anything?"}, context={"namespace": "mia", "model": "openai:c"})


def test_a_file_of_the_server_is_not_opened_for_a_client(served: Served, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    picture = tmp_path / "secret.png"
    picture.write_bytes(sample_history().with_name("sample_poster.png").read_bytes())
    turn = _turn("Look at this photo of the ticket") | {"images": [{"source": str(picture), "caption": "a ticket"}]}
    context: dict[str, Any] = {"namespace": "mia", "preset": "memcot", "zoom_out": False}
    served.ingest.invoke({"sessions": [{"session_id": "s", "turns": [turn]}]}, context={"namespace": "mia"})
    steps = list(served.recall.stream({"query": "What is on the ticket?"}, context=context, stream_mode="custom"))
    (viewed,) = [step for step in steps if step["node"] == "view"]
    assert "a ticket: a file, and files are not opened here" in viewed["note"]


def test_server_configuration_names_what_exists() -> None:
    named = [entry["path"].partition(":") for entry in CONFIG["graphs"].values()]
    assert [getattr(import_module(module), name) for module, _, name in named] == [deploy.recall, deploy.ingest]
    assert set(CONFIG["graphs"]) == set(Served._fields)


def test_server_installs_what_its_default_embeddings_need() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert CONFIG["dependencies"] == [".", *extras["local"]]


def test_example_environment_shows_the_defaults() -> None:
    example = dict(re.findall(r"^(LANGRECALL_\w+)=(.*)", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert Deployment.from_env(example) == Deployment()


def _turn(text: str) -> dict[str, Any]:
    return {"session_id": "s", "index": 0, "speaker": "Mia", "role": "speaker", "text": text}
