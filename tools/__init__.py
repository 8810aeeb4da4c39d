"""The actions of the recall graph, one a module: a function, a node and a LangChain tool each."""
