"""Whether a namespace has the graph that the retriever `graph` ranks by."""

from collections.abc import Collection

from langrecall.errors import InputError
from langrecall.stores.base import Signals
from langrecall.stores.corpus import Corpus

_MEND = (
    "ingest its sessions again in one of these (langrecall ingest --form wiki+graph, or the ingest graph's setting form), "
    "or choose another retriever"
)


def has_graph(corpus: Corpus) -> bool:
    """Whether some entry relates two things; so does a corpus without sessions, in which there is nothing to miss."""
    return not corpus.sessions or any(episode.relations for episode in corpus.episodes.values())


def no_graph(namespace: str, forms: Collection[str], signals: Signals) -> InputError:
    """The error that says why there is none: `forms` are those of the namespace's entries."""
    if signals == "raw":
        msg = 'retriever "graph" ranks by metadata entries, which metadata=False leaves out: choose another retriever'
        return InputError(msg)
    listed = ", ".join(map(repr, sorted(forms))) or "none"
    if any("graph" in form for form in forms):
        msg = f"namespace {namespace!r} has no graph: its entries (form {listed}) relate nothing; choose another retriever"
        return InputError(msg)
    fault = f"its entries are in form {listed}, and retriever 'graph' needs 'graph' or 'wiki+graph'"
    return InputError(f"namespace {namespace!r} has no graph: {fault}; {_MEND}")
