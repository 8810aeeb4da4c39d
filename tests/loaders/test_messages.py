"""Chat messages: OpenAI dictionaries, LangChain messages, ChatGPT's export."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    message_to_dict,
)

from langrecall.errors import InputError
from langrecall.loaders import from_messages, load
from langrecall.records import Image, Session

Write = Callable[..., Path]
NOON = datetime(2024, 6, 1, 12)
OPENAI: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "name": "Zoë 🐝", "content": "Weather in Oban?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oban"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "1", "content": "rain"},
    {"role": "assistant", "content": "Rain."},
]
LANGCHAIN: list[BaseMessage] = [
    SystemMessage("Be brief."),
    HumanMessage("Weather in Oban?", name="Zoë 🐝"),
    AIMessage("", tool_calls=[{"id": "1", "name": "weather", "args": {"city": "Oban"}}]),
    ToolMessage("rain", tool_call_id="1"),
    AIMessage("Rain."),
]
EXPECTED = [
    ("system", "system", "Be brief."),
    ("Zoë 🐝", "user", "Weather in Oban?"),
    ("assistant", "assistant", '[tool call: weather({"city": "Oban"})]'),
    ("tool", "tool", "rain"),
    ("assistant", "assistant", "Rain."),
]


def said(session: Session) -> list[tuple[str, str, str]]:
    return [(turn.speaker, turn.role, turn.text) for turn in session.turns]


@pytest.mark.parametrize("messages", [OPENAI, LANGCHAIN, [message_to_dict(message) for message in LANGCHAIN]])
def test_every_form_of_messages_makes_the_same_turns(messages: list[Any]) -> None:
    session = from_messages(messages, session_id="today", time=NOON)
    assert said(session) == EXPECTED
    assert {turn.time for turn in session.turns} == {NOON}
    assert session.speakers == ("Zoë 🐝", "assistant")


@pytest.mark.parametrize(
    "messages",
    [OPENAI, [message.model_dump() for message in LANGCHAIN], [message_to_dict(message) for message in LANGCHAIN]],
)
def test_a_file_of_messages_is_one_session_named_after_it(write: Write, messages: list[Any]) -> None:
    loaded = load(write(messages, "support call.json"))
    assert loaded.kind == "messages"
    (session,) = loaded.histories[0].sessions
    assert session.session_id == "support call"
    assert said(session) == EXPECTED
    assert loaded.histories[0].warnings[0].startswith("no date: session 'support call'")


def test_several_conversations_are_several_sessions(write: Write) -> None:
    hello = [{"role": "user", "content": "hello"}]
    kept = {"session_id": "monday", "time": "2024-06-03", "messages": hello}
    loaded = load(write([hello, kept, []], "chats.json")).histories[0]
    assert [session.session_id for session in loaded.sessions] == ["monday", "chats-1"]
    assert loaded.empty == ("chats-3",)
    assert load(write({"messages": hello}, "state.json")).histories[0].sessions[0].session_id == "state"


def test_messages_keep_the_times_they_have() -> None:
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "a", "created_at": 1717236000},
        {"role": "assistant", "content": "b", "timestamp": "2024-06-01T10:05:00Z"},
        {"role": "user", "content": "c"},
    ]
    session = from_messages(messages, session_id="s")
    first = datetime(2024, 6, 1, 10, tzinfo=UTC)
    assert [turn.time for turn in session.turns] == [first, first.replace(minute=5), first]


@pytest.mark.parametrize(
    ("content", "text", "images"),
    [
        ("  as it stands\n", "  as it stands\n", ()),
        ([{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "http://dead.invalid/a.png"}}], "look", ("http://dead.invalid/a.png",)),
        ([{"type": "image_url", "image_url": "http://dead.invalid/a.png"}], "", ("http://dead.invalid/a.png",)),
        ([{"type": "input_text", "text": "a"}, "b", {"type": "input_image", "image_url": "u"}], "a\nb", ("u",)),
        ([{"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "AA"}}], "", ("data:image/jpeg;base64,AA",)),
        ([{"type": "image", "source": {"type": "url", "url": "u"}}], "", ("u",)),
        ([{"type": "image", "base64": "AA", "mime_type": "image/gif"}], "", ("data:image/gif;base64,AA",)),
        ([{"type": "image", "file_id": "f1"}], "", (None,)),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "yes"}], "yes", ()),
        ([{"type": "tool_use", "name": "f", "input": {"ü": 1}}], '[tool call: f({"ü": 1})]', ()),
        ([{"type": "tool_result", "content": [{"type": "text", "text": "42"}]}], "42", ()),
        ([{"type": "input_audio", "input_audio": {}}], "[input_audio]", ()),
        ([{"type": "refusal", "refusal": "I will not."}], "I will not.", ()),
    ],
)  # fmt: skip
def test_content_is_read_in_every_form_and_nothing_is_fetched(
    content: object, text: str, images: tuple[str | None, ...]
) -> None:
    turn = from_messages([{"role": "user", "content": content}], session_id="s").turns[0]
    assert turn.text == text
    assert turn.images == tuple(Image(source=source) for source in images)


def test_a_call_named_in_content_and_beside_it_is_noted_once() -> None:
    content: list[str | dict[Any, Any]] = [
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "1", "name": "f", "input": {"a": 1}},
    ]
    message = AIMessage(content, tool_calls=[{"id": "1", "name": "f", "args": {"a": 1}}])
    assert from_messages([message], session_id="s").turns[0].text == 'Let me see.\n[tool call: f({"a": 1})]'


@pytest.mark.parametrize(
    ("message", "speaker", "role", "text"),
    [
        (ChatMessage(content="hi", role="Odalys"), "Odalys", "speaker", "hi"),
        (ChatMessage(content="hi", role="user"), "user", "user", "hi"),
        (AIMessageChunk(content="hi"), "assistant", "assistant", "hi"),
        ({"role": "developer", "content": "x"}, "system", "system", "x"),
        ({"role": "function", "name": "f", "content": "x"}, "f", "tool", "x"),
        ({"type": "message", "role": "user", "content": "x"}, "user", "user", "x"),
        ({"role": "assistant", "content": None, "refusal": "No."}, "assistant", "assistant", "No."),
        ({"role": "ai", "content": "", "function_call": {"name": "f", "arguments": None}}, "assistant", "assistant", "[tool call: f({})]"),
        ({"role": "user", "content": "nice \ud83d day"}, "user", "user", "nice \ufffd day"),
    ],
)  # fmt: skip
def test_roles_names_and_odd_messages(message: Any, speaker: str, role: str, text: str) -> None:
    assert said(from_messages([message], session_id="s")) == [(speaker, role, text)]


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ({"role": "user", "content": None}, "message 2: a message without text and without image; give it \"content\""),
        ({"role": "user", "content": " "}, "message 2: a message without text and without image"),
        ({"role": "user", "content": 5}, 'message 2: "content" is the number 5'),
        ({"role": "user", "content": [{"text": "no type"}]}, "\"content\" is an object with the keys 'text'"),
        ({"role": "user", "content": [{"type": "text", "text": None}]}, 'the "text" of a part is null'),
        ({"role": "boss", "content": "x"}, "message 2: its role is 'boss'; the roles are user, human"),
        ({"content": "x"}, "its role is None"),
        ("hello", "message 2: a JSON object belongs here, not a string"),
    ],
)  # fmt: skip
def test_a_message_that_cannot_be_used_is_named(write: Write, message: object, problem: str) -> None:
    path = write([{"role": "user", "content": "hello"}, message])
    with pytest.raises(InputError) as caught:
        load(path)
    assert problem in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")


def test_what_is_no_message_and_no_conversation_is_refused(write: Write) -> None:
    unusable: Any = object()
    with pytest.raises(InputError, match="messages: a object among messages; give LangChain messages"):
        from_messages([unusable], session_id="s")
    twice = {"id": "c1", "messages": [{"role": "user", "content": "x"}]}
    with pytest.raises(InputError, match="conversation 2: \"session_id\" 'c1' is already that of conversation 1"):
        load(write([twice, twice]))
    with pytest.raises(InputError, match="conversation 2: the number 3 among conversations"):
        load(write([[{"role": "user", "content": "x"}], 3]))


def node(
    parent: str | None, children: list[str], role: str = "user", text: str | None = None, **fields: object
) -> dict[str, Any]:
    message = {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}, **fields}
    return {"parent": parent, "children": children, "message": message if text is not None else None}


def export(**fields: object) -> dict[str, Any]:
    mapping = {
        "root": node(None, ["q"]),
        "q": node("root", ["old", "new"], text="Name a bird.", create_time=1717236000.5),
        "old": node("q", [], "assistant", "Crow."),
        "new": node("q", ["hidden"], "assistant", "Heron.", create_time=None),
        "hidden": node("new", ["end"], "system", "memo", metadata={"is_visually_hidden_from_user": True}),
        "end": node("hidden", [], "user", ""),
    }
    return {
        "id": "c1",
        "title": "Birds",
        "create_time": 1717235000,
        "current_node": "end",
        "mapping": mapping,
        **fields,
    }


def test_a_chatgpt_export_is_read_along_its_active_path(write: Write) -> None:
    loaded = load(write([export(), export(id="c2", current_node="old")], "conversations.json"))
    assert loaded.kind == "messages"
    first, second = loaded.histories[0].sessions
    assert said(first) == [("user", "user", "Name a bird."), ("assistant", "assistant", "Heron.")]
    assert said(second) == [("user", "user", "Name a bird."), ("assistant", "assistant", "Crow.")]
    assert (first.session_id, second.session_id) == ("c1", "c2")
    asked = datetime(2024, 6, 1, 10, 0, 0, 500000, tzinfo=UTC)
    assert [turn.time for turn in first.turns] == [asked, asked]
    assert first.time == datetime(2024, 6, 1, 9, 43, 20, tzinfo=UTC)


def test_a_lone_conversation_a_cycle_and_a_lost_current_node_are_read(write: Write) -> None:
    cyclic = export(current_node=None)
    cyclic["mapping"]["q"]["parent"] = "new"
    cyclic["mapping"]["end"] = node("new", [], text="Thanks.")
    session = load(write(cyclic)).histories[0].sessions[0]
    assert [turn.text for turn in session.turns] == ["Name a bird.", "Heron.", "Thanks."]


def test_code_and_speech_of_a_chatgpt_export_are_text_and_internal_notes_are_not(write: Write) -> None:
    contents = [
        {"content_type": "code", "text": "print(1)"},
        {"content_type": "multimodal_text", "parts": [{"content_type": "audio_transcription", "text": "hello"}, 7]},
        {"content_type": "model_editable_context", "text": "memo"},
    ]
    mapping = {
        str(at): {"parent": str(at - 1), "message": {"author": {"role": "user"}, "content": content}}
        for at, content in enumerate(contents)
    }
    session = load(write(export(mapping=mapping, current_node="2"))).histories[0].sessions[0]
    assert [turn.text for turn in session.turns] == ["print(1)", "hello"]


def test_pictures_and_tools_of_a_chatgpt_export_are_kept(write: Write) -> None:
    picture = node("root", ["tool"])
    picture["message"] = {
        "author": {"role": "user"},
        "content": {
            "content_type": "multimodal_text",
            "parts": [{"asset_pointer": "file-service://f1"}, "What is it?"],
        },
    }
    tool = node("picture", [], "tool", "a map", author={"role": "tool", "name": "vision"})
    record = export(current_node="tool", mapping={"root": node(None, []), "picture": picture, "tool": tool})
    asked, answered = load(write(record)).histories[0].sessions[0].turns
    assert (asked.text, asked.images) == ("What is it?", (Image(source="file-service://f1"),))
    assert (answered.speaker, answered.role, answered.text) == ("vision", "tool", "a map")


def test_messages_of_chat_loaders_keep_their_senders_and_dates() -> None:
    """As langchain-community's loaders make them: Telegram's pages, Slack, iMessage."""
    told = [
        {"sender": "Jimmeny", "events": [{"message_time": "23.08.2023 13:11:23 UTC-08:00"}]},
        {"sender": "Bo", "events": [{"message_time": "1692821600.5"}, {"message_time": "1692821700"}]},
        {
            "sender": "a@b",
            "message_time": 7,
            "message_time_as_datetime": datetime(2023, 11, 5, 2, 50),
            "is_from_me": False,
        },
        {
            "sender": "a@b",
            "message_time": 7,
            "message_time_as_datetime": datetime(2023, 11, 5, 2, 51),
            "is_from_me": True,
        },
        {"sender": " "},
    ]
    session = from_messages([HumanMessage("hi", additional_kwargs=extra) for extra in told], session_id="s")
    assert [(turn.speaker, turn.role) for turn in session.turns] == [
        ("Jimmeny", "speaker"),
        ("Bo", "speaker"),
        ("a@b", "speaker"),
        ("me", "speaker"),
        ("user", "user"),
    ]
    assert [str(turn.time) for turn in session.turns[:4]] == [
        "2023-08-23 13:11:23-08:00",
        "2023-08-23 20:13:20.500000+00:00",
        "2023-11-05 02:50:00",
        "2023-11-05 02:51:00",
    ]
