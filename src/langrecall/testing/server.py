"""An OpenAI-compatible HTTP server on loopback that plays back any body, status or delay."""

import base64
import json
import struct
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Self

from langrecall.testing.embedder import HashEmbedder
from langrecall.testing.replies import JSON, ServerReply, ServerRequest

Handler = Callable[[ServerRequest], ServerReply | str]


class ScriptedServer:
    """Chat completions, streamed or not, and embeddings, from a script or from a function of the request.

    Enqueued replies are used first and in order; then `handler` is asked; without one the server answers 500. Requests are served on
    threads, so `handler` must be safe to call from several at once.

    Example:
        >>> with ScriptedServer() as server:
        ...     server.enqueue("Rome.", ServerReply(raw="<html>Bad gateway</html>"), ServerReply.error(429, "slow down"))
        ...     server.url.startswith("http://127.0.0.1:")
        True

    """

    def __init__(self, handler: Handler | None = None, *, dimension: int = 256) -> None:
        self.requests: list[ServerRequest] = []
        self._handler = handler
        self._replies: deque[ServerReply | str] = deque()
        self._embedder = HashEmbedder(dimension)
        self._lock = Lock()
        self._closing = Event()
        self._server = _Listener(self)

    @property
    def url(self) -> str:
        """The base URL that an OpenAI client wants, with `/v1`."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def enqueue(self, *replies: ServerReply | str) -> None:
        """Add replies to chat requests; a string is a completion with that text."""
        self._replies.extend(replies)

    def reply(self, request: ServerRequest) -> ServerReply:
        """Record a request and choose its reply."""
        with self._lock:
            self.requests.append(request)
            if request.path.endswith("/embeddings"):
                return ServerReply(body=self._embeddings(request.body))
            scripted = self._replies.popleft() if self._replies else None
        chosen = scripted if scripted is not None else self._ask(request)
        return ServerReply(content=chosen) if isinstance(chosen, str) else chosen

    def wait(self, seconds: float) -> None:
        """Sleep, but not past the server's end."""
        self._closing.wait(seconds)

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def _ask(self, request: ServerRequest) -> ServerReply | str:
        if self._handler is None:
            return ServerReply.error(500, f"the script has run out after {len(self.requests) - 1} requests")
        return self._handler(request)

    def _embeddings(self, body: dict[str, Any]) -> dict[str, Any]:
        given = body.get("input", [])
        texts = [given] if isinstance(given, str) else [str(item) for item in given]
        encode = _packed if body.get("encoding_format") == "base64" else list
        vectors = map(encode, self._embedder.embed_documents(texts))
        data = [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)]
        usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
        return {"object": "list", "model": body.get("model", "scripted"), "data": data, "usage": usage}


class _Listener(ThreadingHTTPServer):
    """Threads are left behind at the end: one may still be waiting for a client that went away."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128  # of the usual five, clients that connect together wait seconds for another try

    def __init__(self, script: ScriptedServer) -> None:
        self.script = script
        super().__init__(("127.0.0.1", 0), _Conversation)


class _Conversation(BaseHTTPRequestHandler):
    server: _Listener

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = ServerRequest(self.path, headers, body)
        reply = self.server.script.reply(request)
        self.server.script.wait(reply.delay)
        if reply.is_completion and request.body.get("stream"):
            self._send(reply, "text/event-stream", list(reply.events(request)))
        else:
            kind, payload = reply.payload(request)
            self._send(reply, kind, [payload])

    def do_GET(self) -> None:
        models = {"object": "list", "data": [{"id": "scripted", "object": "model"}]}
        self._send(ServerReply(), JSON, [json.dumps(models).encode()])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the base class
        """Stay silent: the requests are on record."""

    def _send(self, reply: ServerReply, kind: str, parts: list[bytes]) -> None:
        try:
            self.send_response(reply.status)
            for name, value in {"content-type": kind, **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            for part in parts:
                self.wfile.write(part)
        except ConnectionError:
            self.close_connection = True


def _packed(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
