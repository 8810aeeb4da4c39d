"""ReadRaw: follow an observed entry's source link to its raw session (T2Mem Eq. 13)."""

from typing import Any

from langchain_core.tools import BaseTool

from langrecall.citations.naming import session_named
from langrecall.effects import call
from langrecall.engine.budgets import within_budget
from langrecall.engine.observations import notice, observe_session
from langrecall.engine.run import Run
from langrecall.records import TurnId
from langrecall.rendering import render_session
from langrecall.state import Observation, RecallState
from langrecall.stores.base import HistoryStore
from langrecall.tools.factory import make_tool

_RANKED_TURNS = 50
"""How deep the ranking is searched for turns of the session being read, to choose what a cap keeps."""


async def read_raw(state: RecallState, run: Run) -> dict[str, Any]:
    """Observe the raw session named by the argument; refuse one whose entry was not seen, and say so."""
    wanted = session_named(state["argument"], state["seen"])
    if wanted is None:
        observation = notice("read_raw", refusal(state["argument"], state["seen"]), step=state["step"])
    else:
        observation = await _read(state, within_budget(run, state["observation"]), wanted)
    return {
        "observation": [observation],
        "read": [wanted] if wanted else [],
        "trajectory": run.record_observation(
            observation, wanted or state["argument"], note="" if wanted else observation["text"]
        ),
    }


def refusal(argument: str, seen: list[str]) -> str:
    """What the model is told when it asks for a session it has not seen an entry of."""
    return f"Refused: {argument!r} is not among the entries seen so far ({', '.join(seen) or 'none'}). Search for it first."


async def _read(state: RecallState, run: Run, session_id: str) -> Observation:
    session = await call(run.history.session, session_id)
    ranked: list[str] = []
    if run.settings.observation_tokens is not None:
        search = run.turn_search(state["query"], _RANKED_TURNS, asked=state.get("asked"))
        hits = await call(run.history.search_turns, search)
        ranked = [hit.id for hit in hits if TurnId.parse(hit.id).session_id == session_id]
    return observe_session(session, ranked, run.settings, step=state["step"], query=state["query"])


def create_read_raw_tool(history: HistoryStore) -> BaseTool:
    """`read_raw` for an agent with its own loop; the history is bound, never chosen by the model."""

    async def read_raw(session_id: str) -> str:
        """Read a whole session of the conversation history word for word, by the session id of its metadata entry."""
        return render_session(await call(history.session, session_id))

    return make_tool(read_raw)
