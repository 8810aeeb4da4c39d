"""An answer and what bears it out: its citations, the verdict on each sentence, and whether to ask for a better one."""

from dataclasses import replace
from typing import NamedTuple

from langrecall.citations.markers import cite
from langrecall.citations.support import answer_support, turns_behind
from langrecall.policies.base import AnswerRequest, Draft, Reply
from langrecall.state import MemoryLine, SentenceSupport, Source, citable

_ASKED_AGAIN = "asked again: its citations did not bear it out"
_NO_RAW_TURNS = "raw turns are switched off"


class Answered(NamedTuple):
    """An answer, the lines it cites, and what of it they bear out."""

    text: str
    cited: list[MemoryLine]
    support: list[SentenceSupport]
    reply: Reply[Draft]


def held_against(reply: Reply[Draft], request: AnswerRequest, people: frozenset[str]) -> Answered:
    """The draft with its citations, and what of it they bear out; an abstention claims nothing."""
    lines = [] if reply.value.abstained else citable(request.memory)
    turns = {turn.id: turn for turn in [*request.quoted, *request.turns]}
    text, cited = cite(reply.value.text, lines, list(turns.values()))
    support = [] if reply.value.abstained else answer_support(text, turns_behind(cited, lines, turns), people=people)
    if not request.question.settings.raw_data:
        support = [each | {"support": "not_checkable", "reason": _NO_RAW_TURNS} for each in support]
    return Answered(text, cited, support, reply)


def repairing(request: AnswerRequest, answered: Answered) -> AnswerRequest | None:
    """The request to mend an answer; None where all is borne out, or no model wrote it."""
    unsupported = [each for each in answered.support if each["support"] == "unsupported"]
    by_model = answered.reply.source in ("model", "repaired")
    if not (unsupported and by_model and citable(request.memory)):
        return None
    return replace(request, before=answered.reply.value.text, unsupported=unsupported)


def better(first: Answered, second: Answered) -> Answered:
    """The second answer, unless no model gave it or less of it is borne out; what both cost."""
    faults = [sum(each["support"] == "unsupported" for each in answered.support) for answered in (first, second)]
    taken = second if second.reply.source != "fallback" and faults[1] <= faults[0] else first
    mended: Source = "repaired" if taken is second else taken.reply.source
    note = "; ".join(filter(None, [first.reply.note, _ASKED_AGAIN]))
    spent = first.reply.spent + second.reply.spent
    return taken._replace(reply=replace(taken.reply, source=mended, spent=spent, note=note))
