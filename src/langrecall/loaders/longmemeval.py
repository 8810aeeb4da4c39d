"""LongMemEval: to each question its own history of user and assistant; every one of its files has this shape."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from langrecall.loaders.assembly import Said, assemble, history
from langrecall.loaders.dates import parse_date
from langrecall.loaders.faults import Location, shape
from langrecall.loaders.files import read_records
from langrecall.loaders.loaded import LoadedHistory
from langrecall.loaders.named import Named, named
from langrecall.loaders.questions import BenchmarkQuestion
from langrecall.records import Role, TurnId

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}
_ABSTENTION = "_abs"


class _Held(NamedTuple):
    """One session of a haystack: the id it is loaded under, the id the file gives it, its date and turns."""

    session_id: str
    source: str
    date: object
    turns: list[Any]
    location: Location


def matches(records: Sequence[object]) -> bool:
    """Whether any record looks like LongMemEval."""
    return any(isinstance(record, Mapping) and "haystack_sessions" in record for record in records)


def histories(records: Sequence[object], location: Location, *, only: str | None = None) -> tuple[LoadedHistory, ...]:
    """One history a question, under its question_id."""
    return tuple(_history(entry) for entry in named(records, "question_id", location, only))


def questions(path: Path, *, only: str | None = None) -> list[BenchmarkQuestion]:
    """One question a history."""
    return ask(read_records(path), Location(str(path)), only=only)


def ask(records: Sequence[object], location: Location, *, only: str | None = None) -> list[BenchmarkQuestion]:
    """`questions` of a file that has been read."""
    return [_question(entry) for entry in named(records, "question_id", location, only)]


def _history(entry: Named) -> LoadedHistory:
    held = list(_haystack(entry))
    built = (assemble(one.session_id, _said(one), when=one.date, source=one.source) for one in held)
    return history(entry.name, built, warnings=map(_blank_warning, _blank_turns(held)))


def _haystack(entry: Named) -> Iterator[_Held]:
    """A session that a history holds twice is told apart by a suffix from its second occurrence on."""
    sessions = entry.location.array(entry.record, "haystack_sessions")
    ids = _column(entry, "haystack_session_ids", len(sessions))
    dates = _column(entry, "haystack_dates", len(sessions))
    met: Counter[str] = Counter()
    for source, when, turns in zip(map(str, ids), dates, sessions, strict=True):
        met[source] += 1
        location = entry.location.at(f"session {source!r}")
        if not isinstance(turns, list):
            raise location.fault(f"its turns are {shape(turns)}", "make them a list of messages")
        yield _Held(source if met[source] == 1 else f"{source}#{met[source]}", source, when, turns, location)


def _column(entry: Named, name: str, length: int) -> list[Any]:
    values = entry.location.array(entry.record, name)
    if len(values) != length:
        raise entry.location.fault(
            f'"{name}" has {len(values)} items for {length} "haystack_sessions"', "give each session one"
        )
    return values


def _said(held: _Held) -> list[Said]:
    return [_turn(turn, held.location.at(f"turn {number}")) for number, turn in enumerate(held.turns, 1)]


def _turn(value: object, location: Location) -> Said:
    turn = location.object(value)
    role = location.string(turn, "role")
    if role not in _ROLES:
        raise location.fault(f'"role" is {role!r}', f"the roles are {', '.join(_ROLES)}")
    content = turn.get("content")
    if not isinstance(content, str):
        raise location.fault(f'"content" is {shape(content)}', "make it a string")
    return Said(speaker=role, role=_ROLES[role], text=content)


def _blank_turns(held: Sequence[_Held]) -> Iterator[TurnId]:
    """A blank turn is kept, since dropping it would shift the evidence of those after it."""
    for one in held:
        yield from (TurnId(one.session_id, at) for at, turn in enumerate(one.turns) if not turn["content"].strip())


def _blank_warning(turn: TurnId) -> str:
    return f"turn {str(turn)!r}: blank, kept in its place"


def _question(entry: Named) -> BenchmarkQuestion:
    record, held = entry.record, list(_haystack(entry))
    gold = [str(source) for source in entry.location.array(record, "answer_session_ids")]
    return BenchmarkQuestion(
        namespace_name=entry.name,
        question_id=entry.name,
        question=entry.location.string(record, "question"),
        answer=str(record.get("answer", "")),
        category=str(record.get("question_type", "")),
        evidence=tuple(_evidence(held)),
        evidence_sessions=tuple(one.session_id for one in held if one.source in gold),
        unresolved=tuple(source for source in gold if source not in {one.source for one in held}),
        query_time=parse_date(record.get("question_date")),
        abstention=entry.name.endswith(_ABSTENTION),
    )


def _evidence(held: Sequence[_Held]) -> Iterator[str]:
    for one in held:
        marked = (at for at, turn in enumerate(one.turns) if isinstance(turn, Mapping) and turn.get("has_answer"))
        yield from (str(TurnId(one.session_id, at)) for at in marked)
