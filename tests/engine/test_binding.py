"""What a graph is bound to, and what a run's context may change."""

from typing import Any

import pytest

from langrecall.engine.binding import RecallBinding
from langrecall.errors import InputError, ModelConfigError
from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.pictures.reader import Reader
from langrecall.policies.model.policy import ModelPolicy
from langrecall.settings import Settings
from langrecall.stores.chroma.history import ChromaHistory


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


@pytest.mark.parametrize("nothing", [None, "./memory", {}])
def test_what_is_no_history_is_refused_where_the_graph_is_built(nothing: Any) -> None:
    for create in (create_recall_graph, create_ingest_graph):
        with pytest.raises(
            InputError, match=r"history is .*: give ChromaHistory.open\(\.\.\.\), or its \.at\(namespace\)"
        ):
            create(nothing)
