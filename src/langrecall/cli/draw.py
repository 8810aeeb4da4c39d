"""`langrecall draw`: the graph as mermaid text."""

import sys

from langrecall.cli import options, output


def draw(preset: options.Preset = "combined", as_json: options.Json = False) -> None:
    """Print the graph as mermaid text."""
    from langrecall.graphs.recall import create_recall_graph
    from langrecall.stores.chroma.history import ChromaHistory

    history = ChromaHistory.open(None, embeddings=None)
    drawing = create_recall_graph(history, preset=preset).get_graph().draw_mermaid()
    if as_json:
        output.emit({"mermaid": drawing})
    else:
        sys.stdout.write(drawing)
