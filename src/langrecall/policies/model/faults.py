"""What an exception out of a chat model means: providers share no base class, so it is read from status, type and text."""

import re
from collections.abc import Iterable
from typing import Any

from langchain_core.exceptions import (
    ContextOverflowError,
    LangChainException,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelInvalidRequestError,
    ModelNotFoundError,
    ModelPermissionDeniedError,
)
from langchain_core.exceptions import ModelError as ProviderError
from pydantic import ValidationError

from langrecall.errors import ModelConfigError, ModelError, ModelUnavailableError
from langrecall.policies.model.decoding import NAMES
from langrecall.policies.model.provider import Endpoint

OVERFLOW = re.compile(
    r"context.{0,20}(length|window|size|limit)|too many tokens|prompt is too long|reduce the length|exceeds? .{0,40}(context|tokens)",
    re.IGNORECASE,
)
_STRUCTURED = re.compile(r"response_format|json_schema|json_object|tool|function|grammar|schema", re.IGNORECASE)
SECRET = re.compile(r"\b(?:sk|pk|key|gsk|xai)[-_][\w.*-]{4,}|(?<=Bearer )\S+|(?<=://)[^/\s@]+(?=@)|(?<=key=)[^&\s]+")
MALFORMED = (ValueError, TypeError, LookupError, AttributeError)
"""What clients raise over a body that is no completion: an error object, `choices` null or empty, an HTML page."""

SHOWN = 160


class PromptTooLongError(ModelError):
    """The prompt does not fit the model's context."""


def status(error: Exception) -> int | None:
    """The HTTP status behind an error, if there is one."""
    code = getattr(error, "status_code", None)
    return code if isinstance(code, int) else None


def is_overflow(error: Exception) -> bool:
    """Whether the prompt did not fit the context."""
    refused = status(error) in (400, 413, 422, 500) or isinstance(error, ModelInvalidRequestError)
    return isinstance(error, ContextOverflowError) or (refused and OVERFLOW.search(str(error)) is not None)


def refused_option(error: Exception, sent: Iterable[str]) -> str | None:
    """The first of the sent options that the provider, or its client, does not take."""
    if not _is_invalid(error) and not isinstance(error, TypeError):
        return None
    return next((name for name in sent if re.search(rf"\b(?:{NAMES[name]})\b", str(error))), None)


def is_rejection(error: Exception) -> bool:
    """Whether the way structured output was asked for was rejected; a bare 400 counts, for many servers do not say why."""
    if _is_invalid(error) or isinstance(error, NotImplementedError):
        return True
    named = _STRUCTURED.search(str(error)) is not None
    return named and (status(error) in (404, 500, 501) or "unexpected keyword" in str(error))


def is_malformed(error: Exception) -> bool:
    """Whether the provider said OK and sent something that is no completion."""
    return status(error) is None and isinstance(error, MALFORMED)


def misplaced_arguments(error: Exception) -> tuple[object, ...]:
    """Tool arguments that came as an object, or as JSON within JSON: LangChain refuses to build the message, and names them."""
    if not isinstance(error, ValidationError):
        return ()
    return tuple(fault["input"] for fault in error.errors(include_url=False) if fault["loc"][-1:] == ("args",))


def cut_completion(error: Exception) -> Any:  # noqa: ANN401 - the OpenAI client's completion
    """The completion over which OpenAI's client raises because it was cut at its length limit."""
    return getattr(error, "completion", None)


def as_model_error(error: Exception, endpoint: Endpoint) -> ModelError | None:
    """One line fit to show a person; None for an error that no provider made."""
    code = status(error)
    if is_overflow(error):
        return PromptTooLongError(f"{endpoint}: the prompt does not fit its context; lower observation_tokens")
    if code in (401, 403) or isinstance(error, ModelAuthenticationError | ModelPermissionDeniedError):
        return ModelConfigError(f"{endpoint}: the API key is refused; check the key (OPENAI_API_KEY for OpenAI)")
    if code == 404 or isinstance(error, ModelNotFoundError):
        return ModelConfigError(f"{endpoint}: not found; check the model's name and the address (OPENAI_BASE_URL)")
    if is_malformed(error):
        return ModelUnavailableError(f"{endpoint}: twice sent something that is no chat completion")
    if isinstance(error, ModelConnectionError | ConnectionError):
        return ModelUnavailableError(
            f"{endpoint}: no server answers there; check that it runs, and the address (OPENAI_BASE_URL)"
        )
    if _may_pass(error):
        return ModelUnavailableError(f"{endpoint}: {_reason(error)}")
    if code is not None or isinstance(error, ProviderError):
        return ModelConfigError(f"{endpoint}: {_reason(error)}")
    return ModelError(f"{endpoint}: {_reason(error)}") if _is_providers(error) else None


def _is_invalid(error: Exception) -> bool:
    return status(error) in (400, 422) or isinstance(error, ModelInvalidRequestError)


def _may_pass(error: Exception) -> bool:
    code = status(error) or 0
    retryable = isinstance(error, ProviderError) and error.is_retryable
    return retryable or code in (408, 409, 425, 429) or code >= 500 or isinstance(error, OSError)


def _is_providers(error: Exception) -> bool:
    from openai import OpenAIError

    return isinstance(error, OpenAIError | LangChainException)


def _reason(error: Exception) -> str:
    """The provider's own first line with keys masked and cut short, for it may repeat what it was sent."""
    line = SECRET.sub("***", str(error).strip().partition("\n")[0])
    return f"{line[:SHOWN]} …" if len(line) > SHOWN else line or type(error).__name__
