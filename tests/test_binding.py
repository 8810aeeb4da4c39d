"""What a graph is bound to, and what a run's context may change."""

import pytest

from langrecall.binding import RecallBinding
from langrecall.errors import ModelConfigError
from langrecall.pictures import Reader
from langrecall.policies.model import ModelPolicy
from langrecall.settings import Settings
from langrecall.stores.chroma import ChromaHistory


def test_a_context_that_names_the_graphs_own_model_gets_its_own_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    policy = ModelPolicy("openai:large", models={"judge": "openai:small"})
    history = ChromaHistory.open(None, embeddings=None).at("alice")
    binding = RecallBinding(
        history=history,
        policy=policy,
        reader=Reader(),
        model="openai:large",
        allowed=["openai:other"],
        settings=Settings(),
    )
    assert binding.policy_for(None) is policy
    assert binding.policy_for("openai:large") is policy
    other = binding.policy_for("openai:other")
    assert other is not policy
    assert binding.policy_for("openai:other") is other
    with pytest.raises(
        ModelConfigError, match="model 'openai:new' is not allowed here: the allowed models are openai:other"
    ):
        binding.policy_for("openai:new")
