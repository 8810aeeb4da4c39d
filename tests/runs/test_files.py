"""Records are written whole or not at all, and what is no record is told in one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from langrecall.errors import InputError
from langrecall.runs.files import dump_run, load_run, writing
from langrecall.runs.saved import FORMAT, VERSION


def fail_while_writing(place: Path) -> None:
    with writing(place) as write:
        write("new")
        raise ZeroDivisionError


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    place = tmp_path / "run.json"
    place.write_text("old")
    with pytest.raises(ZeroDivisionError):
        fail_while_writing(place)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("run.json", "old")]


def test_the_new_text_takes_the_old_ones_place(tmp_path: Path) -> None:
    place = tmp_path / "run.json"
    place.write_text("old and longer")
    with writing(place) as write:
        write("Graça")
        assert place.read_text() == "old and longer"
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [("run.json", "Graça")]


def test_an_impossible_place_is_told_before_the_work(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=r"cannot write .*/none/run.json: No such file or directory"),
        writing(tmp_path / "none" / "run.json"),
    ):
        pytest.fail("the work was begun")
    with pytest.raises(InputError, match="it is a folder; name a file in it"), writing(tmp_path):
        pytest.fail("the work was begun")


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
    with writing(tmp_path / "run.json") as write:
        write(dump_run(run))
    assert load_run(tmp_path / "run.json") == run
