"""Claude's export: conversations as sessions."""

from collections.abc import Callable
from pathlib import Path

import pytest

from langrecall.errors import InputError
from langrecall.loaders import load

Write = Callable[..., Path]
CHAT = {
    "uuid": "c1",
    "name": "Moving",
    "created_at": "2024-03-12T18:30:00.123456Z",
    "chat_messages": [
        {"sender": "human", "text": "I move to Trondheim.", "created_at": "2024-03-12T18:30:05Z", "attachments": []},
        {"sender": "human", "text": "", "content": [], "files": [{"file_name": "lease.pdf"}, {"file_name": ""}, 7]},
        {"sender": "human", "text": " "},
        {
            "sender": "assistant",
            "text": "",
            "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Nice!"}, {"type": "text"}, 7],
        },
    ],
}


def test_a_conversation_is_a_session_of_what_was_said(write: Write) -> None:
    (session,) = load(write([CHAT])).histories[0].sessions
    assert (session.session_id, str(session.time)) == ("c1", "2024-03-12 18:30:00.123456+00:00")
    assert [(turn.role, turn.text) for turn in session.turns] == [
        ("user", "I move to Trondheim."),
        ("user", "[file: lease.pdf]"),
        ("assistant", "Nice!"),
    ]
    assert str(session.turns[0].time) == "2024-03-12 18:30:05+00:00"


def test_one_without_messages_is_empty_and_one_without_an_id_is_named_after_the_file(write: Write) -> None:
    unnamed = {key: value for key, value in CHAT.items() if key != "uuid"}
    (history,) = load(write([CHAT | {"uuid": "c0", "chat_messages": []}, unnamed], "conversations.json")).histories
    assert history.empty == ("c0",)
    assert [session.session_id for session in history.sessions] == ["conversations-2"]


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ([7], "conversation 1, message 1: a JSON object belongs here, not the number 7"),
        ([{"sender": "robot", "text": "x"}], "its role is 'robot'"),
        ([{"sender": None, "text": "x"}], "its role is None"),
    ],
)
def test_another_shape_is_one_clear_line(write: Write, messages: object, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        load(write([CHAT | {"chat_messages": messages}]))
