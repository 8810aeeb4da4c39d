"""Refine: turn the judge's verdict into evolved queries that were not tried before (MemCoT 4.3)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from langrecall.engine.run import Run
from langrecall.language.words import words_of
from langrecall.settings import Settings
from langrecall.state import Node, Query, RecallState

MAX_BRANCHES = 4
"""How many sub-queries of one decomposition run side by side."""


async def refine(state: RecallState, run: Run) -> dict[str, Any]:
    """Choose the next queries; with none left to try, look at the next unseen metadata instead."""
    fresh, dropped = new_queries(state["verdict"]["queries"], state["queries"], number=state["round"])
    goes_to: Node = "zoom_in" if fresh and can_zoom(run.settings) else "search_meta"
    return {
        "pending": fresh if goes_to == "zoom_in" else [],
        "queries": fresh,
        "argument": fresh[0]["text"] if fresh else "",
        "next": goes_to,
        "trajectory": run.record(
            "refine",
            state["step"],
            key=f"{state['round']}:refine",
            action=goes_to,
            argument="; ".join(query["text"] for query in fresh),
            note=_note(dropped),
        ),
    }


def new_queries(proposed: Sequence[str], tried: Sequence[Query], *, number: int) -> tuple[list[Query], Counter[str]]:
    """The proposed queries that differ from every tried one after normalising, at most `MAX_BRANCHES`, and why how many are dropped."""
    known = {normalise(query["text"]) for query in tried}
    fresh: list[Query] = []
    dropped: Counter[str] = Counter()
    for text in proposed:
        name = normalise(text)
        if not name:
            dropped["without words"] += 1
        elif name in known:
            dropped["repeated"] += 1
        elif len(fresh) == MAX_BRANCHES:
            dropped[f"over the limit of {MAX_BRANCHES}"] += 1
        else:
            fresh.append(Query(id=f"r{number}.{len(fresh) + 1}", text=text.strip(), failed=""))
        known.add(name)
    return fresh, dropped


def normalise(query: str) -> str:
    """A query as the words that a search would find in it: without case, width, accents, punctuation and repeated blanks."""
    return " ".join(words_of(query))


def _note(dropped: Counter[str]) -> str:
    counts = ", ".join(f"{count} {why}" for why, count in dropped.items())
    return f"dropped proposed queries: {counts}" if counts else ""


def has_next(verdict: Sequence[str], state: RecallState, settings: Settings) -> bool:
    """Whether another round could look at anything new: a query not tried yet, or an entry not seen yet."""
    fresh, _ = new_queries(verdict, state["queries"], number=0)
    return can_search(state, settings) or (bool(fresh) and can_zoom(settings))


def can_zoom(settings: Settings) -> bool:
    """Whether evolved queries may search raw turns."""
    return settings.raw_data and settings.zoom_in


def can_search(state: RecallState, settings: Settings) -> bool:
    """Whether unseen metadata is left and the walk looks at metadata at all."""
    return settings.walk == "free" and len(state["seen"]) < state["ranked"]
