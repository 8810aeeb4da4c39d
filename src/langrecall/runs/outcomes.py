"""What a model call led to, in plain JSON and back."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.exceptions import ContextOverflowError, ModelInvalidRequestError
from langchain_core.exceptions import ModelError as ProviderError
from langchain_core.messages import AIMessage

from langrecall.loaders.text import clean
from langrecall.policies.model.faults import SECRET, is_malformed, is_overflow, is_rejection
from langrecall.policies.model.said import CUT_REASONS, Said, said_in
from langrecall.runs.saved import FaultKind, ModelFault, ModelReply, digest

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

RAISED: Mapping[FaultKind, type[Exception]] = {
    "overflow": ContextOverflowError,
    "option": TypeError,
    "invalid": ModelInvalidRequestError,
    "malformed": ValueError,
    "failed": ProviderError,
}
"""What a replay raises for each kind of fault, so that the same is tried next."""

_FINISH = ("finish_reason", "stop_reason", "done_reason")
COUNTS = ("input_tokens", "output_tokens", "total_tokens")


def request_digest(messages: "Sequence[BaseMessage]") -> str:
    """What two requests of the same words have in common; a picture counts by its presence, for it is drawn anew each time."""
    return digest([[message.type, _words(message.content)] for message in messages])


def reply_of(message: AIMessage) -> ModelReply:
    """A reply without what its provider adds, such as headers and ids of the request."""
    usage: Mapping[str, Any] = message.usage_metadata or {}
    return ModelReply(
        content=message.content,
        tool_calls=tuple({name: call[name] for name in ("name", "args", "id")} for call in message.tool_calls),
        invalid_tool_calls=tuple(
            {name: call[name] for name in ("name", "args", "id", "error")} for call in message.invalid_tool_calls
        ),
        usage={name: usage[name] for name in COUNTS} if usage else None,
        finish_reason=next((str(value) for name in _FINISH if (value := message.response_metadata.get(name))), None),
    )


def outcome_of(error: Exception, messages: "Sequence[BaseMessage]") -> ModelReply | ModelFault:
    """A fault, or the reply that some clients put into their exceptions."""
    said = said_in(error, messages)
    if isinstance(said, Said):
        return _reply_within(said)
    return ModelFault(kind=_kind(error), message=clean(SECRET.sub("***", str(error))))


def message_of(reply: ModelReply) -> AIMessage:
    """The reply as its model gave it."""
    return AIMessage(
        content=reply.content,
        tool_calls=[{**call, "type": "tool_call"} for call in reply.tool_calls],
        invalid_tool_calls=[{**call, "type": "invalid_tool_call"} for call in reply.invalid_tool_calls],
        usage_metadata=reply.usage,
        response_metadata={"finish_reason": reply.finish_reason} if reply.finish_reason else {},
    )


def _kind(error: Exception) -> FaultKind:
    if is_overflow(error):
        return "overflow"
    if is_rejection(error):
        return "invalid"
    if isinstance(error, TypeError):
        return "option"
    return "malformed" if is_malformed(error) else "failed"


def _reply_within(said: Said) -> ModelReply:
    calls = [{"name": None, "args": json.dumps(given), "id": None, "error": None} for given in said.arguments]
    spent = said.spent
    counts = (spent.prompt_tokens, spent.completion_tokens, spent.prompt_tokens + spent.completion_tokens)
    return ModelReply(
        content=said.text,
        invalid_tool_calls=tuple(calls),
        usage=dict(zip(COUNTS, counts, strict=True)),
        finish_reason=CUT_REASONS[0] if said.cut else None,
    )


def _words(content: str | list[Any]) -> object:
    if isinstance(content, str):
        return content
    return [block if isinstance(block, str) else block.get("text", block.get("type")) for block in content]
