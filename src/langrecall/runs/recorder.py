"""A LangChain callback that takes down a recall: what its model said, and the memory after each step."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.outputs import ChatGeneration

from langrecall.loaders.text import cleaned
from langrecall.records import Turn
from langrecall.runs.outcomes import outcome_of, reply_of, request_digest
from langrecall.runs.saved import (
    HistoryMark,
    Leg,
    ModelCall,
    ModelFault,
    ModelReply,
    SavedRun,
    SavedStep,
    SessionLine,
)
from langrecall.state import MemoryLine, RecallOutput
from langrecall.stores.base import HistoryStore, SessionInfo

if TYPE_CHECKING:
    from uuid import UUID

    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.outputs import LLMResult


class Recorder(BaseCallbackHandler):
    """Pass it to one run as a callback, and show it each of the run's `values`; then `saved` makes the record."""

    run_inline = True  # in the order of the calls
    raise_error = True

    def __init__(self) -> None:
        self.calls: list[ModelCall] = []
        self.state: dict[str, Any] = {}
        self._memory: dict[str, list[MemoryLine]] = {}
        self._asked: dict[UUID, tuple[str, list[BaseMessage]]] = {}

    def see(self, state: dict[str, Any]) -> None:
        """Take down the memory that the newest steps left."""
        self.state = state
        for step in state.get("trajectory", ()):
            self._memory.setdefault(step["id"], state["memory"])

    def saved(self, history: HistoryStore, legs: Sequence[Leg]) -> SavedRun:
        """The record of the finished run."""
        return _saved(self.state, self.calls, self._memory, history, legs)

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],  # noqa: ARG002 - LangChain's signature
        messages: "list[list[BaseMessage]]",
        *,
        run_id: "UUID",
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,  # noqa: ANN401, ARG002 - LangChain's signature
    ) -> None:
        """Remember the request, under the node that makes it."""
        self._asked[run_id] = ((metadata or {}).get("langgraph_node", ""), messages[0])

    def on_llm_end(self, response: "LLMResult", *, run_id: "UUID", **kwargs: Any) -> None:  # noqa: ANN401, ARG002 - LangChain's signature
        """Take down the reply."""
        generation = response.generations[0][0]
        if run_id in self._asked and isinstance(generation, ChatGeneration):
            reply: AIMessage = generation.message  # type: ignore[assignment]  # chat models reply with an AIMessage
            self._keep(run_id, reply_of(reply))

    def on_llm_error(self, error: BaseException, *, run_id: "UUID", **kwargs: Any) -> None:  # noqa: ANN401, ARG002 - LangChain's signature
        """Take down why there is none; an interruption is no outcome."""
        if run_id in self._asked and isinstance(error, Exception):
            self._keep(run_id, outcome_of(error, self._asked[run_id][1]))

    def _keep(self, run_id: "UUID", outcome: ModelReply | ModelFault) -> None:
        node, messages = self._asked.pop(run_id)
        self.calls.append(ModelCall(node=node, digest=request_digest(messages), outcome=outcome))


def _saved(
    state: Mapping[str, Any],
    calls: Sequence[ModelCall],
    memory: Mapping[str, list[MemoryLine]],
    history: HistoryStore,
    legs: Sequence[Leg],
) -> SavedRun:
    known = history.sessions()
    turns = history.turns(_named_turns(state))
    record = {
        "langrecall": version("langrecall"),
        "saved": datetime.now(UTC).replace(microsecond=0),
        "question": state["query"],
        "query_time": state.get("asked"),
        "namespace": history.namespace,
        "history": HistoryMark.of(known).model_dump(),
        "legs": [leg.model_dump(mode="json") for leg in legs],
        "calls": [call.model_dump(mode="json") for call in calls],
        "steps": [SavedStep(event=step, memory=memory[step["id"]]).model_dump() for step in state["trajectory"]],
        "observations": state["observation"],
        "queries": state["queries"],
        "seen": state["seen"],
        "read": state["read"],
        "sessions": _session_lines(state, turns, known),
        "turns": [_without_pictures(turn).model_dump() for turn in turns],
        "output": {name: state[name] for name in RecallOutput.__annotations__},
    }
    return SavedRun.model_validate(cleaned(record))


def _named_turns(state: Mapping[str, Any]) -> list[str]:
    """Every turn that was shown whole or in part, quoted or cited."""
    shown = [turn for seen in state["observation"] for turn in [*seen["turns"], *seen["clipped"]]]
    rests_on = [source for line in state["memory"] for source in line["sources"]]
    return list(dict.fromkeys([*shown, *rests_on, *(cited["turn"] for cited in state["citations"])]))


def _session_lines(
    state: Mapping[str, Any], turns: Sequence[Turn], known: Sequence[SessionInfo]
) -> list[dict[str, Any]]:
    wanted = {*state["seen"], *state["read"], *(turn.session_id for turn in turns)}
    return [SessionLine(**info._asdict()).model_dump() for info in known if info.session_id in wanted]


def _without_pictures(turn: Turn) -> Turn:
    """What is known of the pictures stays; where they lie is nobody's business, and may be the picture itself."""
    images = tuple(image.model_copy(update={"source": None}) for image in turn.images)
    return turn.model_copy(update={"images": images})
