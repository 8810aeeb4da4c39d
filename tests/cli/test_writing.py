"""Files are written whole or not at all, and an impossible place is told before the work."""

from pathlib import Path

import pytest

from langrecall.cli.writing import writing
from langrecall.errors import InputError


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
