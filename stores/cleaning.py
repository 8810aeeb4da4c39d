"""Make text that is no valid Unicode storable: a lone surrogate becomes U+FFFD, everything else stays as it is."""

from typing import Any, TypeVar

from pydantic_core import PydanticSerializationError

from langrecall.records import Record

R = TypeVar("R", bound=Record)


def clean(record: R) -> R:
    """The record itself where its texts are valid, else one with its texts cleaned."""
    try:
        record.model_dump_json()
    except PydanticSerializationError:
        return type(record).model_validate(_cleaned(record.model_dump()))
    return record


def clean_text(text: str) -> str:
    """The text with each lone surrogate replaced; halves of a pair that stand together become their character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _cleaned(value: Any) -> Any:  # noqa: ANN401 - any JSON-like value
    match value:
        case str():
            return clean_text(value)
        case dict():
            return {key: _cleaned(item) for key, item in value.items()}
        case list() | tuple():
            return [_cleaned(item) for item in value]
        case _:
            return value
