"""From what a caller names, a chat model or `"extractive"`, to the policy that thinks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from langrecall.policies.base import Policy
from langrecall.policies.extractive import ExtractivePolicy

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

EXTRACTIVE = "extractive"

Model = "str | BaseChatModel | Policy"


def make_policy(
    model: "str | BaseChatModel | Policy" = EXTRACTIVE, *, models: "Mapping[str, str | BaseChatModel] | None" = None
) -> Policy:
    """The extractive policy for `"extractive"`, a policy as it is, otherwise a `ModelPolicy`; `models` overrides it by role."""
    if model == EXTRACTIVE and not models:
        return ExtractivePolicy()
    if hasattr(model, "reason"):
        return model  # type: ignore[return-value]  # a policy, by the method that only policies have
    from langrecall.policies.model import ModelPolicy

    return ModelPolicy(model, models=models)
