"""All observations of a question are paid from one budget, and nothing is shown twice for it."""

from typing import Any

import pytest

from langrecall.engine.budgets import tokens_left, within_budget
from langrecall.engine.observations import notice
from langrecall.engine.run import Run
from langrecall.graphs.recall import create_recall_graph
from langrecall.policies.extractive.policy import ExtractivePolicy
from langrecall.settings import Settings
from langrecall.stores.base import HistoryStore

QUERY: Any = {"query": "What did Mia sell, adopt and watch with Bolt?"}


def observed(history: HistoryStore, **settings: Any) -> list[dict[str, Any]]:
    graph = create_recall_graph(history, settings={"raw_floor_tokens": 40, "observation_tokens": 60} | settings)
    state: dict[str, Any] = list(graph.stream(QUERY, stream_mode="values"))[-1]
    return list(state["observation"])


@pytest.mark.parametrize("budget", [120, 200, 300])
def test_a_question_observes_no_more_than_its_budget(history: HistoryStore, budget: int) -> None:
    looks = observed(history, evidence_tokens=budget, k_first=1)
    assert len(looks) > 1
    assert sum(look["tokens"] for look in looks) <= budget


def test_the_next_search_shows_what_was_not_shown(history: HistoryStore) -> None:
    shown = [turn for look in observed(history, k_first=1) for turn in look["turns"]]
    assert len(shown) > 3
    assert len(set(shown)) == len(shown)


def test_the_presets_of_the_papers_have_no_budget(history: HistoryStore) -> None:
    run = Run(history, ExtractivePolicy(), Settings(observation_tokens=None, evidence_tokens=None), lambda _: None)
    assert within_budget(run, []) is run
    assert tokens_left([notice("zoom_in", "x" * 400, step=0)], run.settings) is None


def test_parallel_branches_share_one_cap(history: HistoryStore) -> None:
    run = Run(history, ExtractivePolicy(), Settings(observation_tokens=900, evidence_tokens=1000), lambda _: None)
    assert within_budget(run, [], branches=3).settings.observation_tokens == 300
    spent = [notice("zoom_in", "x" * 1600, step=0)]
    assert within_budget(run, spent).settings.observation_tokens == 600
