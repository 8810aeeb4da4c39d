"""Telegram's JSON: one chat or all of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from langrecall.loaders import load

Write = Callable[..., Path]


def said(number: int, text: object = "hi", **fields: object) -> dict[str, Any]:
    date = f"2023-08-23T13:{number:02}:00"
    return {
        "id": number,
        "type": "message",
        "date": date,
        "date_unixtime": "1692821483",
        "from": "Bo",
        "text": text,
    } | fields


def test_a_chat_is_sessions_of_what_was_said(write: Write) -> None:
    picture = write(b"x", "p.jpg")
    pieces = ["look: ", {"type": "link", "text": "https://a.b"}, {"type": "bold", "text": "!"}, 7]
    messages = [
        said(0, type="service", action="create_group", actor="Odalys"),
        said(1, pieces),
        said(2, "", photo="p.jpg"),
        said(3, "", media_type="sticker", sticker_emoji="🦜"),
        said(4, "", file="a.pdf"),
        said(5, "", **{"from": None}),
        said(6, "bye", **{"from": None}),
    ]
    (session,) = load(write({"name": "Jimmeny", "type": "personal_chat", "messages": messages})).histories[0].sessions
    assert (session.session_id, str(session.time)) == ("Jimmeny 2023-08-23T1300", "2023-08-23 13:00:00")
    assert [(turn.role, turn.speaker, turn.text, turn.source_id) for turn in session.turns] == [
        ("system", "Odalys", "create group", "0"),
        ("speaker", "Bo", "look: https://a.b!", "1"),
        ("speaker", "Bo", "", "2"),
        ("system", "Bo", "sticker 🦜", "3"),
        ("system", "Bo", "file", "4"),
        ("system", "Deleted Account", "message without text", "5"),
        ("speaker", "Deleted Account", "bye", "6"),
    ]
    assert session.turns[2].images[0].source == str(picture.resolve())


def test_all_chats_go_into_one_history_and_namesakes_stay_apart(write: Write) -> None:
    chats = [
        {"name": "Alex", "id": 1, "messages": [said(1)]},
        {"name": "Alex", "id": 2, "messages": [said(1)]},
        {"name": None, "id": 3, "messages": [said(1)]},
    ]
    left = [{"name": "Old club", "id": 4, "messages": [said(1)]}]
    file = load(write({"about": "...", "chats": {"list": chats}, "left_chats": {"list": left}}))
    (history,) = file.histories
    assert {session.session_id.rsplit(" ", 1)[0] for session in history.sessions} == {
        "Alex (1)",
        "Alex (2)",
        "Saved Messages",
        "Old club",
    }


def test_without_a_local_date_the_time_is_in_utc(write: Write) -> None:
    message = said(1)
    del message["date"]
    (session,) = load(write({"messages": [message]})).histories[0].sessions
    assert str(session.time) == "2023-08-23 20:11:23+00:00"
