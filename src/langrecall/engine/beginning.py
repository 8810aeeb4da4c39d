"""How a question begins: whatever an earlier one left on the thread is overwritten, and one of another version refused."""

from collections.abc import Mapping
from typing import Any

from langgraph.types import Overwrite

from langrecall.errors import InputError
from langrecall.state import VERSION, Query, Verdict


def first_state(query: str, *, asked: str | None, started: float, ranked: int) -> dict[str, Any]:
    """The update that begins a question: whatever an earlier one left on the thread is overwritten."""
    return {
        "version": VERSION,
        "asked": asked,
        "started": started,
        "queries": Overwrite([Query(id="q0", text=query, failed="")]),
        "pending": [],
        "memory": Overwrite([]),
        "seen": Overwrite([]),
        "read": Overwrite([]),
        "ranked": ranked,
        "observation": Overwrite([]),
        "trajectory": Overwrite([]),
        "step": 0,
        "round": 0,
        "argument": "",
        "verdict": Verdict(sufficient=False, missing=[], queries=[], evolution="none"),
        "stop_reason": "exhausted",
        "answer": "",
        "abstained": False,
        "citations": [],
        "answer_support": [],
        "supported": False,
    }


def check_version(state: Mapping[str, Any]) -> None:
    """Raise `InputError` for a question in progress that another version of this state began."""
    if "started" in state and state.get("version") != VERSION:
        msg = f"this question was begun with state version {state.get('version')}, and this is version {VERSION}: ask it anew"
        raise InputError(msg)
