"""One chat model and what was learned of it: which way of asking it takes, which options it refuses."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from langgraph.constants import TAG_NOSTREAM

from langrecall.effects import call
from langrecall.policies.model.decoding import Decoding
from langrecall.policies.model.faults import as_model_error, is_malformed, is_overflow, is_rejection, refused_option
from langrecall.policies.model.ladder import RUNGS, Rung, asking, below
from langrecall.policies.model.provider import endpoint_of
from langrecall.policies.model.said import Said, estimate, said_in
from langrecall.policies.model.thoughts import Aloud, ends_thoughts
from langrecall.policies.model.wire import Shape

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import RunnableConfig

log = logging.getLogger(__name__)

_PROVIDER_ERRORS = (Exception,)
"""Providers' errors share no base class: everything is caught at this one place, and what no provider made is raised again."""

_SILENT: "RunnableConfig" = {"tags": [TAG_NOSTREAM]}
"""What is not for the reader's eyes: LangGraph leaves it out of the message stream."""

_SUSPECT_SHARE = 0.5
_SUSPECT_TOKENS = 1000
"""A prompt of at least this size that is reported at less than that share of our estimate has probably been cut."""


@dataclass(frozen=True)
class Try:
    """One way of putting the request."""

    rung: Rung
    refused: frozenset[str]
    malformed: bool = False


class Chat:
    """A chat model that is asked by the highest rung it takes, remembered from call to call."""

    def __init__(self, model: "BaseChatModel") -> None:
        self.model = model
        self.endpoint = endpoint_of(model)
        self.rung: Rung = RUNGS[0]
        self._refused: frozenset[str] = frozenset()
        self._opens_thoughts = False
        self._warned = False

    async def say(
        self,
        messages: "Sequence[BaseMessage]",
        decoding: Decoding,
        shape: Shape[Any] | None = None,
        *,
        after: str = "",
        silent: bool = True,
    ) -> Said:
        """Get one reply, moving down the ladder as the server demands.

        A `silent` one is left out of LangGraph's message stream, and of another its thoughts, which stand before the marker `after`.
        Raises `PromptTooLongError`, `ModelUnavailableError` or `ModelConfigError`; the client has then done its own retries.
        """
        now = Try(self.rung, self._refused)
        while True:
            model = self.model if silent else Aloud(model=self.model, after=after, opened=self._opens_thoughts)
            outcome = await self._invoke(messages, decoding, shape, now, model=model)
            said = said_in(outcome, messages)
            if isinstance(said, Said):
                self._learn(now, shape)
                self._opens_thoughts = self._opens_thoughts or ends_thoughts(said.text)
                self._check_prompt(said, messages)
                return said
            now = self._after(said, now, decoding, shape)

    def descend(self, ignored: Rung) -> bool:
        """Ask one rung lower from now on, because `ignored` is; False on the lowest."""
        lower = below(ignored)
        if lower and self.rung == ignored:
            self._settle(lower, "ignores")
        return lower is not None

    async def _invoke(
        self,
        messages: "Sequence[BaseMessage]",
        decoding: Decoding,
        shape: Shape[Any] | None,
        now: Try,
        *,
        model: "BaseChatModel",
    ) -> "BaseMessage | Exception":
        try:
            asked = asking(model, now.rung, shape)
        except NotImplementedError as error:
            return error
        options = {**asked.arguments, **decoding.arguments(without=now.refused)}
        config = _SILENT if model is self.model else None
        try:
            return await call(asked.runnable.invoke, list(messages), config, **options)
        except _PROVIDER_ERRORS as error:
            return error

    def _after(self, error: Exception, now: Try, decoding: Decoding, shape: Shape[Any] | None) -> Try:
        """What to try next after `error`; raises it in our words when there is nothing left."""
        if not is_overflow(error):
            if refused := refused_option(error, decoding.arguments(without=now.refused)):
                return replace(now, refused=now.refused | {refused})
            lower = below(now.rung)
            if shape and lower and is_rejection(error):
                return replace(now, rung=lower)
            if is_malformed(error) and not now.malformed:
                return replace(now, malformed=True)
        known = as_model_error(error, self.endpoint)
        if known is None:
            raise error
        raise known from error

    def _learn(self, now: Try, shape: Shape[Any] | None) -> None:
        if new := now.refused - self._refused:
            log.warning("%s refuses %s: left out from now on", self.endpoint, ", ".join(sorted(new)))
            self._refused |= new
        if shape and now.rung != self.rung:
            self._settle(now.rung, "rejects")

    def _settle(self, rung: Rung, why: str) -> None:
        log.warning("%s %s structured output as %s: asked by %s from now on", self.endpoint, why, self.rung, rung)
        self.rung = rung

    def _check_prompt(self, said: Said, messages: "Sequence[BaseMessage]") -> None:
        expected, reported = estimate(messages), said.spent.prompt_tokens
        if not self._warned and expected >= _SUSPECT_TOKENS and reported < _SUSPECT_SHARE * expected:
            self._warned = True
            log.warning(
                "%s counted %d prompt tokens where about %d were sent: it may cut prompts; raise its context length"
                " (Ollama: num_ctx in the Modelfile) or lower observation_tokens",
                self.endpoint,
                reported,
                expected,
            )
