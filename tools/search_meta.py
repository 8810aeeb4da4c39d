"""SearchMeta: the next metadata entries not seen yet (T2Mem Eq. 12)."""

from typing import Any

from langchain_core.tools import BaseTool

from langrecall.effects import call
from langrecall.engine.budgets import within_budget
from langrecall.engine.observations import notice, observe_episodes, observe_turns
from langrecall.engine.run import Run
from langrecall.engine.turns import turns_of_sessions
from langrecall.rendering import render_episode
from langrecall.state import Observation, RecallState
from langrecall.stores.base import HistoryStore, Search
from langrecall.tools.factory import make_tool

_NOTHING_UNSEEN = "Every session of this history has been seen: there is nothing more to search."


async def search_meta(state: RecallState, run: Run) -> dict[str, Any]:
    """Observe the best unseen entries; without metadata, the best unseen raw sessions."""
    run = within_budget(run, state["observation"])
    settings = run.settings
    query = state["argument"] if settings.search_query == "evolved" and state["argument"] else state["query"]
    search = run.search(query, settings.k_search, asked=state.get("asked"), exclude=state["seen"])
    hits = await call(run.history.search_episodes, search)
    session_ids = [hit.id for hit in hits]
    observation = await _observe(run, session_ids, query=query, step=state["step"])
    return {
        "observation": [observation],
        "seen": session_ids,
        "read": [] if settings.metadata else session_ids,
        "trajectory": run.record_observation(observation, query, observed=session_ids),
    }


async def _observe(run: Run, session_ids: list[str], *, query: str, step: int) -> Observation:
    if not session_ids:
        return notice("search_meta", _NOTHING_UNSEEN, step=step)
    if run.settings.metadata:
        episodes = await call(run.history.episodes, session_ids)
        return observe_episodes("search_meta", episodes, [], run.settings, step=step, query=query)
    turns = await turns_of_sessions(session_ids, run)
    return observe_turns("search_meta", turns, run.settings, step=step, cap=run.settings.observation_tokens)


def create_search_meta_tool(history: HistoryStore) -> BaseTool:
    """`search_meta` for an agent with its own loop; the history is bound, never chosen by the model."""

    async def search_meta(query: str, k: int = 5, exclude: list[str] | None = None) -> str:
        """Find the sessions of the conversation history that matter to a query.

        Returns their metadata entries, best first. Give the session ids already seen in `exclude` to get the next ones.
        """
        hits = await call(history.search_episodes, Search(query, k, exclude=exclude or ()))
        episodes = await call(history.episodes, [hit.id for hit in hits])
        return "\n\n".join(map(render_episode, episodes)) or _NOTHING_UNSEEN

    return make_tool(search_meta)
