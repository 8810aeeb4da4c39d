"""Messenger's and Instagram's JSON."""

from collections.abc import Callable
from pathlib import Path

from langrecall.loaders import load

Write = Callable[..., Path]
START = 1_675_549_022_673


def as_exported(text: str) -> str:
    return text.encode().decode("latin-1")


def test_a_chat_is_read_from_its_beginning_and_its_text_is_mended(write: Write) -> None:
    messages = [
        {"sender_name": "Bo", "timestamp_ms": START + 5, "call_duration": 7},
        {"sender_name": "Bo", "timestamp_ms": START + 4, "photos": [{"uri": "p.jpg"}, {"other": 1}]},
        {"sender_name": "Bo", "timestamp_ms": START + 3},
        {"sender_name": "Bo", "timestamp_ms": START + 2, "content": "naïve: as it should be"},
        {"sender_name": as_exported("Łucja"), "timestamp_ms": START, "content": as_exported("Café? 🦜")},
    ]
    (history,) = load(write({"title": as_exported("Łucja and Bo"), "messages": messages})).histories
    (session,) = history.sessions
    assert session.session_id == "Łucja and Bo 2023-02-04T2217"
    assert [(turn.role, turn.speaker, turn.text) for turn in session.turns] == [
        ("speaker", "Łucja", "Café? 🦜"),
        ("speaker", "Bo", "naïve: as it should be"),
        ("system", "Bo", "message without text"),
        ("speaker", "Bo", ""),
        ("system", "Bo", "call duration"),
    ]
    assert session.turns[3].images[0].source == "p.jpg"


def test_a_chat_without_a_title_is_named_after_its_file(write: Write) -> None:
    file = write({"messages": [{"sender_name": "Bo", "timestamp_ms": START, "content": "hi"}]}, "message_1.json")
    assert load(file).histories[0].sessions[0].session_id.startswith("message_1 ")
