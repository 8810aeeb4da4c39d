"""The embedding model alone, which speeds are compared with."""

from typing import TYPE_CHECKING

from langrecall.errors import InputError
from langrecall.stores.encoding.choice import make_encoder
from langrecall.stores.encoding.encoder import Encoded, Encoder
from langrecall.stores.encoding.minilm import in_model_thread
from langrecall.stores.encoding.minilm import load_model as load_minilm

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


class PlainMiniLM:
    """The packaged model as sentence-transformers itself runs it: one vector a text, and nothing of its tokens."""

    def __init__(self) -> None:
        self._model = in_model_thread(load_minilm)

    def documents(self, texts: list[str]) -> Encoded:
        """One call for all of them, in the library's own batches; from the thread that a history's model is called from."""
        return Encoded(in_model_thread(self._model.encode, texts, show_progress_bar=False))

    def queries(self, texts: list[str]) -> Encoded:
        """As `documents`."""
        return self.documents(texts)


def own_encoder(embeddings: "str | Embeddings | None") -> Encoder:
    """The encoder that a history opened with these embeddings has; raises `InputError` for none."""
    encoder = make_encoder(embeddings)
    if encoder is None:
        msg = "speed is measured against an embedding model: name one with --embeddings"
        raise InputError(msg)
    return encoder


def reference_encoder(embeddings: "str | Embeddings | None") -> Encoder:
    """The model by itself, sharing nothing with the encoder of a history, so that neither remembers the other's questions."""
    own = own_encoder(embeddings)
    return Encoder(own.name, PlainMiniLM, dimension=own.declared_dimension) if embeddings == "local" else own


def load_model(encoder: Encoder) -> None:
    """Have the model loaded before a clock runs."""
    encoder.queries(["wake up"])
