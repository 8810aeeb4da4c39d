"""What servers have been seen to say when they refuse something."""

import pytest
from langchain_core.exceptions import ContextOverflowError, ModelRefusalError

from langrecall.errors import ModelConfigError, ModelError, ModelUnavailableError
from langrecall.policies.model.faults import (
    PromptTooLongError,
    as_model_error,
    is_malformed,
    is_overflow,
    is_rejection,
    refused_option,
)
from langrecall.policies.model.provider import Endpoint

HERE = Endpoint("m", "http://127.0.0.1:1/v1")


class StatusError(Exception):
    """As provider clients raise them: a status beside the text."""

    def __init__(self, status_code: int, text: str) -> None:
        super().__init__(text)
        self.status_code = status_code


@pytest.mark.parametrize(
    "error",
    [
        StatusError(400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"),
        StatusError(400, "the request exceeds the available context size, try increasing it"),
        StatusError(400, "The input token count (9000) exceeds the maximum number of tokens allowed (8192)."),
        StatusError(400, "Please reduce the length of the messages or completion."),
        StatusError(400, "prompt is too long: 210000 tokens > 200000 maximum"),
        ContextOverflowError("too long"),
    ],
)
def test_a_prompt_that_does_not_fit_is_known_by_many_words(error: Exception) -> None:
    assert is_overflow(error)


@pytest.mark.parametrize(
    "error",
    [
        StatusError(400, "response_format is not supported"),
        StatusError(400, '"auto" tool choice requires --enable-auto-tool-choice'),
        StatusError(422, "Unprocessable"),
        StatusError(500, "tools param requires --jinja flag"),
        StatusError(404, "No endpoints found that support tool use"),
        StatusError(501, "json_schema is not implemented"),
        TypeError("create() got an unexpected keyword argument 'response_format'"),
        NotImplementedError(),
    ],
)
def test_a_form_of_output_that_is_not_offered_is_a_rejection(error: Exception) -> None:
    assert is_rejection(error)
    assert not is_overflow(error)


@pytest.mark.parametrize(
    "error",
    [
        StatusError(500, "out of memory"),
        StatusError(429, "slow down"),
        StatusError(404, "no such model"),
        TypeError("x"),
    ],
)
def test_other_faults_are_no_rejection(error: Exception) -> None:
    assert not is_rejection(error)


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (StatusError(400, "Unrecognized request argument supplied: top_k"), "extra_body"),
        (StatusError(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."), "max_tokens"),
        (StatusError(400, "`temperature` and `top_p` cannot both be specified"), "top_p"),
        (TypeError("chat() got an unexpected keyword argument 'temperature'"), "temperature"),
        (StatusError(429, "temperature of the datacentre"), None),
        (StatusError(400, "bad request"), None),
    ],
)
def test_a_refused_option_is_the_least_needed_one_that_is_named(error: Exception, name: str | None) -> None:
    assert refused_option(error, ["extra_body", "top_p", "temperature", "max_tokens"]) == name


@pytest.mark.parametrize("error", [TypeError(), KeyError("choices"), IndexError(), ValueError(), AttributeError()])
def test_errors_over_a_body_that_is_no_completion_are_told_from_refusals(error: Exception) -> None:
    assert is_malformed(error)
    assert not is_malformed(StatusError(500, "x"))


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (TimeoutError("late"), ModelUnavailableError),
        (ConnectionRefusedError(), ModelUnavailableError),
        (StatusError(529, "overloaded"), ModelUnavailableError),
        (StatusError(402, "no credit"), ModelConfigError),
        (ModelRefusalError("declined"), ModelConfigError),
        (ContextOverflowError("x"), PromptTooLongError),
    ],
)
def test_each_becomes_our_error_and_names_the_endpoint(error: Exception, kind: type[ModelError]) -> None:
    made = as_model_error(error, HERE)
    assert type(made) is kind
    assert str(made).startswith("model 'm' at http://127.0.0.1:1/v1: ")


def test_an_error_that_no_provider_made_is_not_ours() -> None:
    assert as_model_error(ZeroDivisionError(), HERE) is None


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abcd1234",
        "bad header Authorization: Bearer abcdefgh1234",
        "no route to http://me:abcd1234@host/v1",
        "GET /v1?key=abcd1234&x=1 failed",
    ],
)
def test_keys_are_masked(text: str) -> None:
    said = str(as_model_error(StatusError(400, text), HERE))
    assert "abcd" not in said
    assert "***" in said


def test_a_long_complaint_is_shortened_for_it_may_repeat_the_prompt() -> None:
    assert len(str(as_model_error(StatusError(400, "x" * 5000), HERE))) < 300
