"""Recall for an agent made with `langchain.agents.create_agent`: before each turn it remembers, after it the turn is kept."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, NotRequired

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
)
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.runnables import Runnable
from langgraph.constants import TAG_NOSTREAM
from langgraph.runtime import Runtime

from langrecall.agents.exchange import exchange, grown, next_session, noted, question, thread_sessions
from langrecall.agents.recalled import render_recalled
from langrecall.effects import arun, call, run
from langrecall.engine.binding import IngestBinding
from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.ingest_state import IngestSettings
from langrecall.pictures.reader import Reader
from langrecall.policies.base import Policy
from langrecall.policies.choice import EXTRACTIVE, make_policy
from langrecall.records import Session, epoch
from langrecall.settings import Preset, Settings
from langrecall.stores.base import HistoryMemory, HistoryStore

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

log = logging.getLogger(__name__)

_IDLE = timedelta(hours=1)
"""How long a thread may be silent before its session counts as closed."""


def _local_time() -> datetime:
    """Now, with the offset of this machine."""
    return datetime.now().astimezone()


class RecalledState(AgentState[Any]):
    """The agent's state with what was recalled for this turn; the agent's output leaves it out."""

    recalled: NotRequired[Annotated[str, PrivateStateAttr]]


class RecallMiddleware(AgentMiddleware[RecalledState, Any, Any]):
    """Recalls for the last user message, shows it to the model, and keeps each exchange for later.

    What is recalled stands in the request alone, before the user's words, delimited and marked as data; the stored messages stay as
    they are. After the turn the user's and the model's words join the running session of the thread, whose id is the thread's. It is
    described extractively until it closes, by `idle` time without a word or by `close`; then `model` describes it once. A run without
    a thread is a session of its own.

    The namespace is that of a bound history, or of the agent's context. The other options are those of `build_recall`; `now` tells
    the time of what is said.
    """

    state_schema = RecalledState

    def __init__(
        self,
        history: HistoryStore | HistoryMemory,
        model: "str | BaseChatModel | Policy" = EXTRACTIVE,
        *,
        models: "Mapping[str, str | BaseChatModel] | None" = None,
        preset: Preset = "combined",
        settings: Settings | Mapping[str, Any] | None = None,
        reader: Reader | None = None,
        idle: timedelta = _IDLE,
        now: Callable[[], datetime] = _local_time,
    ) -> None:
        super().__init__()
        self.tools = []
        self._idle, self._now = idle, now
        reader = reader or Reader(base=None)  # what users send may name any file
        policy = make_policy(model, models=models)
        graph = create_recall_graph(
            history, policy, preset=preset, settings=settings, reader=reader, checkpointer=False
        )
        self._recall: Runnable[Any, Any] = graph.with_config(tags=[TAG_NOSTREAM])
        self._keep: Runnable[Any, Any] = create_ingest_graph(history, EXTRACTIVE, reader=reader, checkpointer=False)
        self._describe: Runnable[Any, Any] = create_ingest_graph(history, policy, reader=reader, checkpointer=False)
        self._binding = IngestBinding(history=history, policy=policy, reader=reader, settings=IngestSettings.of({}))

    def before_agent(self, state: RecalledState, runtime: Runtime[Any]) -> dict[str, Any]:  # noqa: ARG002 - LangChain's signature
        """Recall for the last user message."""
        return run(self._remember(state["messages"]))

    async def abefore_agent(self, state: RecalledState, runtime: Runtime[Any]) -> dict[str, Any]:  # noqa: ARG002 - LangChain's signature
        """As `before_agent`."""
        return await arun(self._remember(state["messages"]))

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Show the model what was recalled."""
        return handler(reminded(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """As `wrap_model_call`."""
        return await handler(reminded(request))

    def after_agent(self, state: RecalledState, runtime: Runtime[Any]) -> None:
        """Keep the exchange."""
        run(self._note(exchange(state["messages"]), runtime))

    async def aafter_agent(self, state: RecalledState, runtime: Runtime[Any]) -> None:
        """As `after_agent`."""
        await arun(self._note(exchange(state["messages"]), runtime))

    def close(self, thread_id: str, *, namespace: str | None = None) -> None:
        """Close the running session of a thread, as when its user has left."""
        run(self._close(thread_id, namespace))

    async def aclose(self, thread_id: str, *, namespace: str | None = None) -> None:
        """As `close`."""
        await arun(self._close(thread_id, namespace))

    async def _remember(self, messages: Sequence[AnyMessage]) -> dict[str, Any]:
        asked = question(messages)
        if not asked.strip():
            return {"recalled": ""}
        result: Any = await call(self._recall.invoke, {"query": asked, "query_time": self._now().isoformat()})
        return {"recalled": "" if result["abstained"] else render_recalled(result)}

    async def _note(self, said: Sequence[AnyMessage], runtime: Runtime[Any]) -> None:
        if not said:
            return
        store = self._binding.at(runtime.context, runtime.stream_writer).history
        thread = (runtime.execution_info and runtime.execution_info.thread_id) or str(said[0].id)
        known = {info.session_id for info in await call(store.sessions)}
        running = await self._running(store, thread_sessions(thread, known), said)
        session = running or Session(session_id=next_session(thread, known), time=self._now())
        await call(self._keep.invoke, _input(grown(session, said, now=self._now())))

    async def _running(self, store: HistoryStore, names: Sequence[str], said: Sequence[AnyMessage]) -> Session | None:
        """The thread's last session, unless it is over: then it is described for good."""
        if not names:
            return None
        last = await call(store.session, names[-1])
        if noted(last) & {message.id for message in said}:
            return last
        idle = (epoch(self._now()) or 0.0) - (epoch(last.turns[-1].time) or 0.0)
        if idle <= self._idle.total_seconds() and not (await self._is_closed(store, last)):
            return last
        await self._describe_closed(last, None)
        return None

    async def _is_closed(self, store: HistoryStore, session: Session) -> bool:
        describer, form = self._binding.policy.name, self._binding.settings.form
        if describer == EXTRACTIVE:
            return False
        changes = await call(store.changes, [session], describer=describer, form=form)
        return session.session_id in changes.unchanged

    async def _close(self, thread_id: str, namespace: str | None) -> None:
        store = self._binding.store(namespace)
        names = thread_sessions(thread_id, {info.session_id for info in await call(store.sessions)})
        if names:
            last = await call(store.session, names[-1])
            await self._describe_closed(last, store.namespace)

    async def _describe_closed(self, session: Session, namespace: str | None) -> None:
        context = IngestSettings(namespace=namespace) if namespace else None
        result: Any = await call(self._describe.invoke, _input(session), context=context)
        for failure in result["report"]["failures"]:
            log.warning("session %s keeps its extractive entry: %s", failure["session_id"], failure["error"])


def reminded(request: ModelRequest[Any]) -> ModelRequest[Any]:
    """The request with what was recalled before the user's last words; a message of its own would break the order of roles."""
    block = request.state.get("recalled")
    places = [place for place, message in enumerate(request.messages) if isinstance(message, HumanMessage)]
    if not block or not places:
        return request
    messages = list(request.messages)
    asked = messages[places[-1]]
    content: Any = f"{block}\n\n{asked.content}"
    if not isinstance(asked.content, str):
        content = [{"type": "text", "text": block}, *asked.content]
    messages[places[-1]] = asked.model_copy(update={"content": content})
    return request.override(messages=messages)


def _input(session: Session) -> Any:  # noqa: ANN401 - the ingest graph's input, as its generic type has it
    return {"sessions": [session.model_dump(mode="json")]}
