"""Reading the file: JSON, JSON lines, and every way a file can be unusable."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from langrecall.errors import InputError
from langrecall.loaders.files import read_json, read_records


def test_json_lines_are_told_by_their_suffix_or_by_their_shape(write: Callable[..., Path]) -> None:
    lines = '{"a": "x\u2028y"}\r\n\n{"a": 2}\n'
    for name in ("h.jsonl", "h.ndjson", "h.json"):
        assert read_json(write(lines, name)) == [{"a": "x\u2028y"}, {"a": 2}]


def test_a_lone_object_is_a_list_of_one(write: Callable[..., Path]) -> None:
    assert read_records(write({"a": 1})) == [{"a": 1}]
    assert read_records(write('{"a": 1}\n', "h.jsonl")) == [{"a": 1}]


def test_a_byte_order_mark_is_accepted(write: Callable[..., Path]) -> None:
    assert read_json(write(b'\xef\xbb\xbf["\xc3\xa9"]')) == ["é"]


def test_lone_surrogates_are_cleaned_and_pairs_kept(write: Callable[..., Path]) -> None:
    assert read_json(write(r'["nice \ud83d day", "\udc00", "\ud83d\ude00"]')) == ["nice \ufffd day", "\ufffd", "😀"]


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"", "h.json", "h.json: the file is empty; give a file that holds a history"),
        (" \n ", "h.json", "h.json: the file is empty"),
        ('{"a": 1,\n "b" 2}', "h.json", r"h.json: line 2, column 6: broken JSON: Expecting ':' delimiter; mend"),
        ('{"a": 1}\n{"a": \n', "h.jsonl", "h.jsonl: line 2, column 7: broken JSON"),
        ('{"a": 1} {"b": 2}', "h.json", "h.json: line 1, column 10: broken JSON: Extra data"),
        ("[\n1\n]\nx", "h.json", "h.json: line 4, column 1: broken JSON: Extra data"),
        ("12/03/2024, 18:30 - Mia: hi\n", "chat.txt", "chat.txt: no JSON; known are a LoCoMo file, "),
        ("12\nMia: hi\n", "chat.txt", "chat.txt: no JSON; known are "),
        ("\n hello", "h.json", "h.json: no JSON; known are "),
        ("hello", "h.jsonl", "h.jsonl: no JSON; known are "),
        ("name,text\nMia,hi\n", "chat.csv", "chat.csv: no JSON; known are "),
        ("[12/03/2024, 18:30] Mia: hi", "chat.txt", "chat.txt: no JSON; known are "),
        ("[" * 100_000, "h.json", "h.json: JSON nested too deeply"),
        ("9" * 5000, "h.json", "h.json: broken JSON: Exceeds the limit"),
        ("1\n" + "9" * 5000, "h.jsonl", "h.jsonl: line 2: broken JSON: Exceeds the limit"),
        (b"\x89PNG\r\n\x1a\n\0\0", "h.json", "h.json: a binary file; give JSON or JSON lines in UTF-8"),
        (b'["caf\xe9"]', "h.json", r"h.json: not UTF-8 text \(byte 0xe9 at offset 5\); save it as UTF-8"),
        ('["a"]'.encode("utf-16"), "h.json", "h.json: UTF-16 text; save it as UTF-8"),
    ],
)
def test_an_unusable_file_is_one_clear_line(
    write: Callable[..., Path], content: str | bytes, name: str, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_json(write(content, name))
    assert "\n" not in str(caught.value)


def test_a_missing_file_a_directory_and_an_impossible_path_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.json: no such file; check the path"):
        read_json(tmp_path / "gone.json")
    with pytest.raises(InputError, match=re.escape(f"{tmp_path}: a directory; name the file inside it")):
        read_json(tmp_path)
    with pytest.raises(InputError, match=r"cannot be read \(File name too long\)"):
        read_json(tmp_path / ("x" * 300))


def test_a_file_is_read_once(write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    path = write([1])
    reads: list[Path] = []
    real = Path.read_bytes

    def counted(self: Path) -> bytes:
        reads.append(self)
        return real(self)

    monkeypatch.setattr(Path, "read_bytes", counted)
    read_json(path)
    assert reads == [path]
