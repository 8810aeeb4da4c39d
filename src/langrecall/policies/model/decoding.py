"""How a model is to decode: the run's settings as the arguments that chat models take."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from langrecall.settings import Settings

NAMES: Mapping[str, str] = {
    "extra_body": r"extra_body|top_k",
    "top_p": "top_p",
    "temperature": "temperature",
    "max_tokens": r"max_tokens|max_completion_tokens",
}
"""The arguments sent, least needed first, and what a provider calls them when it refuses one."""

_FORMATTING_TOKENS = 64
"""Allowance for the answer and formatting on top of a reasoning budget (T2Mem A.3)."""

_ROOMIER = 2
"""How much longer a reply may be after one was cut."""


@dataclass(frozen=True)
class Decoding:
    """Sampling parameters and the longest reply, in tokens."""

    max_tokens: int
    temperature: float = 0.0
    top_p: float | None = None
    top_k: int | None = None

    @classmethod
    def of(cls, settings: Settings, *, max_tokens: int) -> Self:
        """As the settings say; a reasoning budget of N tokens makes N + 64 the longest reply."""
        budget = settings.reasoning_tokens
        longest = max_tokens if budget is None else budget + _FORMATTING_TOKENS
        return cls(longest, settings.temperature, settings.top_p, settings.top_k)

    @property
    def roomier(self) -> Self:
        """The same with room for a longer reply."""
        return replace(self, max_tokens=self.max_tokens * _ROOMIER)

    def arguments(self, *, without: Collection[str]) -> dict[str, Any]:
        """What to pass to `invoke`; top-k is no OpenAI parameter and rides in `extra_body`."""
        wanted = {
            "extra_body": None if self.top_k is None else {"top_k": self.top_k},
            "top_p": self.top_p,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        return {name: value for name, value in wanted.items() if value is not None and name not in without}
