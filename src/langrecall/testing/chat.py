"""A chat model that replays a script and records how it was called."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal
from uuid import uuid4

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.exceptions import ModelInvalidRequestError
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolCall
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ConfigDict, Field

Scripted = str | Mapping[str, Any] | AIMessage | Exception
Feature = Literal["json_schema", "tools", "json_mode"]


class ScriptExhaustedError(AssertionError):
    """The model was called more often than its script has replies."""


class ChatCall(BaseModel):
    """One recorded call: the messages, the tools bound to it as OpenAI dictionaries, and every other argument."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    messages: list[BaseMessage]
    tools: list[dict[str, Any]]
    kwargs: dict[str, Any]

    @property
    def text(self) -> str:
        """Everything the model was told, one message after the other."""
        return "\n\n".join(message.text for message in self.messages)


class ScriptedChatModel(BaseChatModel):
    """Replays `replies` in order, token by token when streamed.

    A string is the reply's text, an `AIMessage` the reply itself, an exception is raised. A mapping is returned in the form that was
    asked for: as the arguments of the bound tool, else as JSON text. A feature in `rejects` is refused as a provider would refuse it,
    without using up a reply.

    Example:
        >>> model = ScriptedChatModel(replies=["Hello."])
        >>> model.invoke("Hi").text
        'Hello.'
        >>> model.calls[0].text
        'Hi'

    """

    replies: list[Any] = Field(default_factory=list)
    rejects: frozenset[Feature] = frozenset()
    calls: list[ChatCall] = Field(default_factory=list)
    name: str | None = "scripted"

    def enqueue(self, *replies: Scripted) -> None:
        """Add replies to the end of the script."""
        self.replies.extend(replies)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(
        self,
        tools: Sequence[Any],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> Runnable[Any, AIMessage]:
        """Offer tools; the calls made through the returned runnable record them."""
        shown = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(tools=shown, tool_choice=tool_choice, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - LangChain's signature
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages, stop, kwargs))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> Iterator[ChatGenerationChunk]:
        for message in _chunks(self._reply(messages, stop, kwargs)):
            chunk = ChatGenerationChunk(message=message)
            if run_manager:
                run_manager.on_llm_new_token(message.text, chunk=chunk)
            yield chunk

    def _reply(self, messages: list[BaseMessage], stop: list[str] | None, kwargs: dict[str, Any]) -> AIMessage:
        options = {key: value for key, value in kwargs.items() if key != "tools"} | ({"stop": stop} if stop else {})
        self.calls.append(ChatCall(messages=list(messages), tools=kwargs.get("tools", []), kwargs=options))
        self._refuse(kwargs)
        if not self.replies:
            msg = f"the script has run out after {len(self.calls) - 1} calls"
            raise ScriptExhaustedError(msg)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return _as_message(reply, kwargs.get("tools", []))

    def _refuse(self, kwargs: dict[str, Any]) -> None:
        asked = _features(kwargs) & self.rejects
        if asked:
            msg = f"{sorted(asked)[0]} is not supported by this model"
            raise ModelInvalidRequestError(msg)


def _features(kwargs: dict[str, Any]) -> frozenset[str]:
    kind = (kwargs.get("response_format") or {}).get("type")
    wanted = {"json_schema": "json_schema", "json_object": "json_mode"}.get(str(kind))
    return frozenset(filter(None, [wanted, "tools" if kwargs.get("tools") else None]))


def _as_message(reply: str | Mapping[str, Any] | AIMessage, tools: list[dict[str, Any]]) -> AIMessage:
    if isinstance(reply, AIMessage):
        return reply
    if isinstance(reply, str):
        return AIMessage(reply)
    if not tools:
        return AIMessage(json.dumps(dict(reply), ensure_ascii=False))
    name = tools[0]["function"]["name"]
    return AIMessage("", tool_calls=[ToolCall(name=name, args=dict(reply), id=f"call_{uuid4().hex}")])


def _chunks(message: AIMessage) -> Iterator[AIMessageChunk]:
    """One chunk a word, then the rest of the message."""
    for word in re.findall(r"\s*\S+|\s+$", message.text):
        yield AIMessageChunk(content=word, id=message.id)
    calls = [
        tool_call_chunk(name=call["name"], args=json.dumps(call["args"]), id=call["id"], index=place)
        for place, call in enumerate(message.tool_calls)
    ]
    yield AIMessageChunk(
        content="",
        id=message.id,
        tool_call_chunks=calls,
        usage_metadata=message.usage_metadata,
        response_metadata=message.response_metadata,
        chunk_position="last",
    )
