"""Files to load, written on the spot."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a value as JSON, or text or bytes as they are, and return the path."""

    def written(content: object, name: str = "history.json") -> Path:
        path = tmp_path / name
        match content:
            case bytes():
                path.write_bytes(content)
            case str():
                path.write_text(content, encoding="utf-8")
            case _:
                path.write_text(json.dumps(content), encoding="utf-8")
        return path

    return written
