"""An agent that remembers by itself (middleware) and can look things up (tool)."""

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver

from langrecall import ChromaHistory, RecallMiddleware, create_ingest_graph, create_recall_tool
from langrecall.data import sample_history
from langrecall.loaders import load
from langrecall.testing import ScriptedChatModel

memory = ChromaHistory.open(None, embeddings=None)
sessions = [session.model_dump(mode="json") for session in load(sample_history()).histories[0].sessions]
create_ingest_graph(memory.at("tavish")).invoke({"sessions": sessions})

# Stands in for a chat model, so that this runs without a key; write model="openai:gpt-4o-mini" instead.
looking_up = {"name": "recall", "args": {"query": "When did Tavish break his wrist?"}, "id": "1"}
model = ScriptedChatModel(
    replies=[AIMessage("", tool_calls=[looking_up]), "On 14 March 2024.", "You asked for the date."]
)

agent = create_agent(
    model,
    tools=[create_recall_tool(memory)],
    middleware=[RecallMiddleware(memory)],
    checkpointer=InMemorySaver(),
)
thread = {"configurable": {"thread_id": "doctor"}}
user = {"namespace": "tavish"}  # neither the model nor the user's words can choose it

result = agent.invoke({"messages": [("user", "On which day did I break my wrist?")]}, thread, context=user)
print(model.calls[0].messages[-1].text)  # what was recalled, before the user's words, in the request alone
print([message.type for message in result["messages"]], result["messages"][2].artifact["coverage"])
agent.invoke({"messages": [("user", "What did I want to know?")]}, thread, context=user)
for turn in memory.at("tavish").session("doctor").turns:  # kept for later
    print(f"{turn.speaker}: {turn.text}")
