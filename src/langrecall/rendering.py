"""How turns, sessions and metadata entries are shown, and what showing them costs in tokens.

Only headers, turns and the parts of entries begin in the first column: what people said, wrote under pictures or in them could
otherwise pass for another turn.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from math import ceil
from textwrap import indent

from langrecall.grounding.text import annotate
from langrecall.records import Episode, Image, Session, Turn

TURN_OVERHEAD = 6
"""Tokens charged for each shown turn on top of its text: the id and the line's punctuation."""

CUT = " […]"
"""Where a text goes on that is not shown."""
INDENT = "  "
"""Before every further line of a turn."""


def text_tokens(text: str) -> int:
    """The project's token measure of a text, `ceil(characters / 4)`."""
    return ceil(len(text) / 4)


def indented(text: str, by: str = INDENT) -> str:
    """The text with `by` before each of its lines but the first: none of them can pass for a line of ours."""
    first, *rest = text.splitlines(keepends=True) or [""]
    return first + indent("".join(rest), by)


def one_line(text: str) -> str:
    """A name or a caption without its line breaks."""
    return " ".join(text.splitlines())


def turn_line(turn: Turn, *, grounded: bool = True) -> str:
    """`Speaker: text [image: caption]`, with grounded dates inserted after relative time expressions; shown, it is `indented`."""
    text = annotate(turn.text, turn.time) if grounded else turn.text
    speaker = one_line(turn.speaker)
    marked = speaker if turn.role not in ("system", "tool") else f"{speaker} ({turn.role})"
    return " ".join([f"{marked}: {text}", *map(image_note, turn.images)])


def turn_tokens(turn: Turn, *, grounded: bool = True) -> int:
    """What one shown turn costs, indentation included: `ceil(characters / 4) + 6`."""
    return text_tokens(indented(turn_line(turn, grounded=grounded))) + TURN_OVERHEAD


def header(session_id: str, time: datetime | None) -> str:
    """The line over a session's turns; its date is written as a person would."""
    return f"## {one_line(session_id)}, {day(time)}"


def header_tokens(session_id: str, time: datetime | None) -> int:
    """What the line over a session's turns costs."""
    return text_tokens(header(session_id, time))


def day(time: datetime | None) -> str:
    """`8 May 2023, 13:56`, without the clock at midnight sharp; `undated` without a time."""
    if time is None:
        return "undated"
    clock = f", {time:%H:%M}" if (time.hour, time.minute) != (0, 0) else ""
    return f"{time.day} {time:%B %Y}{clock}"


def dated(turn: Turn) -> str:
    """`Caroline, 8 May 2023`: who said it and on which day."""
    return f"{one_line(turn.speaker)}, {day(turn.time).split(',')[0]}"


def render_turns(turns: Sequence[Turn], *, grounded: bool = True) -> str:
    """Turns under one header a session, each line led by its id; runs of one session stay together in the order given."""
    blocks = []
    for session_id, group in groupby(turns, key=lambda turn: turn.session_id):
        shown = list(group)
        lines = [f"[{one_line(turn.id)}] {indented(turn_line(turn, grounded=grounded))}" for turn in shown]
        blocks.append("\n".join([header(session_id, shown[0].time), *lines]))
    return "\n\n".join(blocks)


def turns_tokens(turns: Iterable[Turn], *, grounded: bool = True) -> int:
    """What a set of shown turns costs, one header a session counted."""
    shown = list(turns)
    heads = {turn.session_id: turn.time for turn in shown}
    heading = sum(header_tokens(session_id, time) for session_id, time in heads.items())
    return heading + sum(turn_tokens(turn, grounded=grounded) for turn in shown)


def image_note(image: Image) -> str:
    """`[image: caption; text in it: ...]`: what is known of a picture without opening it."""
    caption = one_line(image.caption or "no caption")
    return f"[image: {caption}; text in it: {image.ocr}]" if image.ocr else f"[image: {caption}]"


def render_session(session: Session, *, grounded: bool = True) -> str:
    """A whole raw session."""
    return render_turns(session.turns, grounded=grounded)


def render_episode(episode: Episode) -> str:
    """A metadata entry as its form left it, each part a line: empty parts are not shown; turn ids lead the lines that have them."""
    parts = [f"{header(episode.session_id, episode.time)}: {episode.title}"]
    if episode.participants:
        parts.append(f"participants: {', '.join(episode.participants)}")
    if episode.topics:
        parts.append(f"topics: {', '.join(episode.topics)}")
    if episode.summary:
        parts.append(f"summary: {episode.summary}")
    parts += [_sourced(episode, f"event: {event.text}{_when(event.time)}", event.turns) for event in episode.events]
    parts += [_sourced(episode, fact.text, fact.turns) for fact in episode.facts]
    if episode.entities:
        parts.append(f"entities: {', '.join(episode.entities)}")
    parts += _relation_lines(episode)
    return "\n".join(map(one_line, parts))


def _relation_lines(episode: Episode) -> list[str]:
    """What one subject is related to alike by the same turns shares a line: relations outnumber turns."""
    objects: dict[tuple[str, str, tuple[int, ...]], list[str]] = {}
    for relation in episode.relations:
        objects.setdefault((relation.subject, relation.predicate, relation.turns), []).append(relation.object)
    return [
        _sourced(episode, f"{subject} -> {predicate} -> {', '.join(others)}", turns)
        for (subject, predicate, turns), others in objects.items()
    ]


def _when(time: str | None) -> str:
    return f" ({time})" if time else ""


def _sourced(episode: Episode, text: str, turns: Sequence[int]) -> str:
    ids = ", ".join(f"{episode.session_id}:{index}" for index in turns)
    return f"- [{ids}] {text}" if ids else f"- {text}"
