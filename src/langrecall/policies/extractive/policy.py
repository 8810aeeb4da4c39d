"""The policy without a model: it quotes, checks what part of the question is covered, and asks for the rest."""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from langrecall.effects import twin
from langrecall.grounding.text import ground
from langrecall.language.verbs import base_terms
from langrecall.pictures.sources import is_web_address
from langrecall.policies.base import (
    AnswerRequest,
    Draft,
    Judgement,
    JudgeRequest,
    Line,
    PageRequest,
    ReasonRequest,
    Reply,
    Step,
)
from langrecall.policies.extractive.describe import describe_session
from langrecall.policies.extractive.evidence import Evidence, entry_terms, states, weigh
from langrecall.policies.extractive.questions import Asked
from langrecall.policies.extractive.quotes import passages, quote_of
from langrecall.records import Episode, Session, Turn
from langrecall.rendering import dated, indented
from langrecall.settings import MetadataForm
from langrecall.state import Action, MemoryLine, citable

_EDGES = re.compile(r"^\W+|(?:['\u2019]s)?\W*$")
_NEW_LINES = 4
"""Turns quoted into memory from one observation at most."""
_CITED = 4
"""Turns an answer quotes at most."""
FOUND = 0.95
"""Share of the expected evidence that must have been seen before the loop ends by itself."""
ENOUGH = 0.8
"""Share of the question that one turn in its context must carry to answer it whole."""
_CORE = 0.4
"""Share it must carry for an answer to be given at all."""


class ExtractivePolicy:
    """Needs no model, key or network. Deterministic: its walk follows from the question and the history alone."""

    name = "extractive"
    weighs_expectation = True

    def describe(self, session: Session, form: MetadataForm) -> Reply[Episode]:
        """Take the entry's parts from the session's own sentences."""
        return Reply(describe_session(session, form), "extractive")

    def reason(self, request: ReasonRequest) -> Reply[Step]:
        """Quote the turns that match best; ask for what is still uncovered."""
        asked = Asked.of(request.question.query, _speakers(request.turns, request.episodes))
        evidence = weigh(request.turns, request.context, asked)
        best = [each for each in evidence if each.covered or each.support][:_NEW_LINES]
        missing = sorted(asked.terms - _covered(request.memory, best))
        action, argument = next_action(request, asked, best, missing)
        step = Step(
            reasoning=_because(best, as_asked(missing, request.question.query)),
            memory=[line for each in best if (line := _line(each.turn, asked))],
            action=action,
            argument=argument,
            missing=as_asked(missing, request.question.query)
            if action == "answer" and not _carried(best, ENOUGH)
            else [],
        )
        return Reply(step, "extractive")

    def judge(self, request: JudgeRequest) -> Reply[Judgement]:
        """Sufficient when enough was found, or nothing more is expected; otherwise ask for the uncovered part, or person by person."""
        asked = Asked.of(request.question.query, _speakers(request.quoted, ()))
        evidence = weigh(request.quoted, request.context, asked)
        missing = sorted(asked.terms - _covered((), evidence))
        if is_enough(evidence, request.expected):
            unknown = [] if _carried(evidence, ENOUGH) else missing or sorted(asked.terms)
            return Reply(Judgement(sufficient=True, missing=as_asked(unknown, request.question.query)), "extractive")
        queries, evolution = evolve(request.question.query, asked, missing)
        lacking = as_asked(missing, request.question.query)
        return Reply(Judgement(missing=lacking, queries=queries, evolution=evolution), "extractive")

    def answer(self, request: AnswerRequest) -> Reply[Draft]:
        """Quote the best evidence with speaker and date, or abstain when nothing carries the core of the question."""
        turns = list(request.turns or request.quoted)
        asked = Asked.of(request.question.query, _speakers(turns, request.episodes))
        evidence = weigh(turns, request.context, asked)
        if not _carried(evidence, _CORE):
            return Reply(Draft(text=_abstention(asked), abstained=True), "extractive")
        numbers = {line["sources"][0]: number for number, line in enumerate(citable(request.memory), start=1)}
        return Reply(Draft(text=_compose(quotable(evidence, asked), asked, numbers)), "extractive")

    def read_page(self, request: PageRequest) -> Reply[str]:
        """The text OCR read in the pictures: this policy has no eyes."""
        return Reply(request.ocr, "extractive")

    # Milliseconds of work, which a thread would only make longer.
    adescribe = twin(describe, threaded=False)
    areason = twin(reason, threaded=False)
    ajudge = twin(judge, threaded=False)
    aanswer = twin(answer, threaded=False)
    aread_page = twin(read_page, threaded=False)


def next_action(
    request: ReasonRequest, asked: Asked, best: Sequence[Evidence], missing: Sequence[str]
) -> tuple[Action, str]:
    """Answer when enough is carried; else the cheapest open action that may bring what is missing."""
    origin = request.came_from
    if "view" in request.actions and origin != "view" and (picture := _picture(best)):
        return "view", picture
    if is_enough(best, request.expected):
        return "answer", ""
    if "zoom_in" in request.actions and request.question.settings.max_rounds:
        return _zoomed(request, best)
    if "read_raw" in request.actions and (session := _promising(request, frozenset(missing) or asked.terms)):
        return "read_raw", session
    if "zoom_out" in request.actions and origin in ("zoom_in", "retrieve") and best:
        return "zoom_out", best[0].turn.id
    if "zoom_in" in request.actions and origin != "zoom_in" and missing:
        return "zoom_in", " ".join([*sorted(asked.people), *missing])
    if "search_meta" in request.actions and not (origin == "search_meta" and not best):
        return "search_meta", request.question.query
    return "answer", ""


