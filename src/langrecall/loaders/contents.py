"""What a chat message says: its text, its pictures, and a note of whatever is neither."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from langrecall.loaders.faults import Location, shape
from langrecall.records import Image

_TEXT = ("text", "input_text", "output_text", "refusal")
_IMAGE = ("image_url", "input_image", "image")
_CALL = ("tool_use", "tool_call")
_ARGUMENTS = ("arguments", "args", "input")
_SILENT = ("thinking", "redacted_thinking", "reasoning")
"""Parts that the model kept to itself."""


class Content(NamedTuple):
    """Text as it stands, and images by address or data URI; nothing is fetched."""

    text: str
    images: tuple[Image, ...] = ()


_NOTHING = Content("")


def read_content(message: Mapping[str, Any], location: Location) -> Content:
    """Read content given as a string, a list of parts, or null; each call of a tool is noted on a line of its own."""
    said = _joined(message.get("content"), location)
    notes = [note for note in map(_call_note, _calls(message)) if note not in said.text]
    refusal = message.get("refusal")
    if not said.text and isinstance(refusal, str):
        notes.append(refusal)
    return Content("\n".join([said.text, *notes] if said.text else notes), said.images)


def _joined(content: object, location: Location) -> Content:
    parts = [_part(part, location) for part in (content if isinstance(content, list) else [content])]
    text = "\n".join(part.text for part in parts if part.text)
    return Content(text, tuple(image for part in parts for image in part.images))


def _part(part: object, location: Location) -> Content:
    if part is None:
        return _NOTHING
    if isinstance(part, str):
        return Content(part)
    kind = part.get("type") if isinstance(part, Mapping) else None
    if not isinstance(part, Mapping) or not isinstance(kind, str):
        raise location.fault(f'"content" is {shape(part)}', "make it a string or a list of parts with a type")
    if kind in _SILENT:
        return _NOTHING
    if kind in _IMAGE:
        return Content("", (Image(source=_address(part)),))
    if kind == "tool_result":
        return _joined(part.get("content"), location)
    return Content(_part_text(part, kind, location))


def _part_text(part: Mapping[str, Any], kind: str, location: Location) -> str:
    if kind in _TEXT:
        return _text_of(part, kind, location)
    return _call_note(part) if kind in _CALL else f"[{kind}]"


def _text_of(part: Mapping[str, Any], kind: str, location: Location) -> str:
    text = part.get("refusal") if kind == "refusal" else part.get("text")
    if not isinstance(text, str):
        raise location.fault(f'the "text" of a part is {shape(text)}', "make it a string")
    return text


def _address(part: Mapping[str, Any]) -> str | None:
    """OpenAI's `image_url` (an object or a string), Anthropic's `source`, LangChain's `url` or `base64`."""
    match part:
        case (
            {"image_url": {"url": str(url)}}
            | {"image_url": str(url)}
            | {"source": {"url": str(url)}}
            | {"url": str(url)}
        ):
            return url
        case {"source": {"data": str(data), **rest}} | {"base64": str(data), **rest} | {"data": str(data), **rest}:
            mime = rest.get("media_type") or rest.get("mime_type") or "image/png"
            return f"data:{mime};base64,{data}"
        case _:
            return None


def _calls(message: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    calls = message.get("tool_calls")
    legacy = message.get("function_call")
    listed = [*(calls if isinstance(calls, list) else []), legacy]
    return [call for call in listed if isinstance(call, Mapping)]


def _call_note(call: Mapping[str, Any]) -> str:
    function = call.get("function")
    inner = function if isinstance(function, Mapping) else call
    arguments = next((inner[name] for name in _ARGUMENTS if name in inner), None)
    written = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False, default=str)
    return f"[tool call: {inner.get('name', 'unnamed')}({written})]"
