"""The embedding model alone, which speeds are compared with."""

from typing import TYPE_CHECKING

from langrecall.errors import InputError
from langrecall.stores.embeddings import make_encoder
from langrecall.stores.encoder import Encoder

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


def reference_encoder(embeddings: "str | Embeddings | None") -> Encoder:
    """An encoder that shares nothing with that of a history, so that neither remembers the other's questions."""
    encoder = make_encoder(embeddings)
    if encoder is None:
        msg = "speed is measured against an embedding model: name one with --embeddings"
        raise InputError(msg)
    return encoder


def load_model(encoder: Encoder) -> None:
    """Have the model loaded before a clock runs."""
    encoder.queries(["wake up"])
