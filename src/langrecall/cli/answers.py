"""An answer as a person reads it: text, numbered citations, and one line on what it rests on and cost."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from rich.console import Console

from langrecall.cli.output import counted, say
from langrecall.rendering import day

if TYPE_CHECKING:
    from langrecall.state import Citation, Coverage, RecallOutput, TotalUsage


def show_answer(console: Console, answer: "RecallOutput") -> None:
    """Print answer, citations and the closing line; a quote that the answer gives whole is not given again."""
    say(console, (answer["answer"], "yellow" if answer["abstained"] else "bold"), indent=2)
    console.print()
    for number, citation in enumerate(answer["citations"], start=1):
        _show_citation(console, number, citation)
        if citation["quote"] not in answer["answer"]:
            say(console, f"“{citation['quote']}”", indent=6)
    say(console, (" · ".join(_closing(answer)), "dim"), indent=2)


def _show_citation(console: Console, number: int, citation: "Citation") -> None:
    mark = ("✓ verified", "green") if citation["verified"] else ("✗ not verified", "red")
    who = f"{citation['speaker']}, {when(citation['time'])}"
    say(console, (f"[{number}] ", "cyan"), who, (f" · {_place(citation)} · ", "dim"), mark, indent=2)


def _place(citation: "Citation") -> str:
    own = citation["source_id"]
    return f"{citation['turn']} ({own})" if own and own != citation["turn"] else citation["turn"]


def _closing(answer: "RecallOutput") -> Iterator[str]:
    yield _covered(answer["coverage"])
    yield _cost(answer["usage"])
    yield f"{answer['usage']['seconds']:.1f} s"
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
