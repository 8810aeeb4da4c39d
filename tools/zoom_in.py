"""Zoom-in: the minimal raw chunks that match the current query (MemCoT 4.2)."""

from typing import Any

from langchain_core.tools import BaseTool
from langgraph.types import Overwrite

from langrecall.effects import call
from langrecall.engine.beginning import first_state
from langrecall.engine.budgets import within_budget
from langrecall.engine.observations import looked_at, notice, observe_turns, shown_turns
from langrecall.engine.run import Run, asked_at, eligible
from langrecall.records import Turn
from langrecall.rendering import render_turns
from langrecall.state import Observation, Query, RecallState
from langrecall.stores.base import HistoryStore, Search
from langrecall.tools.factory import make_tool

_NOTHING_FOUND = "No turn that was not shown before matches this query."


async def zoom_in(state: RecallState, run: Run) -> dict[str, Any]:
    """Observe the best turns not shown before, for one query; as the entry, begin the question."""
    if "step" not in state:
        return await _enter(state, run)
    query = _query(state)
    run = within_budget(run, state["observation"], branches=max(len(state["pending"]), 1))
    turns = await _search(run, query["text"], asked=state.get("asked"), exclude=_known(query, state))
    key = query["id"] if state["pending"] else ""
    observation = _observe(turns, run, query, step=state["step"], key=key)
    return _update(run, query, observation)


async def _enter(state: RecallState, run: Run) -> dict[str, Any]:
    query = Query(id="q0", text=state["query"], failed="")
    asked = state.get("query_time")
    turns = await _search(run, query["text"], asked=asked, exclude=[])
    sessions = await call(run.history.sessions)
    observation = _observe(turns, run, query, step=0, key="")
    ranked = len(eligible(sessions, asked_at(asked)))
    begun = first_state(state["query"], asked=asked, started=run.since, ranked=ranked)
    update = _update(run, query, observation)
    lists = {name: Overwrite(update[name]) for name in ("observation", "trajectory", "queries")}
    return begun | update | lists


def _update(run: Run, query: Query, observation: Observation) -> dict[str, Any]:
    return {
        "observation": [observation],
        "queries": [query],
        "trajectory": run.record_observation(observation, query["text"]),
    }


def _query(state: RecallState) -> Query:
    if state["pending"]:
        return state["pending"][0]
    text = state["argument"] or state["query"]
    return Query(id=f"q{state['step']}", text=text, failed="")


async def _search(run: Run, query: str, *, asked: str | None, exclude: list[str]) -> list[Turn]:
    settings = run.settings
    search = run.turn_search(
        query, settings.top_k_turns, asked=asked, exclude=exclude, tokens=settings.observation_tokens
    )
    hits = await call(run.history.search_turns, search)
    return await call(run.history.turns, [hit.id for hit in hits])


def _known(query: Query, state: RecallState) -> list[str]:
    """What has been shown; another query may lead to another passage of a turn that is too long to be shown whole."""
    again = any(query["text"] == tried["text"] for tried in state.get("queries", []))
    return looked_at(state["observation"]) if again else shown_turns(state["observation"])


def _observe(turns: list[Turn], run: Run, query: Query, *, step: int, key: str) -> Observation:
    if not turns:
        return notice("zoom_in", _NOTHING_FOUND, step=step, key=key)
    cap = run.settings.observation_tokens
    return observe_turns("zoom_in", turns, run.settings, step=step, key=key, cap=cap, query=query["text"])


def create_zoom_in_tool(history: HistoryStore) -> BaseTool:
    """`zoom_in` for an agent with its own loop; the history is bound, never chosen by the model."""

    async def zoom_in(query: str, k: int = 10) -> str:
        """Find the single turns of the conversation history that match a query, word for word, each led by its id."""
        hits = await call(history.search_turns, Search(query, k))
        turns = await call(history.turns, [hit.id for hit in hits])
        return render_turns(turns) or _NOTHING_FOUND

    return make_tool(zoom_in)
