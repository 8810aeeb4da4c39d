"""Slack's export: names, threads, markup, and messages by nobody in particular."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from langrecall.errors import InputError
from langrecall.loaders import load
from langrecall.records import Session

USERS = [
    {"id": "U1", "name": "mira", "profile": {"display_name": "Mira", "real_name": "Mira Holm"}},
    {"id": "U2", "name": "bo", "profile": {"display_name": "", "real_name": "Bo Sand"}},
]
START = 1_681_413_300


def said(second: float, text: str = "hi", **fields: Any) -> dict[str, Any]:
    return {"type": "message", "user": "U1", "ts": f"{START + second:.6f}", "text": text} | fields


def sessions(tmp_path: Path, days: Mapping[str, object], users: object = USERS) -> tuple[Session, ...]:
    path = tmp_path / "export.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("users.json", json.dumps(users))
        archive.writestr("channels.json", "[]")
        archive.writestr("__MACOSX/general/2023-04-13.json", "x")
        for name, messages in days.items():
            archive.writestr(name, json.dumps(messages))
    return load(path).histories[0].sessions


def spoken(session: Session) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.text) for turn in session.turns if turn.role == "speaker"]


def test_channels_are_sessions_of_their_own(tmp_path: Path) -> None:
    days = {"general/2023-04-13.json": [said(0), said(10, user="U2")], "random/2023-04-13.json": [said(5)]}
    found = sessions(tmp_path, days)
    assert [(session.session_id, session.source, len(session.turns)) for session in found] == [
        ("general 2023-04-13T1915", "general", 2),
        ("random 2023-04-13T1915", "random", 1),
    ]
    assert found[0].turns[0].source_id == "1681413300.000000"


def test_a_reply_stands_behind_what_it_answers_however_late(tmp_path: Path) -> None:
    day = 86_400.0
    thread = f"{START:.6f}"
    days = {
        "general/2023-04-13.json": [said(0, "who comes?", thread_ts=thread), said(60, "lunch")],
        "general/2023-04-14.json": [said(day, "me", user="U2", thread_ts=thread), said(day + 60, "next day")],
    }
    first, second = sessions(tmp_path, days)
    assert [turn.text for turn in first.turns] == ["who comes?", "me", "lunch"]
    assert [turn.text for turn in second.turns] == ["next day"]


@pytest.mark.parametrize(
    ("fields", "who"),
    [
        ({"user": "U2"}, "Bo Sand"),
        ({"user": "U9"}, "U9"),
        ({"user": "U9", "user_profile": {"display_name": "", "real_name": "A Guest"}}, "A Guest"),
        ({"user": None, "subtype": "bot_message", "username": "deploys"}, "deploys"),
        ({"user": None, "subtype": "bot_message", "bot_profile": {"name": "GitHub"}}, "GitHub"),
        ({"user": None, "subtype": "bot_message", "bot_id": "B1"}, "B1"),
        ({"user": None, "subtype": "file_comment", "comment": {"user": "U1"}}, "Mira"),
        ({"user": None}, "unknown"),
    ],
)
def test_whoever_wrote_is_named_as_well_as_the_export_can(tmp_path: Path, fields: dict[str, Any], who: str) -> None:
    (session,) = sessions(tmp_path, {"general/2023-04-13.json": [said(0, **fields)]})
    assert spoken(session) == [(who, "hi")]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("<@U1> and <@U9|nine>", "@Mira and @nine"),
        ("in <#C1|general>, <!here>, <!subteam^S1|@team>", "in #general, @here, @team"),
        ("<https://a.b/c|the plan> <https://a.b>", "the plan (https://a.b/c) https://a.b"),
        ("<mailto:bo@a.b|bo@a.b>", "mailto:bo@a.b"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"),
    ],
)
def test_markup_is_put_in_words(tmp_path: Path, text: str, plain: str) -> None:
    (session,) = sessions(tmp_path, {"general/2023-04-13.json": [said(0, text)]})
    assert spoken(session) == [("Mira", plain)]


def test_notices_files_and_attachments(tmp_path: Path) -> None:
    picture = {"mimetype": "image/png", "url_private": "https://files/x.png", "title": "The plan"}
    messages = [
        said(0, "<@U1> has joined", subtype="channel_join"),
        said(1, "", files=[{"mimetype": "application/pdf", "name": "a.pdf"}]),
        said(2, "", files=[picture, None]),
        said(3, "", attachments=[{"fallback": "build &amp; test passed"}, {"text": "all"}]),
        said(4, "", subtype="tombstone"),
        said(5, ""),
    ]
    (session,) = sessions(tmp_path, {"general/2023-04-13.json": messages})
    assert [(turn.role, turn.text) for turn in session.turns] == [
        ("system", "@Mira has joined"),
        ("system", "file: a.pdf"),
        ("speaker", ""),
        ("speaker", "build & test passed\nall"),
        ("system", "tombstone"),
        ("system", "message without text"),
    ]
    assert (session.turns[2].images[0].source, session.turns[2].images[0].caption) == (
        "https://files/x.png",
        "The plan",
    )


@pytest.mark.parametrize(
    ("messages", "users", "fault"),
    [
        ({}, USERS, "general/2023-04-13.json: no list; give the export as Slack made it"),
        ([said(0)], 7, "users.json: no list"),
    ],
)
def test_another_shape_is_one_clear_line(tmp_path: Path, messages: object, users: object, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        sessions(tmp_path, {"general/2023-04-13.json": messages}, users)
