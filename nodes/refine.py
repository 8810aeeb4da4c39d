"""Refine: turn the judge's verdict into evolved queries that were not tried before (MemCoT 4.3)."""

from collections.abc import Mapping
from typing import Any

from langrecall.engine.rounds import can_zoom, new_queries
from langrecall.engine.run import Run
from langrecall.state import Node, RecallState


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


def _note(dropped: Mapping[str, int]) -> str:
    counts = ", ".join(f"{count} {why}" for why, count in dropped.items())
    return f"dropped proposed queries: {counts}" if counts else ""
