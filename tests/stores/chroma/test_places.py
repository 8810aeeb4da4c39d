"""Where a history lives, and who wrote it last."""

from pathlib import Path

import pytest

from langrecall.stores.chroma.places import FolderMark


def test_a_mark_changes_with_the_start_and_the_end_of_a_write(tmp_path: Path) -> None:
    mark = FolderMark(tmp_path)
    assert (mark.read(), mark.is_open, mark.settled) == ("", False, None)
    begun = mark.begin()
    assert (mark.read(), mark.is_open, mark.settled) == (begun, True, None)
    ended = mark.end()
    assert (mark.read(), mark.is_open, mark.settled) == (ended, False, ended)
    assert mark.begin() != begun


@pytest.mark.parametrize("damaged", [b"\xff\xfe\x00bad", b"\x80", b"writing \xff"])
def test_a_damaged_mark_is_one_that_nobody_knows(tmp_path: Path, damaged: bytes) -> None:
    mark = FolderMark(tmp_path)
    known = {mark.begin(), mark.end()}
    (tmp_path / "langrecall.generation").write_bytes(damaged)
    assert mark.read() not in known
    assert mark.is_open == damaged.startswith(b"writing ")
    assert mark.end() == mark.settled
