"""What the page of a run is made of, in its order, each part with the places it links to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from langrecall.citations.support import by_sentence
from langrecall.records import Turn
from langrecall.rendering import image_note
from langrecall.runs.saved import SavedRun, SessionLine
from langrecall.state import Citation, MemoryLine, Observation, RecallOutput, Support, TrajectoryStep

MARKER = re.compile(r"\[(\d+)\]")
_JOINED, NARROW = re.compile(r" $"), "\N{NARROW NO-BREAK SPACE}"
"""A marker stays on the line of the word before it."""
THINKING = ("reason", "judge", "refine", "answer")


class TextPart(NamedTuple):
    """A stretch of text: linked, marked as quoted, or plain; or the verdict on the sentence before."""

    text: str
    link: str = ""
    marked: bool = False
    support: Support | None = None


class Link(NamedTuple):
    """A name and where on the page it leads; nowhere, if the record has no more of it."""

    name: str
    anchor: str


@dataclass(frozen=True)
class LinePart:
    """A memory line, whether the step made it, and the turns it rests on."""

    line: MemoryLine
    fresh: bool
    sources: list[Link]


@dataclass(frozen=True)
class StepPart:
    """One node's doing: what was shown to it or came back, and the memory after it."""

    anchor: str
    event: TrajectoryStep
    thinking: bool
    observed: list[Link]
    shown: Observation | None
    memory: list[LinePart]
    share: float
    """Of the costliest step's tokens, in percent."""
    prompt_share: float
    """The part of it that the prompt made."""

    @property
    def fresh(self) -> list[LinePart]:
        """The lines that this step added."""
        return [part for part in self.memory if part.fresh]


@dataclass(frozen=True)
class TurnPart:
    """A raw turn, its quoted words marked, and the numbers by which the answer cites it."""

    anchor: str
    turn: Turn
    pieces: list[TextPart]
    notes: list[str]
    cited: list[int]


@dataclass(frozen=True)
class SessionPart:
    """The turns of a session that the run saw."""

    anchor: str
    session_id: str
    line: SessionLine | None
    read: bool
    turns: list[TurnPart]


class CitationPart(NamedTuple):
    """A citation and the turn it leads to."""

    number: int
    citation: Citation
    anchor: str


@dataclass(frozen=True)
class Parts:
    """The page from top to bottom."""

    answer: list[TextPart]
    citations: list[CitationPart]
    steps: list[StepPart]
    memory: list[LinePart]
    sessions: list[SessionPart]


def made_of(run: SavedRun) -> Parts:
    """Every part of the page."""
    turns = {turn.id: f"turn-{place}" for place, turn in enumerate(run.turns, start=1)}
    names = dict.fromkeys([*run.seen, *run.read, *(turn.session_id for turn in run.turns)])
    sessions = {name: f"session-{place}" for place, name in enumerate(names, start=1)}
    anchors = sessions | turns
    citations = [
        CitationPart(number, citation, anchors.get(citation["turn"], ""))
        for number, citation in enumerate(run.output["citations"], start=1)
    ]
    return Parts(
        answer=_answer(run.output, citations),
        citations=citations,
        steps=_steps(run, anchors),
        memory=[LinePart(line, False, _links(line["sources"], anchors)) for line in run.output["memory"]],
        sessions=_sessions(run, sessions, turns),
    )


def _answer(output: RecallOutput, citations: Sequence[CitationPart]) -> list[TextPart]:
    """The answer's text with its markers as links, and the verdict on each sentence."""
    links = {str(part.number): part.anchor for part in citations}
    parts: list[TextPart] = []
    for text, found in by_sentence(output["answer"], output["answer_support"]):
        parts += _linked(text, links)
        if found:
            parts.append(TextPart(found["reason"], support=found["support"]))
    return parts


def _linked(text: str, links: Mapping[str, str]) -> list[TextPart]:
    pieces = MARKER.split(text)
    markers = [
        TextPart(number, links[number]) if number in links else TextPart(f"[{number}]") for number in pieces[1::2]
    ]
    words = [
        TextPart(_JOINED.sub(NARROW, before) if marker.link else before)
        for before, marker in zip(pieces[:-1:2], markers, strict=True)
    ]
    alternating = [piece for pair in zip(words, markers, strict=True) for piece in pair] + [TextPart(pieces[-1])]
    return [piece for piece in alternating if piece.text]


def _steps(run: SavedRun, anchors: Mapping[str, str]) -> list[StepPart]:
    shown = {seen["id"]: seen for seen in run.observations}
    most = max((step.event["tokens"] for step in run.steps), default=0) or 1
    known: set[str] = set()
    parts = []
    for place, step in enumerate(run.steps, start=1):
        event = step.event
        lines = [LinePart(line, line["id"] not in known, _links(line["sources"], anchors)) for line in step.memory]
        known |= {line["id"] for line in step.memory}
        spent = min(event["usage"]["prompt_tokens"], event["tokens"])
        parts.append(
            StepPart(
                anchor=f"step-{place}",
                event=event,
                thinking=event["node"] in THINKING,
                observed=_links(dict.fromkeys(event["observed"]), anchors),
                shown=shown.get(event["id"]),
                memory=lines,
                share=100 * event["tokens"] / most,
                prompt_share=100 * spent / most,
            )
        )
    return parts


def _links(names: Sequence[str] | Mapping[str, None], anchors: Mapping[str, str]) -> list[Link]:
    return [Link(name, anchors.get(name, "")) for name in names]


def _sessions(run: SavedRun, sessions: Mapping[str, str], anchors: Mapping[str, str]) -> list[SessionPart]:
    lines = {line.session_id: line for line in run.sessions}
    turns = _turns(run, anchors)
    return [
        SessionPart(anchor, name, lines.get(name), name in run.read, turns.get(name, []))
        for name, anchor in sessions.items()
    ]


def _turns(run: SavedRun, anchors: Mapping[str, str]) -> dict[str, list[TurnPart]]:
    """The turns of each session, as spoken."""
    quotes: dict[str, list[str]] = {}
    for line in run.output["memory"]:
        for source in line["sources"]:
            quotes.setdefault(source, []).append(line["quote"])
    parts: dict[str, list[TurnPart]] = {}
    for turn in sorted(run.turns, key=lambda turn: turn.index):
        cited = [number for number, each in enumerate(run.output["citations"], start=1) if each["turn"] == turn.id]
        pieces = list(_quoted(turn.text, quotes.get(turn.id, [])))
        part = TurnPart(anchors[turn.id], turn, pieces, list(map(image_note, turn.images)), cited)
        parts.setdefault(turn.session_id, []).append(part)
    return parts


def _quoted(text: str, quotes: Sequence[str]) -> Iterator[TextPart]:
    """The text with each quote that stands in it word for word marked."""
    spots = sorted({(at, at + len(quote)) for quote in quotes if quote and (at := text.find(quote)) >= 0})
    end = 0
    for start, stop in spots:
        if start >= end:
            yield TextPart(text[end:start])
            yield TextPart(text[start:stop], marked=True)
            end = stop
    yield TextPart(text[end:])
