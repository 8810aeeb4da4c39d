"""What another round could look at: queries that were not tried yet, and entries that were not seen yet."""

from collections import Counter
from collections.abc import Sequence

from langrecall.language.words import words_of
from langrecall.settings import Settings
from langrecall.state import Query, RecallState

MAX_BRANCHES = 4
"""How many sub-queries of one decomposition run side by side."""


def has_next(proposed: Sequence[str], state: RecallState, settings: Settings) -> bool:
    """Whether another round could look at anything new: a query not tried yet, or an entry not seen yet."""
    fresh, _ = new_queries(proposed, state["queries"], number=0)
    unseen = settings.walk == "free" and len(state["seen"]) < state["ranked"]
    return unseen or (bool(fresh) and can_zoom(settings))


def can_zoom(settings: Settings) -> bool:
    """Whether evolved queries may search raw turns."""
    return settings.raw_data and settings.zoom_in


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
