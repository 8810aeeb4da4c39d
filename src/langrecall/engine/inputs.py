"""What a run is given, checked where it begins: over HTTP and from Python anything may come."""

from collections.abc import Mapping
from datetime import datetime
from reprlib import repr as short
from typing import Any

from langrecall.errors import InputError, NamespaceError
from langrecall.records import TurnId

_KINDS: Mapping[str, type] = {
    "argument": str, "step": int, "round": int, "ranked": int, "memory": list, "observation": list, "queries": list,
    "seen": list, "read": list, "trajectory": list, "pending": list,
}  # fmt: skip
_LINE: Mapping[str, type] = {"id": str, "text": str, "sources": list, "quote": str, "verified": bool}
_NAMES: Mapping[type, str] = {str: "text", int: "whole number", list: "list", bool: "boolean"}


def of_parent(context: object) -> object:
    """What a node may read of its runtime's context.

    LangGraph makes `Settings` of a mapping that a run of ours is given, so a mapping that reaches a node is a parent graph's own: only
    its namespace is read.
    """
    if isinstance(context, Mapping):
        return {"namespace": context["namespace"]} if context.get("namespace") is not None else None
    return context


def one_namespace(bound: str | None, asked: str | None) -> str:
    """The namespace of this run; raises `NamespaceError` when there is none or it is not the bound one."""
    if bound is None and not asked:
        msg = 'no namespace: pass context={"namespace": ...} with the run, or (from Python) bind the history with memory.at(...)'
        raise NamespaceError(msg)
    if bound is not None and asked not in (None, bound):
        msg = f"this graph is bound to namespace {bound!r}, and the context asks for {asked!r}: leave it out, or build a graph for it"
        raise NamespaceError(msg)
    return asked or bound or ""


def check_question(state: Mapping[str, Any]) -> None:
    """Raise `InputError` for a question that cannot be asked: none or a blank one, or one asked at no time."""
    query, query_time = state.get("query"), state.get("query_time")
    if not isinstance(query, str) or not query.strip():
        fault = f"query is {short(query)}" if "query" in state else "no query"
        msg = f'{fault}: give the question as text, {{"query": "..."}}'
        raise InputError(msg)
    if query_time and not _is_time(query_time):
        msg = f"query_time is {short(query_time)}: give an ISO time, such as '2024-05-31T18:30', or leave it out"
        raise InputError(msg)


def check_edited(state: Mapping[str, Any]) -> None:
    """Raise `InputError` where a state that a person may have edited at an interrupt has lost what every node builds on.

    A memory line without sources is fine: it stays unverified, and is never cited.
    """
    for name, kind in _KINDS.items():
        if name in state and not isinstance(state[name], kind):
            raise InputError(f"{name} is {short(state[name])}: leave it a {_NAMES[kind]}")
    for name in ("observation", "queries"):
        if name in state and not state[name]:
            raise InputError(f"{name} is empty: the search rests on it; leave what is there, or ask the question anew")
    for number, line in enumerate(state.get("memory", ()), 1):
        if fault := _line_fault(line):
            raise InputError(f"memory line {number}: {fault}")


def _line_fault(line: object) -> str | None:
    if not isinstance(line, Mapping):
        return f"it is {short(line)}: give an object with id, text, sources, quote and verified"
    for name, kind in _LINE.items():
        if not isinstance(line.get(name), kind):
            given = f"its {name} is {short(line[name])}" if name in line else f"no {name}"
            return f"{given}: give a {_NAMES[kind]}"
    unknown = next((source for source in line["sources"] if not _is_turn_id(source)), None)
    if unknown is not None:
        return f"its source {short(unknown)} is no turn id: give ids such as 's1:2', or none, and it stays unverified"
    return None


def _is_turn_id(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(TurnId.parse(value))
    except ValueError:
        return False


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
