"""From what a model replied to the policy's own types: sources, turns and markers in their proper form."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from langrecall.citations.naming import has_form, sessions_of, turns_named
from langrecall.grounding.text import time_cues
from langrecall.language.words import terms
from langrecall.policies.base import Draft, Judgement, Line, ReasonRequest, Step
from langrecall.policies.model.prompts import ABSTAIN_MARKER, ABSTAINED, ANSWER_MARKER, FORM_FIELDS, NOT_SAID
from langrecall.policies.model.quoting import put_right
from langrecall.policies.model.said import no_answer
from langrecall.policies.model.wire import EntryReply, JudgementReply, StepReply
from langrecall.records import Episode, Event, Fact, Relation, Session
from langrecall.rendering import day
from langrecall.settings import MetadataForm
from langrecall.state import MemoryLine, citable

_ABSTENTION = re.compile(r"\W*" + ABSTAIN_MARKER.replace(" ", r"[\s_]+") + r"\b\W*", re.IGNORECASE)
_BRACKETED = re.compile(r"\[([^\[\]\n]+)\]")

MARKER = re.compile(r"\[\d+\]")

_REPEATED = 0.5
"""Share of an answer's words that a line must hold to be cited for it."""


_NO_ANSWER = "The model gave no answer, and nothing that was found could be checked."


class Drafted(NamedTuple):
    """A draft, and what had to be mended in it."""

    draft: Draft
    note: str = ""


def step_of(reply: StepReply, request: ReasonRequest) -> Step:
    """The step, its sources and quotes put right; sources that were never shown are left for the node to report."""
    shown = _shown_ids(request)
    given = [Line(text=line.text, sources=line.sources, quote=line.quote) for line in reply.memory if line.text.strip()]
    return Step(
        reasoning=reply.reasoning,
        memory=[put_right(line, shown, request.turns) for line in given],
        action=reply.action,  # type: ignore[arg-type]  # the shape has checked it against the open actions
        argument=reply.argument.strip(),
        missing=reply.missing,
    )


def judgement_of(reply: JudgementReply) -> Judgement:
    """The verdict; a sufficient one asks for nothing."""
    if reply.sufficient:
        return Judgement(sufficient=True)
    return Judgement(missing=reply.missing, queries=reply.queries, evolution=reply.evolution)


def draft_of(text: str, memory: Sequence[MemoryLine]) -> Drafted:
    """The answer after its reasoning, its markers as line numbers; one without any gets that of the line it repeats."""
    answer = text.rpartition(ANSWER_MARKER)[2].strip() or text
    if fault := no_answer(answer):
        return Drafted(held(memory), fault)
    if abstained := _ABSTENTION.match(answer):
        unknown = answer[abstained.end() :].strip()
        return Drafted(Draft(text=NOT_SAID.format(unknown=unknown) if unknown else ABSTAINED, abstained=True))
    lines = citable(memory)
    numbered = _with_numbers(answer, lines)
    if not re.search(r"\w", MARKER.sub("", numbered)):
        return _spelled_out(numbered, lines)
    if MARKER.search(numbered) or not (number := _repeated(numbered, lines)):
        return Drafted(Draft(text=numbered))
    return Drafted(Draft(text=f"{numbered} [{number}]"), "the answer named no note: the one it repeats was added")


def episode_of(reply: EntryReply, session: Session, form: MetadataForm) -> Episode:
    """The entry with the parts its form wants; turns that the session does not have are dropped."""
    parts = {
        "title": reply.title.strip() or f"Conversation of {day(session.time)}",
        "summary": reply.summary,
        "topics": tuple(reply.topics),
        "events": tuple(
            Event(text=event.text, turns=_within(session, event.turns), time=event.time or None)
            for event in reply.events
        ),
        "facts": tuple(
            Fact(text=fact.text, turns=_within(session, fact.turns), speaker=fact.speaker or None)
            for fact in reply.facts
        ),
        "entities": tuple(dict.fromkeys(reply.entities)),
        "relations": tuple(
            Relation(
                subject=each.subject, predicate=each.predicate, object=each.object, turns=_within(session, each.turns)
            )
            for each in reply.relations
        ),
    }
    return Episode(
        session_id=session.session_id,
        time=session.time,
        participants=session.speakers,
        time_cues=tuple(cue for turn in session.turns for cue in time_cues(turn)),
        **{name: parts[name] for name in FORM_FIELDS[form]},  # type: ignore[arg-type]  # each part has its field's type
    )


def _shown_ids(request: ReasonRequest) -> list[str]:
    observation = request.observation
    of_entries = [turn for episode in request.episodes for turn in _entry_turns(episode)]
    return list(dict.fromkeys([*observation["turns"], *observation["clipped"], *of_entries]))


def _entry_turns(episode: Episode) -> list[str]:
    parts: list[Event | Fact | Relation] = [*episode.events, *episode.facts, *episode.relations]
    return [f"{episode.session_id}:{index}" for part in parts for index in part.turns]


def _within(session: Session, turns: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(index for index in turns if 0 <= index < len(session.turns)))


def _with_numbers(text: str, lines: Sequence[MemoryLine]) -> str:
    numbers: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        for source in line["sources"]:
            numbers.setdefault(source, number)

    sessions = sessions_of(numbers)

    def numbered(match: re.Match[str]) -> str:
        named = turns_named(match[1], sessions)
        if not (named.ids or named.others) or not all(map(has_form, named.others)):
            return match[0]
        of_lines = dict.fromkeys(numbers[turn_id] for turn_id in named.ids if turn_id in numbers)
        return "".join(f"[{number}]" for number in of_lines)

    return _BRACKETED.sub(numbered, text)


def held(memory: Sequence[MemoryLine]) -> Draft:
    """What the checked lines say, where no answer was to be had: the model's failure is no sign that nothing was found."""
    lines = [f"{line['text']} [{number}]" for number, line in enumerate(citable(memory), 1)]
    return Draft(text="\n".join(lines)) if lines else Draft(text=_NO_ANSWER, abstained=True)


def _spelled_out(markers: str, lines: Sequence[MemoryLine]) -> Drafted:
    """The lines that an answer without a word leads to, for what they say; none of them is no answer."""
    named = dict.fromkeys(int(marker[1:-1]) for marker in MARKER.findall(markers))
    texts = [f"{lines[number - 1]['text']} [{number}]" for number in named if 1 <= number <= len(lines)]
    if not texts:
        return Drafted(held(lines), "the answer held no word")
    return Drafted(
        Draft(text=" ".join(texts)), "the answer named notes and said nothing: what they say was put in its place"
    )


def _repeated(answer: str, lines: Sequence[MemoryLine]) -> int | None:
    """The number of the line that holds the largest part, at least half, of the answer's words."""
    wanted = set(terms(answer))
    shares = [len(wanted & set(terms(f"{line['text']} {line['quote']}"))) / max(len(wanted), 1) for line in lines]
    best = max(shares, default=0.0)
    return shares.index(best) + 1 if best >= _REPEATED else None
