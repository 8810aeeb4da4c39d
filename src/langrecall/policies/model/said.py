"""What a model said, as it came: text, tool arguments, whether it was cut, and its cost."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from langrecall.policies.base import Spent
from langrecall.policies.model.faults import cut_completion, misplaced_arguments
from langrecall.rendering import text_tokens

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

CUT_REASONS = ("length", "max_tokens", "MAX_TOKENS")


@dataclass(frozen=True)
class Said:
    """One reply; `arguments` are those of its tool calls, in whatever form they came."""

    text: str
    arguments: tuple[object, ...] = ()
    cut: bool = False
    spent: Spent = field(default_factory=Spent)


def said_in(outcome: "BaseMessage | Exception", messages: "Sequence[BaseMessage]") -> Said | Exception:
    """Read a reply, also out of an exception that carries one; an exception that carries none is returned."""
    if not isinstance(outcome, Exception):
        return _in_message(outcome, messages)  # type: ignore[arg-type]  # chat models reply with an AIMessage
    if arguments := misplaced_arguments(outcome):
        return Said("", arguments, spent=_spent(messages, str(arguments), None, None))
    if completion := cut_completion(outcome):
        text, usage = completion.choices[0].message.content or "", completion.usage
        prompt, written = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
        return Said(text, cut=True, spent=_spent(messages, text, prompt, written))
    return outcome


def estimate(messages: "Sequence[BaseMessage]") -> int:
    """The prompt's tokens by the project's measure."""
    return sum(text_tokens(message.text) for message in messages)


def plus(one: Spent, other: Spent) -> Spent:
    """The cost of both."""
    return Spent(
        calls=one.calls + other.calls,
        prompt_tokens=one.prompt_tokens + other.prompt_tokens,
        completion_tokens=one.completion_tokens + other.completion_tokens,
    )


def _in_message(message: "AIMessage", messages: "Sequence[BaseMessage]") -> Said:
    arguments = tuple(call["args"] for call in [*message.tool_calls, *message.invalid_tool_calls])
    metadata = message.response_metadata
    reason = metadata.get("finish_reason") or metadata.get("stop_reason") or metadata.get("done_reason")
    usage: Any = message.usage_metadata or {}
    spent = _spent(messages, message.text or str(arguments), usage.get("input_tokens"), usage.get("output_tokens"))
    return Said(message.text, arguments, reason in CUT_REASONS, spent)


def _spent(messages: "Sequence[BaseMessage]", text: str, prompt: int | None, completion: int | None) -> Spent:
    """One call at the reported counts; a count of zero is no report."""
    return Spent(calls=1, prompt_tokens=prompt or estimate(messages), completion_tokens=completion or text_tokens(text))
