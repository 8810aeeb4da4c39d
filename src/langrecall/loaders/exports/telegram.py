"""Telegram Desktop's export in its machine-readable form: one chat, or all of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langrecall.loaders.assembly import Assembled, Said, history
from langrecall.loaders.dates import parse_date
from langrecall.loaders.exports.sittings import message, notice, sittings
from langrecall.loaders.faults import Location
from langrecall.loaders.files import beside
from langrecall.loaders.loaded import LoadedHistory
from langrecall.loaders.named import refuse_only
from langrecall.records import Image

_KINDS = ("message", "service")
_LISTS = ("chats", "left_chats")
_ATTACHED = ("media_type", "file", "location_information", "poll", "contact_information")
"""Fields of what was sent in place of text, the most telling first."""


def matches(records: Sequence[object]) -> bool:
    """Whether the file is one chat or a list of chats."""
    return len(records) == 1 and any(map(_is_chat, _chats(records[0])))


def histories(records: Sequence[object], location: Location, *, only: str | None = None) -> tuple[LoadedHistory, ...]:
    """One history of all chats. A time is that of the computer that exported, where the file has it, and otherwise UTC."""
    refuse_only(only, location)
    chats = [location.at(f"chat {number}").object(chat) for number, chat in enumerate(_chats(records[0]), 1)]
    names = Counter(map(_name, chats))
    parts: list[Assembled] = []
    for chat in chats:
        name = _name(chat) if names[_name(chat)] == 1 else f"{_name(chat)} ({chat.get('id')})"
        parts += sittings(name, _said(chat, location.at(f"chat {name!r}")))
    return (history(None, parts),)


def _chats(record: object) -> list[Any]:
    if not isinstance(record, Mapping):
        return []
    listed = [record[name].get("list") for name in _LISTS if isinstance(record.get(name), Mapping)]
    return [chat for chats in listed if isinstance(chats, list) for chat in chats] if listed else [record]


def _is_chat(chat: object) -> bool:
    messages = chat.get("messages") if isinstance(chat, Mapping) else None
    return isinstance(messages, list) and any(
        isinstance(one, Mapping) and one.get("type") in _KINDS and ("date" in one or "date_unixtime" in one)
        for one in messages
    )


def _name(chat: Mapping[str, Any]) -> str:
    """The chat with oneself has none."""
    return str(chat.get("name") or "Saved Messages")


def _said(chat: Mapping[str, Any], location: Location) -> Iterator[Said]:
    for number, value in enumerate(location.array(chat, "messages"), 1):
        record = location.at(f"message {number}").object(value)
        when = parse_date(record.get("date")) or parse_date(record.get("date_unixtime"))
        own_id = str(record["id"]) if "id" in record else None
        text = _text(record.get("text"))
        if record.get("type") != "message":
            done = str(record.get("action") or "service message").replace("_", " ")
            yield notice(str(record.get("actor") or "Telegram"), done, when, source_id=own_id)
            continue
        who = str(record.get("from") or "Deleted Account")
        if isinstance(photo := record.get("photo"), str):
            image = Image(source=beside(Path(location.file).parent, photo))
            yield message(who, text, when, images=(image,), source_id=own_id)
        elif text.strip():
            yield message(who, text, when, source_id=own_id)
        else:
            yield notice(who, _attached(record), when, source_id=own_id)


def _text(value: object) -> str:
    """Formatted text comes in pieces, strings and objects with a text."""
    pieces = value if isinstance(value, list) else [value]
    texts = (piece.get("text") if isinstance(piece, Mapping) else piece for piece in pieces)
    return "".join(text for text in texts if isinstance(text, str))


def _attached(record: Mapping[str, Any]) -> str:
    kind = next((name for name in _ATTACHED if name in record), "message without text")
    said = record[kind] if kind == "media_type" else kind
    emoji = record.get("sticker_emoji")
    return " ".join(filter(None, [str(said).replace("_", " "), emoji if isinstance(emoji, str) else None]))
