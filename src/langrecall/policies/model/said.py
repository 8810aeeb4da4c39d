"""What a model said, as it came: text, tool arguments, whether it was cut, and its cost."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from langrecall.policies.base import Spent
from langrecall.policies.model.faults import cut_completion, misplaced_arguments
from langrecall.rendering import text_tokens

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

_CALL = re.compile(
    r"\W*(?:json)?\s*[\[{]\s*[\"'{]|\s*<\W?(?:tool_call|function_call|function|invoke|tool)\b", re.IGNORECASE
)
_SPOKEN_CALL = re.compile(r"\s*`*(?:search_meta|read_raw|zoom_in|zoom_out|view)\b\s*[(:{]", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\W*(?:i(?:'|\u2019)?m (?:very |so )?sorry\b|(?:i )?apologi[sz]e\b|sorry\b|unfortunately\b)?[\s,.:;!-]*(?:but )?"
    r"(?:as an? (?:ai|language model|assistant)\b"
    r"|i(?:'|\u2019)?m (?:just |only )?an? (?:ai|language model)\b"
    r"|i(?:'m| am|\u2019m) (?:not able|unable)\b"
    r"|i (?:can(?:'|\u2019)?t|cannot|can not|won(?:'|\u2019)?t|am not able to|do not|don(?:'|\u2019)?t) "
    r"(?:help|assist|answer|provide|comply|share|discuss|have (?:access|enough|any|the)|do that|fulfil))",
    re.IGNORECASE,
)
CUT_REASONS = ("length", "max_tokens", "MAX_TOKENS")
THOUGHTS_KEY = "reasoning_content"
"""Where in a message's additional arguments LangChain's integrations put what was thought."""


@dataclass(frozen=True)
class Said:
    """One reply; `arguments` are those of its tool calls, in whatever form they came, `thoughts` what came apart from the text."""

    text: str
    arguments: tuple[object, ...] = ()
    cut: bool = False
    spent: Spent = field(default_factory=Spent)
    thoughts: str = ""


def no_answer(text: str) -> str:
    """Why a text is no answer to a question, or nothing: it is a call or an object meant for a program, or it refuses."""
    if _CALL.match(text) or _SPOKEN_CALL.match(text):
        return "it was a tool call or JSON, no answer"
    return "it refused" if _REFUSAL.match(text) else ""


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


def was_cut(message: "BaseMessage") -> bool:
    """Whether a reply, or its last piece, says that it reached the longest length."""
    metadata = message.response_metadata
    reason = metadata.get("finish_reason") or metadata.get("stop_reason") or metadata.get("done_reason")
    return reason in CUT_REASONS


def estimate(messages: "Sequence[BaseMessage]") -> int:
    """The prompt's tokens by the project's measure."""
    return sum(text_tokens(message.text) for message in messages)


def _in_message(message: "AIMessage", messages: "Sequence[BaseMessage]") -> Said:
    arguments = tuple(call["args"] for call in [*message.tool_calls, *message.invalid_tool_calls])
    thoughts = str(message.additional_kwargs.get(THOUGHTS_KEY) or "")
    usage: Any = message.usage_metadata or {}
    written = thoughts + (message.text or str(arguments))
    spent = _spent(messages, written, usage.get("input_tokens"), usage.get("output_tokens"))
    return Said(message.text, arguments, was_cut(message), spent, thoughts)


def _spent(messages: "Sequence[BaseMessage]", text: str, prompt: int | None, completion: int | None) -> Spent:
    """One call at the reported counts; a count of zero is no report."""
    return Spent(calls=1, prompt_tokens=prompt or estimate(messages), completion_tokens=completion or text_tokens(text))