def _zoomed(request: ReasonRequest, best: Sequence[Evidence]) -> tuple[Action, str]:
    """The next best turns, and what stands around one that does not speak for itself; where no more come, the judge must ask anew.

    Turns come before whole sessions: what a question is about is seldom said in one place.
    """
    if request.came_from == "zoom_in" and "zoom_out" in request.actions and best and best[0].support < _CORE:
        return "zoom_out", best[0].turn.id
    if request.came_from == "zoom_in" and not request.turns:
        return "answer", ""
    return "zoom_in", request.question.query


def evolve(
    query: str, asked: Asked, missing: Sequence[str]
) -> tuple[list[str], Literal["decomposed", "pruned", "none"]]:
    """One query for each of several people named; or the query pruned to what is missing, beside all that it is about."""
    if len(asked.people) > 1:
        about = " ".join(sorted(asked.terms))
        return [f"{person} {about}" for person in sorted(asked.people)], "decomposed"
    whole = " ".join(word for word in query.split() if set(base_terms(word)) & asked.terms)
    if missing and len(missing) < len(asked.terms):
        return [" ".join([*sorted(asked.people), *missing]), whole], "pruned"
    return [whole], "pruned"


def as_asked(terms: Sequence[str], query: str) -> list[str]:
    """The words of the question that stand for index terms; a term that no word stands for is as it is."""
    bare = [_EDGES.sub("", word) for word in reversed(query.split())]
    words = {term: word for word in bare for term in base_terms(word)}
    return list(dict.fromkeys(words.get(term, term) for term in terms))


def quotable(evidence: Sequence[Evidence], asked: Asked) -> list[Evidence]:
    """The best turns with anything to quote: those that carry the core of the question, then those that state something of it."""
    telling = [each for each in evidence if passages(each.turn, asked)]
    carrying = [each for each in telling if each.support >= _CORE]
    return [*carrying, *(each for each in telling if each.own and each.support < _CORE and states(each.turn))][:_CITED]


def _compose(evidence: Sequence[Evidence], asked: Asked, numbers: dict[str, int]) -> str:
    """The quoted turns a line each, led by the grounded time where the question asks when."""
    lines = []
    for each in evidence:
        turn = each.turn
        marker = f" [{numbers[turn.id]}]" if turn.id in numbers else ""
        when = [span.label() for span in ground(turn.text, turn.time)] if asked.kind == "when" else []
        when_led = f"{when[0]}: " if when else ""
        words = " and ".join(f"{lead}\u201c{said}\u201d" for lead, said in passages(turn, asked))
        lines.append(indented(f"{when_led}{dated(turn)}: {words}{marker}"))
    return "\n".join(lines)


def is_enough(evidence: Iterable[Evidence], expected: float | None) -> bool:
    """Whether to stop: most of the evidence is expected to have been seen, or where nobody can tell, one turn carries enough.

    One turn may carry all of a question that asks for several things, and still not be all that answers it.
    """
    return _carried(evidence, ENOUGH) if expected is None else expected >= FOUND


def _carried(evidence: Iterable[Evidence], enough: float) -> bool:
    return any(each.support >= enough for each in evidence)


def _promising(request: ReasonRequest, wanted: frozenset[str]) -> str:
    unread = [episode for episode in request.episodes if episode.session_id not in request.read]
    shown = {turn.session_id for turn in request.turns}
    counts = {episode.session_id: len(entry_terms(episode) & wanted) for episode in unread}
    best = max(counts, key=lambda name: (counts[name], name not in shown), default="")
    return best if counts.get(best) else ""


def _picture(best: Sequence[Evidence]) -> str:
    """A turn with a picture that OCR could open and has not read yet."""
    unread = (
        each.turn.id
        for each in best
        for image in each.turn.images
        if image.source and not image.ocr and not is_web_address(image.source)
    )
    return next(unread, "")


def _line(turn: Turn, asked: Asked) -> Line | None:
    """What a turn says; a picture of which nothing is known is kept to be viewed, without a quote."""
    quoted = quote_of(turn, asked)
    if quoted:
        return Line(text=f"{turn.speaker}: {quoted.lead}{quoted.words}", sources=[turn.id], quote=quoted.words)
    return Line(text=f"{turn.speaker}: a picture, {turn.id}", sources=[turn.id]) if turn.images else None


def _covered(memory: Iterable[MemoryLine], evidence: Iterable[Evidence]) -> frozenset[str]:
    remembered = {term for line in memory for term in base_terms(line["text"])}
    return frozenset(remembered | {term for each in evidence for term in each.covered})


def _because(best: Sequence[Evidence], missing: Sequence[str]) -> str:
    support = max((each.support for each in best), default=0.0)
    wanted = f"; uncovered: {', '.join(missing)}" if missing else ""
    return f"best turn carries {support:.0%} of the question{wanted}"


def _abstention(asked: Asked) -> str:
    said = f" by or about {' or '.join(sorted(asked.people))}" if asked.people else ""
    return f"I found nothing in this history that answers this: nothing said{said} covers the core of the question."


def _speakers(turns: Sequence[Turn], episodes: Sequence[Episode]) -> list[str]:
    spoken = [turn.speaker for turn in turns if turn.role not in ("system", "tool")]
    return list(dict.fromkeys([*spoken, *(name for episode in episodes for name in episode.participants)]))
