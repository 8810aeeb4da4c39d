"""The recall graph: both papers' walks as one graph; wiring only."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer, RetryPolicy, Send

from langrecall.engine.binding import RecallBinding, as_node, run_context
from langrecall.errors import StoreUnavailableError
from langrecall.graphs.routes import (
    AFTER_JUDGE,
    AFTER_REASON,
    AFTER_RETRIEVE,
    after_judge,
    after_reason,
    after_refine,
    after_retrieve,
)
from langrecall.nodes.answer import answer
from langrecall.nodes.judge import judge
from langrecall.nodes.reason import reason
from langrecall.nodes.refine import refine
from langrecall.nodes.retrieve import retrieve
from langrecall.pictures.reader import Reader
from langrecall.policies.base import Policy
from langrecall.policies.choice import EXTRACTIVE, make_policy
from langrecall.settings import Preset, Settings
from langrecall.state import RecallInput, RecallOutput, RecallState
from langrecall.stores.base import HistoryMemory, HistoryStore
from langrecall.tools.read_raw import read_raw
from langrecall.tools.search_meta import search_meta
from langrecall.tools.view import view
from langrecall.tools.zoom_in import zoom_in
from langrecall.tools.zoom_out import zoom_out

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

NODES = (retrieve, reason, search_meta, read_raw, zoom_in, zoom_out, view, judge, refine, answer)


def build_recall(
    history: HistoryStore | HistoryMemory,
    model: "str | BaseChatModel | Policy" = EXTRACTIVE,
    *,
    models: "Mapping[str, str | BaseChatModel] | None" = None,
    preset: Preset = "combined",
    settings: Settings | Mapping[str, Any] | None = None,
    reader: Reader | None = None,
    allowed_models: Collection[str] | None = None,
) -> "StateGraph[RecallState, Settings, RecallInput, RecallOutput]":
    """Wire the graph and leave it uncompiled.

    `history` bound by `memory.at(...)` fixes the namespace; otherwise each run names it in its context. `models` gives a role
    (`describe`, `reason`, `judge`, `answer`, `view`) a model of its own; `reader` opens pictures; `allowed_models` limits what a
    run's context may name.
    """
    chosen = {"preset": preset} | Settings.from_context(settings)
    binding = RecallBinding(
        history=history,
        policy=make_policy(model, models=models),
        reader=reader or Reader(),
        model=model if isinstance(model, str) else None,
        allowed=allowed_models,
        settings=Settings.of(chosen),
    )

    def enter(state: RecallInput) -> "Literal['retrieve'] | Send":
        if binding.resolved(run_context()).entry == "retrieve":
            return "retrieve"
        return Send("zoom_in", dict(state))

    graph = StateGraph(RecallState, Settings, input_schema=RecallInput, output_schema=RecallOutput)
    for node in NODES:
        graph.add_node(node.__name__, as_node(node, binding), retry_policy=RetryPolicy(retry_on=StoreUnavailableError))
    graph.add_conditional_edges(START, enter, ["retrieve", "zoom_in"])
    graph.add_conditional_edges("retrieve", after_retrieve, AFTER_RETRIEVE)
    graph.add_conditional_edges("reason", after_reason, AFTER_REASON)
    for action in ("search_meta", "read_raw", "zoom_in", "zoom_out", "view"):
        graph.add_edge(action, "reason")
    graph.add_conditional_edges("judge", after_judge, AFTER_JUDGE)
    graph.add_conditional_edges("refine", after_refine, ["search_meta", "zoom_in"])
    graph.add_edge("answer", END)
    return graph


def create_recall_graph(
    history: HistoryStore | HistoryMemory,
    model: "str | BaseChatModel | Policy" = EXTRACTIVE,
    *,
    models: "Mapping[str, str | BaseChatModel] | None" = None,
    preset: Preset = "combined",
    settings: Settings | Mapping[str, Any] | None = None,
    reader: Reader | None = None,
    checkpointer: Checkpointer = None,
    name: str = "recall",
) -> "CompiledStateGraph[RecallState, Settings, RecallInput, RecallOutput]":
    """Compile the recall graph; the options are those of `build_recall`.

    Invoke it with `{"query": ..., "query_time": ...}` and, unless the history is bound, `context={"namespace": ...}`. A context may
    also carry any other setting, for that run alone.
    """
    graph = build_recall(history, model, models=models, preset=preset, settings=settings, reader=reader)
    return graph.compile(checkpointer=checkpointer, name=name)
