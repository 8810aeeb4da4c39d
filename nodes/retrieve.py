"""The first observation: top-k metadata entries (T2Mem Eq. 9) and, under `raw_policy` auto, the raw floor."""

from typing import Any

from langgraph.types import Overwrite

from langrecall.effects import call
from langrecall.engine.beginning import first_state
from langrecall.engine.observations import notice, observe_episodes, observe_turns
from langrecall.engine.run import Run, asked_at, eligible
from langrecall.engine.turns import turns_of_sessions
from langrecall.records import Turn
from langrecall.state import Observation, RecallState

_EMPTY_HISTORY = "This history holds no session up to the time of asking."


async def retrieve(state: RecallState, run: Run) -> dict[str, Any]:
    """Begin the question and observe the best entries."""
    sessions = await call(run.history.sessions)
    ranked = len(eligible(sessions, asked_at(state.get("query_time"))))
    session_ids = (await _rank(state, run)) if ranked else []
    observation = await _observe(state, run, session_ids)
    step = run.record_observation(observation, state["query"], observed=[*session_ids, *observation["turns"]])
    return first_state(state["query"], asked=state.get("query_time"), started=run.since, ranked=ranked) | {
        "observation": Overwrite([observation]),
        "seen": Overwrite(session_ids),
        "read": Overwrite([] if run.settings.metadata else session_ids),
        "trajectory": Overwrite(step),
        "next": "reason" if ranked and run.settings.rollout else "answer",
        "stop_reason": "budget" if ranked else "exhausted",
    }


async def _rank(state: RecallState, run: Run) -> list[str]:
    search = run.search(state["query"], run.settings.k_first, asked=state.get("query_time"))
    hits = await call(run.history.search_episodes, search)
    return [hit.id for hit in hits]


async def _observe(state: RecallState, run: Run, session_ids: list[str]) -> Observation:
    settings = run.settings
    if not session_ids:
        return notice("retrieve", _EMPTY_HISTORY, step=0)
    if not settings.metadata:
        turns = await turns_of_sessions(session_ids, run)
        return observe_turns("retrieve", turns, settings, step=0, cap=settings.observation_tokens)
    episodes = await call(run.history.episodes, session_ids)
    floor = await _floor(state, run)
    return observe_episodes("retrieve", episodes, floor, settings, step=0, query=state["query"])


async def _floor(state: RecallState, run: Run) -> list[Turn]:
    settings = run.settings
    if settings.raw_policy == "model" or not settings.raw_data or not settings.raw_floor_tokens:
        return []
    search = run.turn_search(state["query"], asked=state.get("query_time"), tokens=settings.raw_floor_tokens)
    hits = await call(run.history.search_turns, search)
    return await call(run.history.turns, [hit.id for hit in hits])
