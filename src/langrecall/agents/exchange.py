"""From an agent's messages to turns of the running session of its thread."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import count, takewhile

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from langrecall.loaders.messages import from_messages
from langrecall.records import Session


def question(messages: Sequence[AnyMessage]) -> str:
    """The text of the last user message, empty where there is none."""
    return next((message.text for message in reversed(messages) if isinstance(message, HumanMessage)), "")


def exchange(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The last user messages and the replies to them, as a person would have read them.

    Tool calls and their results are left out, recalled text among them, and so are summaries that stand for earlier messages.
    """
    asked = [place for place, message in enumerate(messages) if isinstance(message, HumanMessage)]
    start = asked[-1] if asked else len(messages)
    while start and isinstance(messages[start - 1], HumanMessage):
        start -= 1
    return [message for message in messages[start:] if _is_speech(message)]


def thread_sessions(thread_id: str, known: Collection[str]) -> list[str]:
    """Ids of the thread's sessions among the known ones, oldest first."""
    return list(takewhile(known.__contains__, _session_ids(thread_id)))


def next_session(thread_id: str, known: Collection[str]) -> str:
    """The id of the thread's next session: the thread's own for the first, then that with a number."""
    return next(name for name in _session_ids(thread_id) if name not in known)


def noted(session: Session) -> set[str]:
    """Ids of the messages that a session already holds."""
    return {turn.source_id for turn in session.turns if turn.source_id}


def grown(session: Session, messages: Sequence[AnyMessage], *, now: datetime) -> Session:
    """The session with the messages it does not hold yet, said now."""
    fresh = [message for message in messages if message.id not in noted(session)]
    said = from_messages(fresh, session_id=session.session_id).turns
    turns = [
        turn.model_copy(update={"index": len(session.turns) + place, "time": now, "source_id": message.id})
        for place, (turn, message) in enumerate(zip(said, fresh, strict=True))
    ]
    return session.model_copy(update={"turns": (*session.turns, *turns)})


def _session_ids(thread_id: str) -> Iterator[str]:
    yield thread_id
    yield from (f"{thread_id}#{number}" for number in count(2))


def _is_speech(message: AnyMessage) -> bool:
    if not message.text.strip():
        return False
    if isinstance(message, HumanMessage):
        return message.additional_kwargs.get("lc_source") != "summarization"
    return isinstance(message, AIMessage) and not message.tool_calls
