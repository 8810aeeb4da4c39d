"""An answer as a person reads it: text, numbered citations, and one line on what it rests on and cost."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from rich.console import Console

from langrecall.citations.support import by_sentence
from langrecall.cli.output import counted, say
from langrecall.rendering import day

if TYPE_CHECKING:
    from langrecall.state import Citation, Coverage, RecallOutput, Support, TotalUsage


_MARKS: Mapping["Support", tuple[str, str]] = {
    "supported": (" ✓", "green"),
    "unsupported": (" ✗", "red"),
    "not_checkable": (" ?", "yellow"),
}
"""Behind each sentence: whether what it cites bears it out."""


def show_answer(console: Console, answer: "RecallOutput") -> None:
    """Print the answer with a mark behind each sentence, citations and the closing line; no quote is given twice."""
    say(console, *_marked(answer), indent=2)
    for each in answer["answer_support"]:
        if each["support"] == "unsupported":
            say(console, ("\u2717 not supported: ", "red"), f"“{each['text']}”: {each['reason']}", indent=2)
    console.print()
    for number, citation in enumerate(answer["citations"], start=1):
        _show_citation(console, number, citation)
        if citation["quote"] not in answer["answer"]:
            say(console, f"“{citation['quote']}”", indent=6)
    say(console, (" · ".join(_closing(answer)), "dim"), indent=2)


def _marked(answer: "RecallOutput") -> Iterator[str | tuple[str, str]]:
    style = "yellow" if answer["abstained"] else "bold"
    for text, found in by_sentence(answer["answer"], answer["answer_support"]):
        yield text, style
        if found:
            yield _MARKS[found["support"]]


def _show_citation(console: Console, number: int, citation: "Citation") -> None:
    who = f"{citation['speaker']}, {when(citation['time'])}"
    say(console, (f"[{number}] ", "cyan"), who, (f" · {_place(citation)}", "dim"), indent=2)


def _place(citation: "Citation") -> str:
    own = citation["source_id"]
    return f"{citation['turn']} ({own})" if own and own != citation["turn"] else citation["turn"]


def _closing(answer: "RecallOutput") -> Iterator[str]:
    yield _covered(answer["coverage"])
    yield _cost(answer["usage"])
    yield f"{answer['usage']['seconds']:.1f} s"
    if answer["answer_support"]:
        borne_out = sum(each["support"] == "supported" for each in answer["answer_support"])
        yield f"{borne_out} of {counted(len(answer['answer_support']), 'sentence')} supported"
    yield f"abstained ({answer['stop_reason']})" if answer["abstained"] else answer["stop_reason"]


def _covered(coverage: "Coverage") -> str:
    of = counted(coverage["sessions"], "session")
    if coverage["ranked"] < coverage["sessions"]:
        of = f"{of}, {coverage['ranked']} of them up to then"
    return f"{of}: {coverage['seen']} seen, {coverage['read']} read, {coverage['unseen']} unseen"


def _cost(usage: "TotalUsage") -> str:
    if not usage["calls"]:
        return "no model"
    calls = "1 call" if usage["calls"] == 1 else f"{usage['calls']} calls"
    return f"{calls}, {usage['prompt_tokens'] + usage['completion_tokens']:,} tokens"


def when(time: str | None) -> str:
    """An ISO time as a person writes it."""
    return day(datetime.fromisoformat(time) if time else None)
