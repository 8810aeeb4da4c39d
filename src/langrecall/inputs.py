"""What a run is given, checked where it begins: over HTTP and from Python anything may come."""

from collections.abc import Mapping
from datetime import datetime
from reprlib import repr as short
from typing import Any

from langrecall.errors import InputError


def check_question(state: Mapping[str, Any]) -> None:
    """Raise `InputError` for a question that cannot be asked: none or a blank one, or one asked at no time."""
    query, asked = state.get("query"), state.get("query_time")
    if not isinstance(query, str) or not query.strip():
        fault = f"query is {short(query)}" if "query" in state else "no query"
        msg = f'{fault}: give the question as text, {{"query": "..."}}'
        raise InputError(msg)
    if asked and not _is_time(asked):
        msg = f"query_time is {short(asked)}: give an ISO time, such as '2024-05-31T18:30', or leave it out"
        raise InputError(msg)


def check_sessions(state: Mapping[str, Any]) -> None:
    """Raise `InputError` for an input that holds no list of sessions; what each session holds is read by the node itself."""
    given = state.get("sessions")
    if not isinstance(given, list | tuple):
        fault = f"sessions is {short(given)}" if "sessions" in state else "no sessions"
        msg = f'{fault}: give a list, {{"sessions": [{{"session_id": ..., "turns": [...]}}]}}'
        raise InputError(msg)


def _is_time(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(datetime.fromisoformat(value))
    except ValueError:
        return False
