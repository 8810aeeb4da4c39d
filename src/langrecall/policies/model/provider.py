"""From `"provider:model"` to a chat model, and what to call it in messages to people."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from langrecall.errors import ModelConfigError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_MAX_RETRIES = 3
"""Retries of the client itself, which honours Retry-After; no layer above it retries."""


@dataclass(frozen=True)
class Endpoint:
    """A model and where it is served, without keys: user info and query string of the address are left out."""

    model: str
    url: str | None

    def __str__(self) -> str:
        return f"model {self.model!r} at {self.url}" if self.url else f"model {self.model!r}"


def load_model(model: "str | BaseChatModel") -> "BaseChatModel":
    """The chat model that `"provider:model"` names, or the one given; raises `ModelConfigError` with the mend."""
    if not isinstance(model, str):
        return model
    provider, colon, name = model.partition(":")
    if not colon or not name:
        msg = f'model {model!r} names no provider: write "openai:{model or "gpt-4o-mini"}" (OPENAI_BASE_URL says which server)'
        raise ModelConfigError(msg)
    return _made(provider, name)


def endpoint_of(model: "BaseChatModel") -> Endpoint:
    """Name and address of a chat model, as far as its class tells them."""
    name = getattr(model, "model_name", None) or getattr(model, "model", None) or model.get_name()
    client = getattr(model, "root_client", None)
    url = getattr(client, "base_url", None) or getattr(model, "base_url", None)
    return Endpoint(str(name), _bare(str(url)) if url else None)


def _made(provider: str, name: str) -> "BaseChatModel":
    from langchain.chat_models import init_chat_model
    from langchain_core.exceptions import LangChainException
    from openai import OpenAIError

    try:
        return init_chat_model(name, model_provider=provider, max_retries=_MAX_RETRIES)
    except ImportError as error:
        raise ModelConfigError(f"model {provider}:{name}: {error}") from None
    except (ValueError, LangChainException, OpenAIError) as error:
        raise ModelConfigError(_mend(provider, name, str(error))) from None


def _mend(provider: str, name: str, fault: str) -> str:
    if "Unsupported provider" in fault:
        return (
            f'unknown provider {provider!r} in model {provider}:{name}: for an OpenAI-compatible server write "openai:{provider}:{name}"'
            " and set OPENAI_BASE_URL; other providers are those of langchain.chat_models.init_chat_model"
        )
    if "credentials" in fault or "api_key" in fault:
        local = ", to any value for a local server" if provider == "openai" else ""
        return f"no API key for model {provider}:{name}: set {provider.upper()}_API_KEY{local}"
    return f"model {provider}:{name} cannot be set up: {fault.splitlines()[0] if fault else 'no reason given'}"


def _bare(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}"
