"""Records are written whole or not at all, and what is no record is told in one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from langrecall.errors import InputError
from langrecall.runs.files import dump_run, load_run
from langrecall.runs.saved import FORMAT, VERSION


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is no saved run: it is not JSON"),
        (b"\xff\xfe", "is no saved run: it is not JSON"),
        (b"[" * 100_000, "is no saved run: it is not JSON"),
        (b"[]", "is no saved run: make one with"),
        (b'{"sessions": []}', "is no saved run: make one with"),
        (json.dumps({"format": FORMAT, "version": 99}).encode(), "of version 99, and this is version 1"),
        (json.dumps({"format": FORMAT, "version": VERSION}).encode(), "is a damaged saved run: 'langrecall'"),
    ],
)
def test_what_is_no_record_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    place = tmp_path / "run.json"
    place.write_bytes(content)
    with pytest.raises(InputError, match=words):
        load_run(place)


async def test_a_record_comes_back_as_it_was(tmp_path: Path, take: Any) -> None:
    run = await take()
    (tmp_path / "run.json").write_text(dump_run(run), encoding="utf-8")
    assert load_run(tmp_path / "run.json") == run
