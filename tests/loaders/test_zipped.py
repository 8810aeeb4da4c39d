"""Zip files: the known exports in them, and every way an archive can be unusable."""

import json
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from langrecall.errors import InputError
from langrecall.loaders import load, zipped

LINE = "30/08/25, 18:00 - Mira: hi\n"
CONVERSATION = {
    "id": "c1",
    "current_node": "a",
    "mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["hi"]}}}},
}


def packed(files: dict[str, str]) -> bytes:
    data = BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "WhatsApp Chat - Bo.zip"


def test_a_chat_is_named_after_the_archive(path: Path) -> None:
    path.write_bytes(packed({"_chat.txt": LINE, "1.jpg": "x"}))
    (session,) = load(path).histories[0].sessions
    assert session.session_id == "WhatsApp Chat - Bo 2025-08-30T1800"


def test_the_parts_of_a_chatgpt_export_are_one_history(path: Path) -> None:
    parts = {"conversations-000.json": [CONVERSATION], "conversations-001.json": [CONVERSATION | {"id": "c2"}]}
    path.write_bytes(packed({name: json.dumps(records) for name, records in parts.items()} | {"user.json": "{}"}))
    assert [session.session_id for session in load(path).histories[0].sessions] == ["c1", "c2"]


def test_claudes_export_has_other_files_beside_its_conversations(path: Path) -> None:
    chat = {"uuid": "c1", "chat_messages": [{"sender": "human", "text": "hi"}]}
    path.write_bytes(packed({"conversations.json": json.dumps([chat]), "users.json": "[]", "projects.json": "[]"}))
    assert [session.session_id for session in load(path).histories[0].sessions] == ["c1"]


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({}, "a zip file of none of the known exports"),
        ({"a.csv": "x"}, r"a zip file of none of the known exports \(Slack, ChatGPT, Claude, WhatsApp\); unpack it"),
        ({"a.txt": LINE, "b.txt": LINE}, "a zip file of none of the known exports"),
        ({"a.txt": "hello"}, "a zip file of none of the known exports"),
        ({"a.txt": ""}, "a.txt: the file is empty"),
        ({"conversations.json": "{"}, "conversations.json, line 1, column 2: broken JSON"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(path: Path, files: dict[str, str], fault: str) -> None:
    path.write_bytes(packed(files))
    with pytest.raises(InputError, match=fault):
        load(path)


def test_a_damaged_a_locked_and_a_huge_archive_are_one_clear_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = packed({"_chat.txt": LINE * 99})
    for damaged in (whole[:40], whole[:60] + b"\xff" * 9 + whole[69:]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"a damaged zip file \(.*\); download or export it again"):
            load(path)
    flags = whole.index(b"PK\x01\x02") + 8  # in the directory at the end, where the lowest bit says encrypted
    path.write_bytes(whole[:6] + b"\x01" + whole[7:flags] + b"\x01" + whole[flags + 1 :])
    with pytest.raises(InputError, match=r"a zip file that cannot be read \(.*password.*\); unpack it"):
        load(path)
    path.write_bytes(whole)
    monkeypatch.setattr(zipped, "MOST_BYTES", 10)
    with pytest.raises(InputError, match=r"_chat.txt: larger than 10 bytes; unpack it"):
        load(path)


def test_nothing_is_picked_of_an_archive(path: Path) -> None:
    path.write_bytes(packed({"_chat.txt": LINE}))
    with pytest.raises(InputError, match="picks nothing"):
        load(path, only="x")
