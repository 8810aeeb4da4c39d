"""A workspace as Slack exports it: a folder to a channel, a file to a day in it, and the users' names in a file of their own."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import unescape
from typing import Any

from langrecall.loaders.assembly import Said, history
from langrecall.loaders.dates import parse_date
from langrecall.loaders.exports.sittings import message, notice, threaded
from langrecall.loaders.faults import Location
from langrecall.loaders.loaded import LoadedHistory
from langrecall.records import Image

ReadJson = Callable[[str], object]
"""Reads the file of this name in the export."""

_DAY = re.compile(r"(?:.*/)?(?P<channel>[^/]+)/\d{4}-\d\d-\d\d\.json")
_USERS = re.compile(r"(?:.*/)?users\.json")
_SPEECH = (None, "bot_message", "me_message", "thread_broadcast", "file_share", "file_comment")
"""Subtypes of what somebody said; all others are notices of the application."""
_MARKUP = re.compile(r"<(?P<kind>[@#!]?)(?P<target>[^<>|]+)(?:\|(?P<label>[^<>]*))?>")


def matches(names: Iterable[str]) -> bool:
    """Whether files of these names are such an export."""
    return any(map(_DAY.fullmatch, names))


def histories(names: Sequence[str], read: ReadJson, location: Location) -> tuple[LoadedHistory, ...]:
    """One history of all channels; a reply stands behind the message that it answers. Times are in UTC."""
    users = [user for name in names if _USERS.fullmatch(name) for user in _list(read(name), location.at(name))]
    people = {str(user.get("id")): _name(user) or str(user.get("id")) for user in users}
    channels: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for name in sorted(names):
        if day := _DAY.fullmatch(name):
            channels[day["channel"]] += _list(read(name), location.at(name))
    parts = [part for channel, said in channels.items() for part in threaded(channel, _threads(said, people))]
    return (history(None, parts),)


def _list(value: object, location: Location) -> list[Mapping[str, Any]]:
    if not isinstance(value, list):
        raise location.fault("no list", "give the export as Slack made it")
    return [location.at(f"record {number}").object(record) for number, record in enumerate(value, 1)]


def _threads(messages: Sequence[Mapping[str, Any]], people: Mapping[str, str]) -> Iterator[list[Said]]:
    threads: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for one in sorted(messages, key=lambda one: str(one.get("ts"))):
        threads[str(one.get("thread_ts") or one.get("ts"))].append(one)
    for start in sorted(threads):
        yield [_said(one, people) for one in threads[start]]


def _said(record: Mapping[str, Any], people: Mapping[str, str]) -> Said:
    when, own_id = parse_date(record.get("ts")), str(record.get("ts"))
    who, text = _who(record, people), _plain(str(record.get("text") or ""), people)
    files = [file for file in record.get("files") or () if isinstance(file, Mapping)]
    images = tuple(map(_image, filter(_is_picture, files)))
    if record.get("subtype") not in _SPEECH:
        return notice(who, text or str(record["subtype"]).replace("_", " "), when, source_id=own_id)
    if not text.strip() and not images:
        text = _plain("\n".join(_attached(record)), people)
    if not text.strip() and not images:
        named = ", ".join(str(file.get("name") or "unnamed") for file in files)
        return notice(who, f"file: {named}" if named else "message without text", when, source_id=own_id)
    return message(who, text, when, images=images, source_id=own_id)


def _who(record: Mapping[str, Any], people: Mapping[str, str]) -> str:
    """As users.json has them; guests, bots and the deleted are named by the message itself, or known by their id alone."""
    comment, bot, profile = (record.get(name) or {} for name in ("comment", "bot_profile", "user_profile"))
    user = record.get("user") or comment.get("user")
    known = people.get(str(user)) or _name(profile) or record.get("username") or bot.get("name")
    return str(known or user or record.get("bot_id") or "unknown")


def _name(user: Mapping[str, Any]) -> str | None:
    profile = user.get("profile") or user
    names = (profile.get("display_name"), profile.get("real_name"), user.get("real_name"), user.get("name"))
    return next((name for name in names if isinstance(name, str) and name.strip()), None)


def _plain(text: str, people: Mapping[str, str]) -> str:
    """Slack's markup in words: `<@U1>` is a person's name, `<address|label>` a label with its address."""
    return unescape(_MARKUP.sub(lambda found: _words(found, people), text))


def _words(found: re.Match[str], people: Mapping[str, str]) -> str:
    kind, target, label = found["kind"], found["target"], found["label"]
    if kind == "@":
        return f"@{people.get(target) or label or target}"
    if kind:
        return f"{'#' if kind == '#' else '@'}{(label or target).removeprefix('@')}"
    return f"{label} ({target})" if label and label not in target else target


def _attached(record: Mapping[str, Any]) -> Iterator[str]:
    for attachment in record.get("attachments") or ():
        if isinstance(attachment, Mapping):
            yield str(attachment.get("text") or attachment.get("fallback") or "")


def _is_picture(file: Mapping[str, Any]) -> bool:
    return str(file.get("mimetype", "")).startswith("image/")


def _image(file: Mapping[str, Any]) -> Image:
    source, caption = file.get("url_private"), file.get("title") or file.get("name")
    return Image(source=str(source) if source else None, caption=str(caption) if caption else None)
