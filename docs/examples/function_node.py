"""Recall called by a function of a larger graph, whose keys are its own: several questions at once, one `Send` each."""

from operator import add
from typing import Annotated

from langgraph.graph import START, StateGraph
from langgraph.types import Send
from typing_extensions import TypedDict

from langrecall import ChromaHistory, create_ingest_graph, create_recall_graph
from langrecall.data import sample_history
from langrecall.loaders import load

memory = ChromaHistory.open(None, embeddings=None)
sessions = [session.model_dump(mode="json") for session in load(sample_history()).histories[0].sessions]
create_ingest_graph(memory.at("tavish")).invoke({"sessions": sessions})
recall = create_recall_graph(memory.at("tavish"))  # bound: no context is needed


class State(TypedDict):
    questions: list[str]
    report: Annotated[list[str], add]


class Task(TypedDict):
    question: str


def plan(state: State) -> list[Send]:
    return [Send("look_up", Task(question=question)) for question in state["questions"]]


async def look_up(task: Task) -> dict[str, list[str]]:
    found = await recall.ainvoke({"query": task["question"]})
    return {"report": [f"{task['question']}\n{found['answer']}\n({found['stop_reason']})"]}


graph = StateGraph(State)
graph.add_node(look_up)
graph.add_conditional_edges(START, plan, ["look_up"])
researcher = graph.compile()


async def main() -> None:
    questions = ["When did Tavish break his wrist?", "Which nuts must not be in the biscuits for Tavish?"]
    async for place, step in researcher.astream({"questions": questions}, stream_mode="custom", subgraphs=True):
        print(f"{place[0][:12]} {step['step']} {step['node']}: {len(step['observed'])} seen")
    result = await researcher.ainvoke({"questions": questions})
    print("\n\n".join(result["report"]))


if __name__ == "__main__":
    import asyncio

    asyncio.run(main())
