"""LangChain embedding models, with their providers' faults told in one line."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from httpx import TransportError
from langchain_core.embeddings import Embeddings

from langrecall.errors import LangRecallError, MissingExtraError, ModelConfigError, ModelError, ModelUnavailableError
from langrecall.stores.encoding.encoder import Encoded


class LangChainBackend:
    """An `Embeddings` as the encoder wants it."""

    def __init__(self, embeddings: Embeddings, name: str) -> None:
        self._embeddings = embeddings
        self._name = name

    def documents(self, texts: list[str]) -> Encoded:
        """One row a text."""
        with _one_line(self._name):
            return Encoded(np.asarray(self._embeddings.embed_documents(texts), dtype=np.float32))

    def queries(self, texts: list[str]) -> Encoded:
        """One row a question."""
        with _one_line(self._name):
            return Encoded(np.asarray([self._embeddings.embed_query(text) for text in texts], dtype=np.float32))


def init(spec: str) -> Embeddings:
    """The model of a `"provider:model"` string.

    An OpenAI-compatible server is sent plain texts: token ids are understood by OpenAI alone, and making them fetches a table.
    """
    from langchain.embeddings import init_embeddings
    from openai import OpenAIError

    options: dict[str, Any] = {"check_embedding_ctx_length": False} if spec.startswith("openai:") else {}
    try:
        return init_embeddings(spec, **options)
    except ImportError as error:
        raise MissingExtraError(_told(spec, "need a package that is not installed", error)) from None
    except (ValueError, OpenAIError) as error:
        raise ModelConfigError(_told(spec, "cannot be used as configured", error)) from None
    except OSError as error:
        raise ModelUnavailableError(_told(spec, "cannot be loaded", error)) from None


def name_of(embeddings: Embeddings) -> str:
    """The model's own name where the object tells it, else the name of its class."""
    names = (getattr(embeddings, field, None) for field in ("model_name", "model"))
    return next((name for name in names if isinstance(name, str) and name), type(embeddings).__name__)


def declared_dimension(embeddings: Embeddings) -> int | None:
    """The size the object says its vectors have, under the names that LangChain's own classes use."""
    sizes = (getattr(embeddings, field, None) for field in ("dimension", "dimensions", "size"))
    return next((size for size in sizes if isinstance(size, int)), None)


@contextmanager
def _one_line(name: str) -> Iterator[None]:
    passing, refusing = _errors()
    try:
        yield
    except LangRecallError:
        raise
    except passing as error:
        raise ModelUnavailableError(_told(name, "do not answer now", error)) from error
    except refusing as error:
        raise ModelConfigError(_told(name, "were refused", error)) from error
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise ModelError(_told(name, "gave an unusable reply", error)) from error


def _errors() -> tuple[tuple[type[Exception], ...], tuple[type[Exception], ...]]:
    """Those that may pass and those that will not; openai's only where it is loaded, which costs a second of imports."""
    passing = (TransportError, ConnectionError)
    if "openai" not in sys.modules:
        return passing, ()
    from openai import APIConnectionError, InternalServerError, OpenAIError, RateLimitError

    return (*passing, APIConnectionError, InternalServerError, RateLimitError), (OpenAIError,)


def _told(name: str, fault: str, error: Exception) -> str:
    return f"embeddings {name!r} {fault}: {' '.join(str(error).split())}"
