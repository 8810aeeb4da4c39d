"""A chat model that says what another one said before."""

from collections.abc import Sequence
from typing import Any, Self

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable

from langrecall.errors import InputError
from langrecall.runs.outcomes import RAISED, message_of, request_digest
from langrecall.runs.saved import ModelCall, ModelFault


class UnrecordedRequestError(InputError):
    """A replay asks what the recorded run did not."""

    def __init__(self, node: str) -> None:
        self.node = node
        super().__init__(f"{node} asks its model something that the run did not record")


class ReplayingChatModel(BaseChatModel):
    """Answers each node's request with the outcome recorded for its messages, each once and in order; faults are raised again.

    Raises `UnrecordedRequestError` for anything else.
    """

    calls: list[ModelCall]
    model_name: str
    """The recorded model's name."""

    @classmethod
    def of(cls, calls: Sequence[ModelCall], model: str) -> Self:
        """One for a run; it uses the calls up."""
        return cls(calls=list(calls), model_name=model)

    @property
    def _llm_type(self) -> str:
        return "replaying"

    def bind_tools(
        self,
        tools: Sequence[Any],  # noqa: ARG002 - LangChain's signature
        *,
        tool_choice: str | None = None,  # noqa: ARG002 - LangChain's signature
        **kwargs: Any,  # noqa: ANN401, ARG002 - LangChain's signature
    ) -> Runnable[Any, AIMessage]:
        """Take any tools: what the calls were is on record."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - LangChain's signature
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401, ARG002 - LangChain's signature
    ) -> ChatResult:
        node = run_manager.metadata.get("langgraph_node", "") if run_manager else ""
        outcome = self._next(node, request_digest(messages)).outcome
        if isinstance(outcome, ModelFault):
            raise RAISED[outcome.kind](outcome.message)
        return ChatResult(generations=[ChatGeneration(message=message_of(outcome))])

    def _next(self, node: str, digest: str) -> ModelCall:
        for place, call in enumerate(self.calls):
            if (call.node, call.digest) == (node, digest):
                return self.calls.pop(place)
        raise UnrecordedRequestError(node)
