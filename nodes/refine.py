"""Refine: turn the judge's verdict into evolved queries that were not tried before (MemCoT 4.3)."""

import re
from collections.abc import Sequence
from typing import Any

from langrecall.effects import Effects
from langrecall.run import Run
from langrecall.settings import Settings
from langrecall.state import Node, Query, RecallState

MAX_BRANCHES = 4
"""How many sub-queries of one decomposition run side by side."""


def refine(state: RecallState, run: Run) -> Effects[dict[str, Any]]:
    """Choose the next queries; with none left to try, look at the next unseen metadata instead."""
    yield from ()
    since = run.now()
    fresh = new_queries(state["verdict"]["queries"], state["queries"], number=state["round"])
    repeated = len(state["verdict"]["queries"]) - len(fresh)
    goes_to: Node = "zoom_in" if fresh and can_zoom(run.settings) else "search_meta"
    return {
        "pending": fresh if goes_to == "zoom_in" else [],
        "queries": fresh,
        "argument": fresh[0]["text"] if fresh else "",
        "next": goes_to,
        "trajectory": run.record(
            "refine",
            key=f"{state['round']}:refine",
            step=state["step"],
            action=goes_to,
            argument="; ".join(query["text"] for query in fresh),
            note=f"{repeated} proposed queries were tried before" if repeated else "",
            since=since,
        ),
    }


def new_queries(proposed: Sequence[str], tried: Sequence[Query], *, number: int) -> list[Query]:
    """The proposed queries that differ from every tried one after normalising, at most `MAX_BRANCHES`."""
    known = {normalise(query["text"]) for query in tried}
    fresh: list[Query] = []
    for text in proposed:
        if normalise(text) and normalise(text) not in known and len(fresh) < MAX_BRANCHES:
            known.add(normalise(text))
            fresh.append(Query(id=f"r{number}.{len(fresh) + 1}", text=text.strip(), failed=""))
    return fresh


def normalise(query: str) -> str:
    """A query without case, punctuation and repeated blanks."""
    return " ".join(re.findall(r"\w+", query.casefold()))


def has_next(verdict: Sequence[str], state: RecallState, settings: Settings) -> bool:
    """Whether another round could look at anything new: a query not tried yet, or an entry not seen yet."""
    fresh = new_queries(verdict, state["queries"], number=0)
    return can_search(state, settings) or (bool(fresh) and can_zoom(settings))


def can_zoom(settings: Settings) -> bool:
    """Whether evolved queries may search raw turns."""
    return settings.raw_data and settings.zoom_in


def can_search(state: RecallState, settings: Settings) -> bool:
    """Whether unseen metadata is left and the walk looks at metadata at all."""
    return settings.walk == "free" and len(state["seen"]) < state["ranked"]
