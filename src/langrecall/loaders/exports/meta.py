"""A chat as Messenger and Instagram export it: the newest message first, and its text twice encoded."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langrecall.loaders.assembly import Said, history
from langrecall.loaders.dates import parse_date
from langrecall.loaders.exports.sittings import message, notice, sittings
from langrecall.loaders.faults import Location
from langrecall.loaders.files import beside
from langrecall.loaders.loaded import LoadedHistory
from langrecall.loaders.named import refuse_only
from langrecall.records import Image

_WITHOUT_TEXT = ("sticker", "audio_files", "videos", "files", "gifs", "share", "call_duration")


def matches(records: Sequence[object]) -> bool:
    """Whether the file is one chat, whose messages have a `sender_name`."""
    chat = records[0] if len(records) == 1 else None
    messages = chat.get("messages") if isinstance(chat, Mapping) else None
    return isinstance(messages, list) and any(isinstance(one, Mapping) and "sender_name" in one for one in messages)


def histories(records: Sequence[object], location: Location, *, only: str | None = None) -> tuple[LoadedHistory, ...]:
    """One history; times are in UTC. The parts of a long chat are files of their own, and go into one namespace."""
    refuse_only(only, location)
    chat = location.object(records[0])
    title = chat.get("title")
    name = _mended(title) if isinstance(title, str) and title.strip() else Path(location.file).stem
    return (history(None, sittings(name, reversed(list(_said(chat, location))))),)


def _said(chat: Mapping[str, Any], location: Location) -> Iterator[Said]:
    for number, value in enumerate(location.array(chat, "messages"), 1):
        where = location.at(f"message {number}")
        record = where.object(value)
        when = parse_date(record.get("timestamp_ms"))
        who = _mended(str(record.get("sender_name") or "Facebook user"))
        content = record.get("content")
        text = _mended(content) if isinstance(content, str) else ""
        photos = [
            photo["uri"] for photo in where.array(record, "photos") if isinstance(photo, Mapping) and "uri" in photo
        ]
        images = tuple(Image(source=beside(Path(location.file).parent, str(uri))) for uri in photos)
        if text.strip() or images:
            yield message(who, text, when, images=images)
        else:
            sent = next((name for name in _WITHOUT_TEXT if record.get(name)), "message without text")
            yield notice(who, sent.replace("_", " "), when)


def _mended(text: str) -> str:
    """Each byte of the UTF-8 text was exported as a character of its own; text that is no such thing stays as it is."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text
