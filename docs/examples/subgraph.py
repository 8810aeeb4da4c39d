"""Recall as a node of a larger graph: the two share the keys `query`, `answer` and `citations`."""

from dataclasses import dataclass

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from langrecall import ChromaHistory, create_ingest_graph, create_recall_graph
from langrecall.data import sample_history
from langrecall.loaders import load
from langrecall.state import Citation


@dataclass
class User:
    """The larger graph's own context; recall reads its `namespace` and nothing else."""

    name: str
    namespace: str


class State(TypedDict, total=False):
    query: str
    answer: str
    citations: list[Citation]
    letter: str


def write_letter(state: State) -> State:
    sources = ", ".join(citation["turn"] for citation in state["citations"])
    return {"letter": f"{state['answer']}\n\nSources: {sources}"}


memory = ChromaHistory.open(None, embeddings=None)  # in memory, ranked by words; a folder and "local" keep it
sessions = [session.model_dump(mode="json") for session in load(sample_history()).histories[0].sessions]
create_ingest_graph(memory.at("tavish")).invoke({"sessions": sessions})

graph = StateGraph(State, context_schema=User)
graph.add_node("recall", create_recall_graph(memory))
graph.add_node(write_letter)
graph.add_edge(START, "recall")
graph.add_edge("recall", "write_letter")
graph.add_edge("write_letter", END)
letters = graph.compile(checkpointer=InMemorySaver())  # recall is kept by it too

result = letters.invoke(
    {"query": "When did Tavish break his wrist?"},
    {"configurable": {"thread_id": "1"}},
    context=User(name="Tavish", namespace="tavish"),
)
print(result["letter"])
