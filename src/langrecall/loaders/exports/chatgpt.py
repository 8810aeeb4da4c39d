"""ChatGPT's data export: each conversation is a tree, of which only the path to its current message was kept."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langrecall.loaders import messages
from langrecall.loaders.faults import Location
from langrecall.loaders.loaded import LoadedHistory

_SPOKEN = ("text", "multimodal_text", "code", "execution_output")
_FIELDS = ("conversation_id", "id")


def matches(records: Sequence[object]) -> bool:
    """Whether any record looks like an exported conversation."""
    return any(isinstance(record, Mapping) and isinstance(record.get("mapping"), Mapping) for record in records)


def histories(records: Sequence[object], location: Location, *, only: str | None = None) -> tuple[LoadedHistory, ...]:
    """One history; each conversation is a session of the messages on its active path."""
    places = [location.at(f"conversation {number}") for number in range(1, len(records) + 1)]
    flat = [_conversation(where.object(record), where) for where, record in zip(places, records, strict=True)]
    return messages.histories(flat, location, only=only)


def _conversation(record: Mapping[str, Any], location: Location) -> dict[str, Any]:
    fields = {name: record[name] for name in _FIELDS if record.get(name)}
    return {**fields, "created_at": record.get("create_time"), "messages": list(_messages(record, location))}


def _messages(record: Mapping[str, Any], location: Location) -> Iterator[dict[str, Any]]:
    """A message without a time of its own has that of the one before."""
    when = record.get("create_time")
    for message in _active_path(record, location):
        when = message.get("create_time") or when
        if (said := _said(message, location)) is not None:
            author = location.object(message.get("author") or {})
            yield {"role": author.get("role"), "name": author.get("name"), "content": said, "time": when}


def _active_path(record: Mapping[str, Any], location: Location) -> list[Mapping[str, Any]]:
    mapping = location.object(record.get("mapping"))
    nodes = {name: location.at(f"node {name!r}").object(node) for name, node in mapping.items()}
    path: dict[str, Mapping[str, Any]] = {}
    at = record.get("current_node") or _last_leaf(nodes)
    while isinstance(at, str) and at in nodes and at not in path:  # a damaged export can hold a cycle
        path[at] = nodes[at]
        at = nodes[at].get("parent")
    return [node["message"] for node in reversed(path.values()) if isinstance(node.get("message"), Mapping)]


def _last_leaf(nodes: Mapping[str, Mapping[str, Any]]) -> str | None:
    return next((name for name in reversed(list(nodes)) if not nodes[name].get("children")), None)


def _said(message: Mapping[str, Any], location: Location) -> list[dict[str, Any]] | None:
    """The parts of what was said, or None for a hidden, empty or internal message."""
    content = location.object(message.get("content") or {})
    metadata = location.object(message.get("metadata") or {})
    if metadata.get("is_visually_hidden_from_user") or content.get("content_type") not in _SPOKEN:
        return None
    parts = location.array(content, "parts") or [content.get("text")]
    return [part for part in map(_part, parts) if part is not None] or None


def _part(part: object) -> dict[str, Any] | None:
    match part:
        case str() if part.strip():
            return {"type": "text", "text": part}
        case {"asset_pointer": str(address)}:
            return {"type": "image_url", "image_url": address}
        case {"text": str(text)} if text.strip():
            return {"type": "text", "text": text}
        case _:
            return None
