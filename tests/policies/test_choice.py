"""From what a caller names to who thinks."""

import pytest

from langrecall.errors import ModelConfigError
from langrecall.policies.choice import make_policy
from langrecall.policies.extractive.policy import ExtractivePolicy
from langrecall.policies.model.policy import ROLES, ModelPolicy
from langrecall.testing import ScriptedChatModel


def test_extractive_is_a_name_and_a_policy_is_itself() -> None:
    policy = ExtractivePolicy()
    assert isinstance(make_policy("extractive"), ExtractivePolicy)
    assert make_policy(policy) is policy


def test_a_chat_model_thinks_in_every_role_that_has_none_of_its_own() -> None:
    every, judge = ScriptedChatModel(), ScriptedChatModel()
    policy = make_policy(every, models={"judge": judge})
    assert isinstance(policy, ModelPolicy)
    assert [policy._chats[role].model is judge for role in ROLES] == [role == "judge" for role in ROLES]


def test_extractive_goes_with_models_that_leave_it_no_role() -> None:
    model = ScriptedChatModel()
    assert isinstance(make_policy("extractive", models=dict.fromkeys(ROLES, model)), ModelPolicy)


@pytest.mark.parametrize(
    ("model", "what"), [("extractive", '"extractive"'), (ExtractivePolicy(), "a policy")], ids=["name", "policy"]
)
def test_roles_beside_what_thinks_by_itself_are_refused_in_one_line(model: str | ExtractivePolicy, what: str) -> None:
    told = (
        f"{what} thinks in every role by itself: to give judge, answer a model of its own, "
        'let model be "provider:model" or a chat model'
    )
    with pytest.raises(ModelConfigError) as raised:
        make_policy(model, models={"judge": "openai:a", "answer": "openai:b"})
    assert str(raised.value) == told
