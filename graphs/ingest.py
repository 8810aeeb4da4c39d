"""The ingest graph: stage, describe side by side, commit in waves; wiring only."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer, RetryPolicy, Send

from langrecall.engine.binding import IngestBinding, as_node, run_context
from langrecall.errors import StoreUnavailableError
from langrecall.ingest_state import IngestInput, IngestOutput, IngestSettings, IngestState
from langrecall.nodes.commit import commit
from langrecall.nodes.describe import DescribeTask, describe
from langrecall.nodes.stage import stage
from langrecall.pictures.reader import Reader
from langrecall.policies.base import Policy
from langrecall.policies.choice import EXTRACTIVE, make_policy
from langrecall.stores.base import HistoryMemory, HistoryStore

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

CONCURRENCY = 8
"""Describe calls at once, unless the caller's config sets `max_concurrency`."""


def build_ingest(
    history: HistoryStore | HistoryMemory,
    model: "str | BaseChatModel | Policy" = EXTRACTIVE,
    *,
    settings: IngestSettings | Mapping[str, Any] | None = None,
    reader: Reader | None = None,
    allowed_models: Collection[str] | None = None,
) -> "StateGraph[IngestState, IngestSettings, IngestInput, IngestOutput]":
    """Wire the graph and leave it uncompiled; the options are those of `build_recall`."""
    binding = IngestBinding(
        history=history,
        policy=make_policy(model),
        reader=reader or Reader(),
        model=model if isinstance(model, str) else None,
        allowed=allowed_models,
        settings=IngestSettings.of(IngestSettings.from_context(settings)),
    )

    def next_wave(state: IngestState) -> "Literal['__end__'] | list[Send]":
        size = binding.resolved(run_context()).wave
        tasks = [DescribeTask(session_id=name, total=state["total"]) for name in state["queue"][:size]]
        return [Send("describe", task) for task in tasks] or "__end__"

    graph = StateGraph(IngestState, IngestSettings, input_schema=IngestInput, output_schema=IngestOutput)
    for node in (stage, describe, commit):
        graph.add_node(node.__name__, as_node(node, binding), retry_policy=RetryPolicy(retry_on=StoreUnavailableError))
    graph.add_edge(START, "stage")
    graph.add_conditional_edges("stage", next_wave, ["describe", END])
    graph.add_edge("describe", "commit")
    graph.add_conditional_edges("commit", next_wave, ["describe", END])
    return graph


def create_ingest_graph(
    history: HistoryStore | HistoryMemory,
    model: "str | BaseChatModel | Policy" = EXTRACTIVE,
    *,
    settings: IngestSettings | Mapping[str, Any] | None = None,
    reader: Reader | None = None,
    checkpointer: Checkpointer = None,
    name: str = "ingest",
) -> "CompiledStateGraph[IngestState, IngestSettings, IngestInput, IngestOutput]":
    """Compile the ingest graph; invoke it with `{"sessions": [...]}`, each in the shape of `records.Session`."""
    compiled = build_ingest(history, model, settings=settings, reader=reader).compile(
        checkpointer=checkpointer, name=name
    )
    return compiled.with_config(max_concurrency=CONCURRENCY)
