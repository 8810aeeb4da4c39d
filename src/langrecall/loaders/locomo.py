"""LoCoMo: conversations of two named people, with questions and, a session, observations."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langrecall.loaders.assembly import Assembled, Said, assemble, history
from langrecall.loaders.evidence import resolve, turn_ids
from langrecall.loaders.faults import Location, shape
from langrecall.loaders.files import read_records
from langrecall.loaders.loaded import LoadedHistory
from langrecall.loaders.named import Named, named
from langrecall.loaders.questions import BenchmarkQuestion
from langrecall.records import Episode, Fact, Image, Session, TurnId

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""The category ids' names; the dataset's own list and several readers mix them up."""

_SESSION_KEY = re.compile(r"session_(\d+)(?:_date_time)?")


def matches(records: Sequence[object]) -> bool:
    """Whether any record looks like LoCoMo."""
    return any(isinstance(record, Mapping) and isinstance(record.get("conversation"), Mapping) for record in records)


def histories(records: Sequence[object], location: Location, *, only: str | None = None) -> tuple[LoadedHistory, ...]:
    """One history a conversation, under its sample_id."""
    return tuple(_history(sample) for sample in named(records, "sample_id", location, only))


def questions(path: Path, *, only: str | None = None, errata: Path | None = None) -> list[BenchmarkQuestion]:
    """All questions; `errata` is a file of corrected gold (`correct_answer`, `correct_evidence`) that overrides the file's own."""
    return ask(read_records(path), Location(str(path)), only=only, errata=errata)


def given_episodes(path: Path, *, only: str | None = None) -> dict[str, dict[str, Episode]]:
    """By conversation and session, the file's own observations as if a model had described the sessions."""
    return given(read_records(path), Location(str(path)), only=only)


def ask(
    records: Sequence[object], location: Location, *, only: str | None = None, errata: Path | None = None
) -> list[BenchmarkQuestion]:
    """`questions` of a file that has been read."""
    corrected = _corrections(errata) if errata else {}
    return [
        question for sample in named(records, "sample_id", location, only) for question in _asked(sample, corrected)
    ]


def given(records: Sequence[object], location: Location, *, only: str | None = None) -> dict[str, dict[str, Episode]]:
    """`given_episodes` of a file that has been read."""
    return {sample.name: _episodes(sample) for sample in named(records, "sample_id", location, only)}


def _history(sample: Named) -> LoadedHistory:
    return history(sample.name, _sessions(sample))


def _sessions(sample: Named) -> Iterator[Assembled]:
    conversation = sample.location.object(sample.record.get("conversation"))
    numbers = {int(match[1]) for key in conversation if (match := _SESSION_KEY.fullmatch(key))}
    for number in sorted(numbers):
        name = f"session_{number}"
        location = sample.location.at(name)
        said = [_said(turn, location.at(f"turn {at}")) for at, turn in enumerate(location.array(conversation, name), 1)]
        yield assemble(name, said, when=conversation.get(f"{name}_date_time"))


def _said(value: object, location: Location) -> Said:
    turn = location.object(value)
    images = _images(turn, location)
    return Said(
        speaker=location.string(turn, "speaker"),
        role="speaker",
        text=location.spoken(turn, "text", images=bool(images)),
        images=images,
        source_id=location.string(turn, "dia_id"),
    )


def _images(turn: Mapping[str, Any], location: Location) -> tuple[Image, ...]:
    """A caption belongs to the first picture, and stands alone where the file has lost the picture's URL."""
    caption = location.string(turn, "blip_caption") if turn.get("blip_caption") else None
    sources = [turn["img_url"]] if isinstance(turn.get("img_url"), str) else location.array(turn, "img_url")
    if not all(isinstance(source, str) for source in sources):
        raise location.fault('"img_url" holds something other than strings', "list addresses")
    if not sources:
        return (Image(caption=caption),) if caption else ()
    return (Image(source=sources[0], caption=caption), *(Image(source=source) for source in sources[1:]))


def _asked(sample: Named, corrected: Mapping[tuple[int, str], Mapping[str, Any]]) -> Iterator[BenchmarkQuestion]:
    ids = turn_ids(_history(sample).sessions)
    for index, value in enumerate(sample.location.array(sample.record, "qa")):
        location = sample.location.at(f"qa[{index}]")
        asked = location.object(value)
        asked = {**asked, **corrected.get((index, location.string(asked, "question")), {})}
        yield _question(sample.name, index, asked, ids, location)


def _question(
    name: str, index: int, asked: Mapping[str, Any], ids: Mapping[str, str], location: Location
) -> BenchmarkQuestion:
    evidence = resolve(location.array(asked, "evidence"), ids)
    category = _category(asked.get("category"))
    sessions = dict.fromkeys(TurnId.parse(turn).session_id for turn in evidence.turns)
    adversarial = asked.get("adversarial_answer")
    return BenchmarkQuestion(
        namespace_name=name,
        question_id=f"{name}_qa{index}",
        question=asked["question"],
        answer=str(asked.get("answer", "")),
        category=category,
        evidence=evidence.turns,
        evidence_sessions=tuple(sessions),
        unresolved=evidence.unresolved,
        abstention=category == CATEGORIES[5],
        adversarial_answer=None if adversarial is None else str(adversarial),
    )


def _category(value: object) -> str:
    return CATEGORIES.get(value, str(value)) if isinstance(value, int) else str(value)


def _corrections(path: Path) -> dict[tuple[int, str], dict[str, Any]]:
    """Errata name a question by its place in the full file of ten; its place in the conversation and its wording hold in any part."""
    location = Location(str(path))
    found = {}
    for number, value in enumerate(read_records(path), 1):
        where = location.at(f"record {number}")
        row = where.object(value)
        index = re.search(r"qa(\d+)$", where.string(row, "question_id"))
        if index is None:
            raise where.fault(
                '"question_id" does not end in qa<number>', "name the question's place in its conversation"
            )
        found[int(index[1]), where.string(row, "question")] = {
            "answer": row.get("correct_answer", ""),
            "evidence": where.array(row, "correct_evidence"),
        }
    return found


def _episodes(sample: Named) -> dict[str, Episode]:
    sessions = _history(sample).sessions
    ids = turn_ids(sessions)
    observed = sample.location.object(sample.record.get("observation") or {})
    return {
        session.session_id: _episode(session, observed.get(f"{session.session_id}_observation"), ids, sample.location)
        for session in sessions
    }


def _episode(session: Session, observed: object, ids: Mapping[str, str], location: Location) -> Episode:
    where = location.at(f"{session.session_id}_observation")
    by_speaker = where.object(observed or {})
    facts = [
        _fact(session, speaker, row, ids, where) for speaker in by_speaker for row in where.array(by_speaker, speaker)
    ]
    return Episode(
        session_id=session.session_id,
        title=" and ".join(session.speakers),
        time=session.time,
        participants=session.speakers,
        facts=tuple(facts),
    )


def _fact(session: Session, speaker: str, row: object, ids: Mapping[str, str], location: Location) -> Fact:
    if not isinstance(row, list) or not row:
        raise location.fault(f"an observation is {shape(row)}", "make it a list of a statement and its evidence")
    text, *evidence = row
    turns = map(TurnId.parse, resolve(evidence, ids).turns)
    own = tuple(turn.index for turn in turns if turn.session_id == session.session_id)
    return Fact(text=str(text), turns=own, speaker=speaker)
