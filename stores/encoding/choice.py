"""Choose an encoder by what `open` was given."""

from langchain_core.embeddings import Embeddings

from langrecall.errors import InputError
from langrecall.stores.encoding.encoder import Encoder
from langrecall.stores.encoding.minilm import DIMENSION, NAME, MiniLM, check_extra
from langrecall.stores.encoding.providers import LangChainBackend, declared_dimension, init, name_of


def make_encoder(embeddings: str | Embeddings | None) -> Encoder | None:
    """The encoder of `"local"`, a `"provider:model"` string or a LangChain `Embeddings`; None for None: lexical only."""
    if embeddings is None:
        return None
    if isinstance(embeddings, Embeddings):
        name = name_of(embeddings)
        return Encoder(name, lambda: LangChainBackend(embeddings, name), dimension=declared_dimension(embeddings))
    if embeddings == "local":
        check_extra()
        return Encoder(NAME, MiniLM, spec=embeddings, dimension=DIMENSION)
    provider, _, name = embeddings.partition(":")
    if not provider or not name:
        msg = f"embeddings {embeddings!r} is not known: give 'local', 'provider:model' such as 'openai:text-embedding-3-small', or none"
        raise InputError(msg)
    return Encoder(name, lambda: LangChainBackend(init(embeddings), name), spec=embeddings)
