"""Files are written whole or not at all, and an impossible place is told before the work."""

import os
from pathlib import Path
from threading import Thread

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


@pytest.mark.parametrize("old", ["old", None])
def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path, old: str | None) -> None:
    target, link = tmp_path / "elsewhere" / "run.json", tmp_path / "run.json"
    target.parent.mkdir()
    if old:
        target.write_text(old)
    link.symlink_to(target)
    with writing(link) as write:
        write("new")
        assert target.exists() == bool(old)
    assert link.readlink() == target
    assert target.read_text() == "new"
    assert [path.name for path in target.parent.iterdir()] == ["run.json"]


def test_a_link_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(InputError, match=r"cannot write .*/a: "), writing(tmp_path / "a"):
        pytest.fail("the work was begun")


def test_a_new_text_is_no_more_open_to_others_than_the_old(tmp_path: Path) -> None:
    place = tmp_path / "run.json"
    place.write_text("old")
    place.chmod(0o600)
    with writing(place) as write:
        write("new")
    assert (place.read_text(), place.stat().st_mode & 0o777) == ("new", 0o600)


def test_a_named_pipe_is_written_into(tmp_path: Path) -> None:
    place = tmp_path / "pipe"
    os.mkfifo(place)
    read: list[str] = []
    reader = Thread(target=lambda: read.append(place.read_text()))
    reader.start()
    with writing(place) as write:
        write("new")
    reader.join()
    assert read == ["new"]
    assert place.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_pipe_of_the_shell_is_written_into() -> None:
    reading, wanted = os.pipe()
    with writing(Path(f"/dev/fd/{wanted}")) as write:
        write("new")
    assert os.read(reading, 9) == b"new"
    os.close(reading)
    os.close(wanted)


def write_unread(reading: int, place: Path) -> None:
    with writing(place) as write:
        os.close(reading)
        write("new")


def test_a_pipe_whose_reader_has_left_is_told() -> None:
    reading, wanted = os.pipe()
    with pytest.raises(InputError, match=r"cannot write .*: Broken pipe"):
        write_unread(reading, Path(f"/dev/fd/{wanted}"))
    os.close(wanted)
