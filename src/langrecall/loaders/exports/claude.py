"""Claude's data export: conversations whose messages are in order."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langrecall.loaders import messages
from langrecall.loaders.faults import Location
from langrecall.loaders.loaded import LoadedHistory

_MESSAGES = "chat_messages"
_ROLES = {"human": "user"}


def matches(records: Sequence[object]) -> bool:
    """Whether any record looks like an exported conversation."""
    return any(isinstance(record, Mapping) and isinstance(record.get(_MESSAGES), list) for record in records)


def histories(records: Sequence[object], location: Location, *, only: str | None = None) -> tuple[LoadedHistory, ...]:
    """One history; each conversation is a session."""
    places = [location.at(f"conversation {number}") for number in range(1, len(records) + 1)]
    flat = [_conversation(where.object(record), where) for where, record in zip(places, records, strict=True)]
    return messages.histories(flat, location, only=only)


def _conversation(record: Mapping[str, Any], location: Location) -> dict[str, Any]:
    own_id = {"id": record["uuid"]} if record.get("uuid") else {}
    return {**own_id, "created_at": record.get("created_at"), "messages": list(_messages(record, location))}


def _messages(record: Mapping[str, Any], location: Location) -> Iterator[dict[str, Any]]:
    for number, value in enumerate(location.array(record, _MESSAGES), 1):
        message = location.at(f"message {number}").object(value)
        said = "\n".join(filter(None, [_text(message), *_files(message)]))
        if said:
            sender = message.get("sender")
            role = _ROLES.get(sender, sender) if isinstance(sender, str) else sender
            yield {"role": role, "content": said, "time": message.get("created_at")}


def _text(message: Mapping[str, Any]) -> str:
    """What was said; newer exports have it in parts, among which tools are used and thoughts thought."""
    text = message.get("text")
    if isinstance(text, str) and text.strip():
        return text
    content = message.get("content")
    parts = [part for part in content if isinstance(part, Mapping)] if isinstance(content, list) else []
    return "\n".join(part["text"] for part in parts if part.get("type") == "text" and isinstance(part.get("text"), str))


def _files(message: Mapping[str, Any]) -> Iterator[str]:
    for kind in ("attachments", "files"):
        files = message.get(kind)
        for file in files if isinstance(files, list) else []:
            if isinstance(file, Mapping) and isinstance(file.get("file_name"), str) and file["file_name"].strip():
                yield f"[file: {file['file_name']}]"
