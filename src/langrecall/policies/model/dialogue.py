"""Asking a chat until it gives what was wanted: shrunk once if too long, asked again once if unusable, then given up."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import BaseModel

from langrecall.policies.base import Spent
from langrecall.policies.model.chat import Chat
from langrecall.policies.model.decoding import Decoding
from langrecall.policies.model.faults import PromptTooLongError
from langrecall.policies.model.parsing import Parsed, Unreadable, parse
from langrecall.policies.model.prompts import ABSTAIN_MARKER, NO_TEXT, REASK, REASK_ANSWER
from langrecall.policies.model.said import Said
from langrecall.policies.model.thoughts import without_thoughts
from langrecall.policies.model.wire import Shape
from langrecall.state import Source

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")

Prompt = Callable[[float], "list[BaseMessage]"]
"""The messages of a request, with the given share of its recalled text."""

WHOLE, _SHRUNK = 1.0, 0.5

_ECHO = 1200
"""Characters of an unusable reply that are shown to the model again."""


@dataclass(frozen=True)
class Exchange:
    """The messages that fitted, the reply to them, and what everything so far cost."""

    messages: "list[BaseMessage]"
    said: Said
    spent: Spent
    note: str = ""


@dataclass(frozen=True)
class Heard(Generic[T]):
    """What a dialogue led to; without a value the caller's fallback applies, and `note` says why."""

    value: T | None
    source: Source
    spent: Spent
    note: str = ""


async def fitting(
    chat: Chat,
    prompt: Prompt,
    decoding: Decoding,
    shape: Shape[M] | None = None,
    *,
    after: str = "",
    silent: bool = True,
) -> Exchange:
    """Say it whole, or once more with less recalled text where it does not fit the model's context."""
    messages, note = prompt(WHOLE), ""
    try:
        said = await chat.say(messages, decoding, shape, after=after, silent=silent)
    except PromptTooLongError:
        messages, note = prompt(_SHRUNK), "recalled text was cut to fit the model's context"
        said = await chat.say(messages, decoding, shape, after=after, silent=silent)
    return Exchange(messages, said, said.spent, note)


async def ask(chat: Chat, prompt: Prompt, decoding: Decoding, shape: Shape[M]) -> Heard[M]:
    """Get an object of `shape`."""
    first = await fitting(chat, prompt, decoding, shape)
    first, parsed = await _down_the_ladder(chat, first, decoding, shape)
    if isinstance(parsed, Parsed):
        return Heard(parsed.value, "repaired" if parsed.repaired else "model", first.spent, first.note)
    again = await _again(chat, first, parsed, decoding, shape)
    second = parse(again.said, shape) if again else parsed
    spent = again.spent if again else first.spent
    if isinstance(second, Parsed):
        return Heard(second.value, "repaired", spent, joined(first.note, f"asked again: {parsed.fault}"))
    return Heard(None, "fallback", spent, joined(first.note, f"no usable reply: {second.fault}"))


async def ask_text(
    chat: Chat, prompt: Prompt, decoding: Decoding, *, after: str = "", silent: bool = False
) -> Heard[str]:
    """Get plain text, asking again where nothing but thoughts came; a reply that was cut before `after` is nothing but thoughts."""
    first = await fitting(chat, prompt, decoding, after=after, silent=silent)
    if text := _text(first.said, after):
        return Heard(text, "model", first.spent, joined(first.note, _cut(first.said, decoding)))
    roomier = decoding.roomier if first.said.cut else decoding
    demand = _reask(first, REASK_ANSWER.format(marker=ABSTAIN_MARKER))
    said = await chat.say(demand, roomier, after=after, silent=silent)
    spent = first.spent + said.spent
    if text := _text(said, after):
        return Heard(text, "repaired", spent, joined(first.note, "asked again: it was empty", _cut(said, roomier)))
    return Heard(None, "fallback", spent, joined(first.note, "no answer produced: empty twice"))


def _text(said: Said, after: str) -> str:
    text = without_thoughts(said.text)
    return "" if after and said.cut and after not in said.thoughts + text else text


def _reask(exchange: Exchange, demand: str) -> "list[BaseMessage]":
    """The exchange with its reply and a demand for a better one; the reply is shortened, and never empty: servers reject that."""
    from langchain_core.messages import AIMessage, HumanMessage

    said = exchange.said
    text = said.text or json.dumps(said.arguments, ensure_ascii=False, default=str) if said.arguments else said.text
    return [*exchange.messages, AIMessage(text[:_ECHO] or NO_TEXT), HumanMessage(demand)]


async def _down_the_ladder(
    chat: Chat, exchange: Exchange, decoding: Decoding, shape: Shape[M]
) -> tuple[Exchange, Parsed[M] | Unreadable]:
    """Ask again by lower rungs while the server ignores the form that was asked for."""
    parsed = parse(exchange.said, shape)
    while isinstance(parsed, Unreadable) and parsed.prose and chat.descend(chat.rung):
        said = await chat.say(exchange.messages, decoding, shape)
        exchange = Exchange(exchange.messages, said, exchange.spent + said.spent, exchange.note)
        parsed = parse(said, shape)
    return exchange, parsed


async def _again(
    chat: Chat, exchange: Exchange, unreadable: Unreadable, decoding: Decoding, shape: Shape[M]
) -> Exchange | None:
    """The one re-ask; None where it no longer fits the context."""
    messages = _reask(exchange, REASK.format(fault=unreadable.fault))
    try:
        said = await chat.say(messages, decoding.roomier if exchange.said.cut else decoding, shape)
    except PromptTooLongError:
        return None
    return Exchange(messages, said, exchange.spent + said.spent, exchange.note)


def _cut(said: Said, decoding: Decoding) -> str:
    return f"cut off at {decoding.max_tokens} tokens" if said.cut else ""


def joined(*notes: str) -> str:
    """Notes as one."""
    return "; ".join(filter(None, notes))
