"""A chat is one stream of messages for years; a session ends where nobody wrote for some hours."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from langrecall.loaders.assembly import Assembled, Said, assemble
from langrecall.loaders.dates import parse_date
from langrecall.records import Image, Role, epoch

_PAUSE = timedelta(hours=4)
"""The silence that ends a session: a night is longer, a meal is shorter."""

_NOTICE: Role = "system"


def sittings(chat: str, messages: Iterable[Said]) -> Iterator[Assembled]:
    """The sessions of one chat, whose messages come in their order.

    A session is named after the chat and the minute of its first message, so that a longer export of the same chat updates
    the session that has grown and adds the later ones. One in which nobody spoke has no turns.
    """
    return threaded(chat, ((message,) for message in messages))


def threaded(chat: str, threads: Iterable[Sequence[Said]]) -> Iterator[Assembled]:
    """As `sittings`, of messages with their replies behind them: however late, a reply is in the session of what it answers."""
    for sitting in _divided(threads):
        start = parse_date(sitting[0].when)
        name = f"{chat} {start:%Y-%m-%dT%H%M}" if start else chat
        spoken = any(said.role != _NOTICE for said in sitting)
        yield assemble(name, sitting if spoken else (), source=chat)


def message(
    speaker: str, text: str, when: datetime | None, *, images: tuple[Image, ...] = (), source_id: str | None = None
) -> Said:
    """What a person sent."""
    return Said(speaker=speaker, role="speaker", text=text, images=images, source_id=source_id, when=when)


def notice(speaker: str, text: str, when: datetime | None, *, source_id: str | None = None) -> Said:
    """What the messenger says: who joined, that a call was missed, what the export leaves out. Kept, but nobody's speech."""
    return Said(speaker=speaker, role=_NOTICE, text=text, source_id=source_id, when=when)


def _divided(threads: Iterable[Sequence[Said]]) -> Iterator[list[Said]]:
    sitting: list[Said] = []
    last: float | None = None
    for thread in threads:
        now = epoch(parse_date(thread[0].when))
        if sitting and now is not None and last is not None and abs(now - last) > _PAUSE.total_seconds():
            yield sitting
            sitting = []
        sitting.extend(thread)
        last = last if now is None else now
    if sitting:
        yield sitting
