"""Whether a namespace has the graph that the retriever `graph` ranks by."""

from collections.abc import Sequence

from langrecall.errors import InputError
from langrecall.stores.base import Signals
from langrecall.stores.ranking.corpus import Corpus

_MEND = (
    "ingest its sessions again in one of these (langrecall ingest --form wiki+graph, or the ingest graph's setting form), "
    "or choose another retriever"
)


def check_graph(namespace: str, corpus: Corpus, forms: Sequence[str], signals: Signals) -> None:
    """Raise `InputError` where sessions could not be found by a graph; `forms` are those of the namespace's entries.

    A namespace without sessions has nothing to miss.
    """
    if not forms:
        return
    if signals == "raw":
        msg = 'retriever "graph" ranks by metadata entries, which metadata=False leaves out: choose another retriever'
        raise InputError(msg)
    without = [form for form in forms if "graph" not in form]
    listed = ", ".join(map(repr, sorted(set(without))))
    if len(without) == len(forms):
        fault = f"its entries are in form {listed}, and retriever 'graph' needs 'graph' or 'wiki+graph'"
        raise InputError(f"namespace {namespace!r} has no graph: {fault}; {_MEND}")
    if without:
        fault = f"the entries of {len(without)} of its {len(forms)} sessions are in form {listed}"
        raise InputError(
            f"namespace {namespace!r} has a graph of some sessions only: {fault}, and retriever 'graph' "
            f"needs 'graph' or 'wiki+graph'; {_MEND}"
        )
    if not any(episode.relations for episode in corpus.episodes.values()):
        listed = ", ".join(map(repr, sorted(set(forms))))
        msg = f"namespace {namespace!r} has no graph: its entries (form {listed}) relate nothing; choose another retriever"
        raise InputError(msg)
