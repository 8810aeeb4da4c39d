"""From what a caller names, a chat model or `"extractive"`, to the policy that thinks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from langrecall.errors import ModelConfigError
from langrecall.policies.base import Policy
from langrecall.policies.extractive.policy import ExtractivePolicy

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

EXTRACTIVE = "extractive"


def make_policy(
    model: "str | BaseChatModel | Policy" = EXTRACTIVE, *, models: "Mapping[str, str | BaseChatModel] | None" = None
) -> Policy:
    """The extractive policy for `"extractive"`, a policy as it is, otherwise a `ModelPolicy`; `models` overrides it by role.

    Raises `ModelConfigError` where roles are given to what is no chat model.
    """
    if model == EXTRACTIVE and not models:
        return ExtractivePolicy()
    if hasattr(model, "reason"):
        _refuse_roles(models, "a policy")
        return model  # type: ignore[return-value]  # a policy, by the method that only policies have
    from langrecall.policies.model.policy import ROLES, ModelPolicy

    if model == EXTRACTIVE and not set(ROLES) <= set(models or ()):
        _refuse_roles(models, '"extractive"')
    return ModelPolicy(model, models=models)


def _refuse_roles(models: "Mapping[str, str | BaseChatModel] | None", what: str) -> None:
    if models:
        roles = ", ".join(models)
        msg = f'{what} thinks in every role by itself: to give {roles} a model of its own, let model be "provider:model" or a chat model'
        raise ModelConfigError(msg)
