"""Lists of chat messages: OpenAI dictionaries, LangChain messages and their dumped forms."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langrecall.loaders.assembly import Assembled, Said, assemble, history
from langrecall.loaders.contents import read_content
from langrecall.loaders.faults import Location, shape
from langrecall.loaders.loaded import LoadedHistory
from langrecall.loaders.named import insist_unique, refuse_only
from langrecall.loaders.text import cleaned
from langrecall.records import Role, Session

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

_ROLES: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "HumanMessageChunk": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "AIMessageChunk": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
}
_CHAT = "chat"
"""LangChain's ChatMessage, whose role is a free name."""
_TIMES = ("time", "timestamp", "created_at")
_OWNER = "me"
"""Of iMessage's own messages the chat loader knows only whom they went to."""
_SENT_AT = ("message_time_as_datetime", "message_time")
_IDS = ("session_id", "conversation_id", "id")


def from_messages(
    messages: "Sequence[BaseMessage | Mapping[str, Any]]", *, session_id: str, time: datetime | None = None
) -> Session:
    """Make a session of one conversation, a turn to a message.

    Raises `InputError` for a message with neither text, picture nor tool call. Without `time` the session has the time of its first
    dated message.
    """
    location = Location("messages")
    plain = [message if isinstance(message, Mapping) else _dumped(message, location) for message in messages]
    return _session(session_id, cleaned(plain), time, location).session


def matches(records: Sequence[object]) -> bool:
    """Whether the records are messages, lists of messages, or objects that hold `messages`."""
    return any(_is_message(record) or any(map(_is_message, _inner(record))) for record in records)


def histories(records: Sequence[object], location: Location, *, only: str | None = None) -> tuple[LoadedHistory, ...]:
    """One history without a name; a session without an id of its own is named after the file."""
    refuse_only(only, location)
    listed = list(_sessions(records, location))
    insist_unique([one.session.session_id for one in listed], location, key="session_id", unit="conversation")
    return (history(None, listed),)


def _sessions(records: Sequence[object], location: Location) -> Iterator[Assembled]:
    stem = Path(location.file).stem
    if any(map(_is_message, records)):
        yield _session(stem, records, None, location)
        return
    for number, record in enumerate(records, 1):
        name = stem if len(records) == 1 else f"{stem}-{number}"
        where = location.at(f"conversation {number}")
        if isinstance(record, Mapping):
            yield _session(_own_id(record) or name, where.array(record, "messages"), _own_time(record), where)
        elif isinstance(record, list):
            yield _session(name, record, None, where)
        else:
            raise where.fault(f"{shape(record)} among conversations", "make it a list of messages")


def _session(session_id: str, messages: Sequence[object], when: object, location: Location) -> Assembled:
    said = [_said(message, location.at(f"message {number}")) for number, message in enumerate(messages, 1)]
    return assemble(session_id, said, when=when)


def _said(value: object, location: Location) -> Said:
    message = _flat(location.object(value))
    role, speaker = _who(message, location)
    content = read_content(message, location)
    if not content.images and not content.text.strip():
        raise location.fault("a message without text and without image", 'give it "content", or leave it out')
    return Said(speaker=speaker, role=role, text=content.text, images=content.images, when=_own_time(message))


def _flat(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """`{"type": "human", "data": {...}}` is how LangChain's messages_to_dict writes what model_dump writes flat."""
    data = message.get("data")
    flat = {**data, "type": message.get("type")} if isinstance(data, Mapping) else message
    return {**flat, **_of_chat_loader(flat.get("additional_kwargs"))}


def _of_chat_loader(extra: object) -> dict[str, object]:
    """The sender and the time that LangChain's chat loaders put beside a message; who is named speaks as a person, not as `user`."""
    if not isinstance(extra, Mapping) or not isinstance(extra.get("sender"), str) or not extra["sender"].strip():
        return {}
    events = extra.get("events")
    event = events[0] if isinstance(events, list) and events and isinstance(events[0], Mapping) else extra
    when = next((event[name] for name in _SENT_AT if event.get(name)), None)
    who = _OWNER if extra.get("is_from_me") else extra["sender"]
    return {"type": _CHAT, "role": who, "name": who} | ({"time": when} if when else {})


def _who(message: Mapping[str, Any], location: Location) -> tuple[Role, str]:
    kind = message.get("role") if message.get("type") in (None, "message", _CHAT) else message.get("type")
    role = _ROLES.get(kind) if isinstance(kind, str) else None
    name = message.get("name")
    named = name if isinstance(name, str) and name.strip() else None
    if role is None and message.get("type") == _CHAT and isinstance(kind, str):
        return "speaker", named or kind
    if role is None:
        raise location.fault(f"its role is {kind!r}", f"the roles are {', '.join(_ROLES)}")
    return role, named or role


def _dumped(message: object, location: Location) -> Mapping[str, Any]:
    from langchain_core.messages import BaseMessage  # slow to import, and files never need it

    if not isinstance(message, BaseMessage):
        raise location.fault(f"{shape(message)} among messages", "give LangChain messages or OpenAI dictionaries")
    return message.model_dump()


def _is_message(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    if isinstance(value.get("role"), str):
        return "content" in value or "tool_calls" in value
    kind = value.get("type")
    return isinstance(kind, str) and (kind in _ROLES or kind == _CHAT) and ("content" in value or "data" in value)


def _inner(record: object) -> list[Any]:
    inner = record.get("messages") if isinstance(record, Mapping) else record
    return inner if isinstance(inner, list) else []


def _own_id(record: Mapping[str, Any]) -> str | None:
    return next((str(record[name]) for name in _IDS if isinstance(record.get(name), str | int)), None)


def _own_time(record: Mapping[str, Any]) -> object:
    return next((record[name] for name in _TIMES if record.get(name) is not None), None)
