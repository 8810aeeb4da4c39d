"""Lone surrogates: legal in a JSON escape, refused by every store, encoder and socket behind it."""

import re
from typing import TypeVar

T = TypeVar("T")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


def clean(text: str) -> str:
    """Make each lone surrogate U+FFFD and leave every other character as it is; the two halves of a pair become one character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def cleaned(value: T) -> T:
    """`clean` for every string of a parsed JSON value, keys among them."""
    result: object = value
    if isinstance(value, str):
        result = clean(value)
    elif isinstance(value, list):
        result = [cleaned(item) for item in value]
    elif isinstance(value, dict):
        result = {cleaned(key): cleaned(item) for key, item in value.items()}
    return result  # type: ignore[return-value]  # the same type went in


def may_hold_surrogates(raw: str) -> bool:
    """Whether raw JSON text has an escape that a surrogate could come from; most files have none and need no second walk."""
    return _SURROGATE_ESCAPE.search(raw) is not None
