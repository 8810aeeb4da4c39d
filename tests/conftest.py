"""A clean environment for every test, and the benchmark data where it is at hand."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

# A busy machine is no fault of the code's: no example has a deadline, and slow drawing is no failure. A run finds what the last one
# found; to look for more, `pytest --hypothesis-profile=search`.
hypothesis_settings.register_profile(
    "steady", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
hypothesis_settings.register_profile("search", deadline=None, max_examples=5_000)
hypothesis_settings.load_profile("steady")

DATA = Path(os.environ.get("LANGRECALL_DATA") or Path(__file__).parents[2] / "shared" / "data")
MODEL_URL = os.environ.get("LANGRECALL_TEST_MODEL_URL")
FOREIGN = ("ANTHROPIC_", "HF_", "HUGGINGFACE", "LANGCHAIN_", "LANGGRAPH_", "LANGRECALL_", "LANGSMITH_", "OPENAI_")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No key, address or setting of the person who runs the tests reaches them, and nothing is written to their home."""
    for name in [name for name in os.environ if name.startswith(FOREIGN)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture(scope="session")
def benchmark_data() -> Path:
    """The folder with LoCoMo and LongMemEval files; without it the tests marked `shared` are skipped."""
    if not DATA.is_dir():
        pytest.skip(f"no benchmark data at {DATA}: set LANGRECALL_DATA")
    return DATA


@pytest.fixture(scope="session")
def model_url() -> str:
    """An OpenAI-compatible model server; without it the tests marked `model` are skipped."""
    if not MODEL_URL:
        pytest.skip("no model server: set LANGRECALL_TEST_MODEL_URL")
    return MODEL_URL
