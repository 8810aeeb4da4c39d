"""A real `langgraph dev` on loopback, in a folder that holds nothing but `langgraph.json`."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from langrecall.data import sample_history
from langrecall.loaders import load

ROOT = Path(__file__).parents[2]
STARTS_IN, STOPS_IN = 90.0, 20.0  # seconds
INHERITED = ("PATH", "PYTHONPATH", "LANG", "TMPDIR")
QUIET = {"LANGSMITH_TRACING": "false", "LANGGRAPH_NO_VERSION_CHECK": "true", "LANGGRAPH_CLI_NO_ANALYTICS": "1"}
"""What the development server would ask the internet for is left out."""
BLOCKED = "Heads up! LangGraph dev identified a synchronous blocking call"


@dataclass(frozen=True)
class Server:
    """A running development server: its address, its folder and what it has logged."""

    url: str
    folder: Path

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()


@contextmanager
def running(folder: Path, environ: Mapping[str, str]) -> Iterator[Server]:
    """Start a server as a process group of its own, and stop that group."""
    shutil.copy(ROOT / "langgraph.json", folder)
    port = _free_port()
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload", "--n-jobs-per-worker", "4"]
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=folder,
            env={**inherited, "HOME": str(folder), "LANGRECALL_EMBEDDINGS": "none", **QUIET, **environ},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    server = Server(f"http://127.0.0.1:{port}", folder)
    try:
        _wait_until_up(server, process)
        yield server
    finally:
        _stop(process)


@pytest.fixture(scope="session")
def start_server() -> Callable[[Path, Mapping[str, str]], AbstractContextManager[Server]]:
    """Start a server in a folder, with more environment than the default, which has no key."""
    pytest.importorskip("langgraph_api", reason="needs the extra `studio`")
    return running


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest.importorskip("langgraph_api", reason="needs the extra `studio`")
    with running(tmp_path_factory.mktemp("server"), {}) as server:
        yield server


@pytest.fixture
def server(shared_server: Server) -> Iterator[Server]:
    """The server that a module's tests share; a blocking call is the failure of the test that made it."""
    before = shared_server.log.count(BLOCKED)
    yield shared_server
    assert shared_server.log.count(BLOCKED) == before


@pytest.fixture
def folder(server: Server) -> Path:
    """Where the server keeps its histories."""
    return server.folder / "memory"


@pytest.fixture
async def client(server: Server) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=server.url, api_key=None) as client:
        yield client


@pytest.fixture(scope="session")
def sample_sessions() -> list[dict[str, Any]]:
    """The sample history as plain JSON."""
    return [session.model_dump(mode="json") for session in load(sample_history()).histories[0].sessions]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_up(server: Server, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + STARTS_IN
    while time.monotonic() < until and process.poll() is None:
        try:
            if httpx.get(f"{server.url}/ok").is_success:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    pytest.fail(f"the server did not start:\n{server.log}")


def _stop(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(STOPS_IN)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
