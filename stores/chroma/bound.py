"""One namespace of a history, whole: a `HistoryStore` over any pair of collections."""

from langrecall.stores.base import ThreadedHistory
from langrecall.stores.chroma.collections import CollectionRows
from langrecall.stores.chroma.reader import SessionReader
from langrecall.stores.chroma.searcher import Searcher
from langrecall.stores.chroma.writer import Writer
from langrecall.stores.encoding.encoder import Encoder


class BoundHistory(SessionReader, Writer, Searcher, ThreadedHistory):
    """Every call is about `namespace`; its texts never meet those of another."""

    def __init__(self, namespace: str, rows: CollectionRows, encoder: Encoder | None) -> None:
        SessionReader.__init__(self, namespace, rows)
        Writer.__init__(self, namespace, rows, encoder)
        Searcher.__init__(self, namespace, rows, encoder)

    @property
    def namespace(self) -> str:
        """The namespace this view is bound to."""
        return self._namespace
