"""What the scripted server is asked and what it sends back."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any

JSON = "application/json"


@dataclass(frozen=True)
class ServerRequest:
    """One HTTP request as it arrived; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """The content of every chat message, one after the other."""
        return "\n\n".join(str(message.get("content")) for message in self.body.get("messages", []))


@dataclass(frozen=True)
class ServerReply:
    """One HTTP reply.

    `content`, `tool_calls` and `finish_reason` make a chat completion; `body` replaces it by any JSON, `raw` by any text such as a
    gateway's HTML page. `delay` is in seconds. Without `usage` the tokens are counted as `ceil(characters / 4)`.
    """

    content: str | list[dict[str, Any]] | None = None
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    finish_reason: str = "stop"
    usage: Mapping[str, int] | None = None
    body: object = None
    raw: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0

    @classmethod
    def call(cls, name: str, arguments: object) -> "ServerReply":
        """A tool call whose arguments are sent as they are: a JSON string if well-behaved, anything else if not."""
        function = {"name": name, "arguments": arguments}
        return cls(tool_calls=({"id": "call_1", "type": "function", "function": function},), finish_reason="tool_calls")

    @classmethod
    def error(cls, status: int, message: str, **headers: str) -> "ServerReply":
        """An OpenAI-shaped error."""
        body = {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}
        return cls(status=status, body=body, headers={name.replace("_", "-"): value for name, value in headers.items()})

    @property
    def is_completion(self) -> bool:
        """Whether this is a well-formed chat completion, which can also be streamed."""
        return self.raw is None and self.body is None and self.status == 200

    def payload(self, request: ServerRequest) -> tuple[str, bytes]:
        """Content type and bytes of the whole reply."""
        if self.raw is not None:
            return "text/html", self.raw.encode()
        body = self.body if self.body is not None else self._completion(request)
        return JSON, json.dumps(body, ensure_ascii=False).encode()

    def events(self, request: ServerRequest) -> Iterator[bytes]:
        """The same completion as server-sent events, a word each."""
        yield self._event({"role": "assistant", "content": ""}, None)
        text = self.content if isinstance(self.content, str) else ""
        for word in re.findall(r"\s*\S+|\s+$", text):
            yield self._event({"content": word}, None)
        for place, tool_call in enumerate(self.tool_calls):
            yield self._event({"tool_calls": [{"index": place, **tool_call}]}, None)
        yield self._event({}, self.finish_reason)
        if request.body.get("stream_options", {}).get("include_usage"):
            yield _data({**_envelope("chat.completion.chunk"), "choices": [], "usage": self._usage(request)})
        yield b"data: [DONE]\n\n"

    def _completion(self, request: ServerRequest) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": self.content}
        if self.tool_calls:
            message["tool_calls"] = list(self.tool_calls)
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason, "logprobs": None}
        return {**_envelope("chat.completion"), "choices": [choice], "usage": self._usage(request)}

    def _usage(self, request: ServerRequest) -> Mapping[str, int]:
        if self.usage is not None:
            return self.usage
        prompt, completion = ceil(len(request.text) / 4), ceil(len(str(self.content or "")) / 4)
        return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}

    def _event(self, delta: dict[str, Any], finish_reason: str | None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        return _data({**_envelope("chat.completion.chunk"), "choices": [choice]})


def _envelope(kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 0, "model": "scripted"}


def _data(value: object) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()
