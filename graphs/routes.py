"""The routers: each only reads the `next` that a node recorded, so that editing state does not send a run elsewhere.

Where an edge needs words, the router returns its label and the table beside it leads from the label to the node.
"""

from collections.abc import Hashable
from typing import Any, Literal

from langgraph.types import Send

from langrecall.errors import InputError
from langrecall.state import Query, RecallState

AfterRetrieve = Literal["reason", "empty history, or rollout off"]
AfterReason = Literal["search_meta", "read_raw", "zoom_in", "zoom_out", "view", "judge", "no judge, or budget spent"]
AfterJudge = Literal["insufficient", "sufficient, or rounds spent"]

AFTER_RETRIEVE: dict[Hashable, str] = {"reason": "reason", "empty history, or rollout off": "answer"}
AFTER_REASON: dict[Hashable, str] = {
    "search_meta": "search_meta",
    "read_raw": "read_raw",
    "zoom_in": "zoom_in",
    "zoom_out": "zoom_out",
    "view": "view",
    "judge": "judge",
    "no judge, or budget spent": "answer",
}
AFTER_JUDGE: dict[Hashable, str] = {"insufficient": "refine", "sufficient, or rounds spent": "answer"}


def after_retrieve(state: RecallState) -> AfterRetrieve:
    """On to the loop, or to the answer when there is no history or no rollout."""
    label: AfterRetrieve = _label(state["next"], AFTER_RETRIEVE)
    return label


def after_reason(state: RecallState) -> AfterReason:
    """The action that was chosen, the judge who confirms an answer, or the answer."""
    label: AfterReason = _label(state["next"], AFTER_REASON)
    return label


def after_judge(state: RecallState) -> AfterJudge:
    """Another round, or the answer."""
    label: AfterJudge = _label(state["next"], AFTER_JUDGE)
    return label


def after_refine(state: RecallState) -> Literal["search_meta"] | list[Send]:
    """One parallel zoom-in for each evolved query, or the next unseen metadata."""
    if state["next"] == "search_meta":
        return "search_meta"
    return [Send("zoom_in", branch(state, query)) for query in state["pending"]]


def branch(state: RecallState, query: Query) -> dict[str, Any]:
    """What a parallel zoom-in needs: ids and short texts only, for payloads land in checkpoints; its own query stands first."""
    shown = [seen | {"text": ""} for seen in state["observation"]]
    needed = ("query", "asked", "step", "argument")
    return {name: state.get(name) for name in needed} | {
        "pending": [query, *(other for other in state["pending"] if other["id"] != query["id"])],
        "observation": shown,
    }


def _label(wanted: str, table: dict[Hashable, str]) -> Any:  # noqa: ANN401 - one of the table's labels
    for label, node in table.items():
        if node == wanted:
            return label
    msg = f"state['next'] is {wanted!r}: expected one of {', '.join(table.values())}"
    raise InputError(msg)
