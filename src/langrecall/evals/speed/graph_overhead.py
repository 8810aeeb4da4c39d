"""What the recall graph costs beside the work of its nodes, against a graph of the same shape whose nodes do nothing."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import TypedDict

from langrecall.data import sample_history, sample_questions
from langrecall.evals.estimates import median
from langrecall.evals.histories import Advance, ingest, silent
from langrecall.evals.speed.timing import milliseconds, seconds
from langrecall.graphs.recall import create_recall_graph
from langrecall.loaders import load
from langrecall.stores.chroma.history import ChromaHistory

# Judge rounds search for several queries side by side, and then the seconds of the nodes do not add up to those of the clock.
SETTINGS = {"max_rounds": 0}

Graph = CompiledStateGraph[Any, Any, Any, Any]


class Position(TypedDict):
    """How far a run has come on its path."""

    position: int


class Way(NamedTuple):
    """A question, the nodes it leads through, and the empty graph that goes the same way."""

    question: str
    path: tuple[str, ...]
    empty: Graph


def graph_overhead(*, repeats: int, advance: Advance) -> dict[str, Any]:
    """`ratio` compares what a step takes: in the recall graph without what its nodes report for themselves, in the empty one all."""
    (loaded,) = load(sample_history()).histories
    with ChromaHistory.open(None, embeddings=None) as memory:
        history = memory.at("sample")
        ingest(history, loaded.sessions, advance=silent)
        graph = create_recall_graph(history, settings=SETTINGS)
        ways = [way_through(graph, asked.question) for asked in sample_questions().demo]
        ours, empty = [], []
        for _ in range(repeats):
            for each in ways:
                ours.append(overhead(graph, each))
                empty.append(seconds(each.empty.invoke, {"position": 0}) / len(each.path))
                advance(1)
    return {
        "ratio": round(median(ours) / median(empty), 3),
        "step_ms": milliseconds(median(ours)),
        "empty_step_ms": milliseconds(median(empty)),
        "steps": repeats * sum(len(each.path) for each in ways),
    }


def way_through(graph: Graph, question: str) -> Way:
    """Ask once to learn the way."""
    path = tuple(node for update in graph.stream({"query": question}, stream_mode="updates") for node in update)
    return Way(question, path, empty_like(graph, path))


def overhead(graph: Graph, way: Way) -> float:
    """Seconds a step that no node accounts for."""
    started = perf_counter()
    answered = graph.invoke({"query": way.question})
    wall = perf_counter() - started
    return float(wall - answered["usage"]["seconds"]) / len(way.path)


def empty_like(graph: Graph, path: Sequence[str]) -> Graph:
    """The same nodes and edges; each node only counts, and each router follows the path."""
    drawn = graph.get_graph()
    ways: dict[str, list[str]] = defaultdict(list)
    for edge in drawn.edges:
        ways[edge.source].append(edge.target)
    routed = {edge.source for edge in drawn.edges if edge.conditional}
    empty = StateGraph(Position)
    for name in drawn.nodes.keys() - {START, END}:
        empty.add_node(name, _advance)
    for source, targets in ways.items():
        if source in routed:
            empty.add_conditional_edges(source, _follow([*path, END]), targets)
        else:
            empty.add_edge(source, targets[0])
    return empty.compile()


def _advance(state: Position) -> Position:
    return {"position": state["position"] + 1}


def _follow(path: Sequence[str]) -> Callable[[Position], str]:
    def follow(state: Position) -> str:
        return path[state["position"]]

    return follow
