"""A chat as WhatsApp and Signal export it: lines of text, dated the way the telephone's owner writes dates."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from langrecall.loaders.assembly import Said, history
from langrecall.loaders.exports.date_orders import WrittenTime, read_alike
from langrecall.loaders.exports.sittings import message, notice, sittings
from langrecall.loaders.faults import Location
from langrecall.loaders.files import beside
from langrecall.loaders.loaded import LoadedHistory
from langrecall.records import Image

_NOBODY = "messenger"
"""Whose notices they are that name no sender."""

_MARK = "[\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]"
"""Characters that turn the direction of text; U+200E stands before what the application says in a sender's name."""
_HEAD = re.compile(
    rf"""(?:{_MARK}|\s)* \[?
    (?P<date>\d{{1,4}}(?P<between>[./-])\d{{1,2}}(?P=between)\d{{1,4}}) \.? ,? [\s_]+
    (?P<before>[\u4e0a\u4e0b]\u5348|\u5348[\u524d\u5f8c]|\uc624[\uc804\ud6c4])? \s?
    (?P<hour>\d{{1,2}}) [:.] (?P<minute>\d{{2}}) (?:[:.](?P<seconds>\d{{2}}))?
    (?:[\s_]* (?P<after>[ap]\.?\s?m\.?|[\u0635\u0645]))?
    (?: \] | \s[-\u2013](?=\s)) \s*
    (?P<rest>.*)""",
    re.VERBOSE | re.IGNORECASE,
)
"""`[8/15/23, 9:12:33 AM] Mia: hi`, `28/3/2025, 9:29 p. m. - Mia: hi`, `30.08.25 18.00 - Mia: hi`.

The halves of the day also in Chinese, Japanese, Korean and Arabic.
"""
_AFTERNOON = ("p", "P", "\u4e0b", "\u5348\u5f8c", "\uc624\ud6c4", "\u0645")
_SENT = re.compile(rf"{_MARK}*(?:~\s?)?(?P<who>[^:\"\u201c\u201e]+?):(?:\s(?P<text>.*))?", re.DOTALL)
_PICTURE = r"[^\\/:*?\"<>|\n]+\.(?:jpe?g|png|webp|gif|heic)"
_ATTACHED = re.compile(
    rf"{_MARK}*(?:<[^:<>]+:\s?(?P<ios>{_PICTURE})>|(?P<android>{_PICTURE})\s\([^()]+\))\s*", re.IGNORECASE
)
"""`<attached: 1.jpg>` on one telephone, `IMG-1.jpg (file attached)` on the other; what else they say is in the owner's language."""
_LEFT_OUT = re.compile(rf"{_MARK}.*|<[^<>]+>|(?:This message was deleted|You deleted this message)\.?|null", re.DOTALL)


def matches(text: str) -> bool:
    """Whether the first line begins with a date and a time, as lines of an exported chat do."""
    return any(_lines(text.lstrip("\ufeff \r\n\t").partition("\n")[0]))


def histories(text: str, location: Location, *, day_first: bool | None = None) -> tuple[LoadedHistory, ...]:
    """One history. Raises `InputError` where its dates can be read in two ways and `day_first` does not say which."""
    lines = list(_lines(text))
    times = read_alike([line.written for line in lines], day_first=day_first)
    if isinstance(times, WrittenTime):
        day, month = (f"{time.day} {time:%B %Y}" for time in times.readings().values())
        raise location.fault(
            f"{times.date} may be {day} or {month}, and nothing in the file tells",
            "say which with --day-first or --month-first, in Python with day_first=True or False",
        )
    folder = Path(location.file).parent
    said = [_said(line, time, folder) for line, time in zip(lines, times, strict=True)]
    return (history(None, sittings(Path(location.file).stem, said)),)


@dataclass(slots=True)
class _Line:
    """When and what, with the lines that belong to it, as they stand."""

    written: WrittenTime
    rest: list[str] = field(default_factory=list)


def _lines(text: str) -> Iterator[_Line]:
    """Messages and notices; a line that does not begin with a time goes on with the one before."""
    line: _Line | None = None
    for raw in text.split("\n"):
        head = _HEAD.fullmatch(raw.removesuffix("\r"))
        written = _written(head) if head else None
        if head and written:
            if line:
                yield line
            line = _Line(written, [head["rest"]])
        elif line:
            line.rest.append(raw.removesuffix("\r"))
    if line:
        yield line


def _written(head: re.Match[str]) -> WrittenTime | None:
    """None for numbers that are no date or no time of day."""
    hour, minute, seconds = (int(head[name] or 0) for name in ("hour", "minute", "seconds"))
    if half := head["before"] or head["after"]:
        hour = hour % 12 + 12 * half.startswith(_AFTERNOON) if hour <= 12 else hour
    written = WrittenTime(head["date"], (hour, minute, seconds))
    return written if written.readings() else None


def _said(line: _Line, when: datetime, folder: Path) -> Said:
    text = "\n".join(line.rest).rstrip()
    sent = _SENT.fullmatch(text)
    if not sent or not sent["text"]:
        return notice(_NOBODY, text, when)
    who, said = sent["who"].strip(), sent["text"]
    if attached := _ATTACHED.match(said):
        name = attached["ios"] or attached["android"]
        return message(who, said[attached.end() :], when, images=(Image(source=beside(folder, name)),))
    if _LEFT_OUT.fullmatch(said):
        return notice(who, re.sub(_MARK, "", said), when)
    return message(who, said, when)
