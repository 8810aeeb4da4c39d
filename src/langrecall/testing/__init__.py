"""Doubles that are real implementations: a chat model, an embedder and a model server that follow a script."""

from langrecall.testing.chat import ChatCall, ScriptedChatModel, ScriptExhaustedError
from langrecall.testing.embedder import HashEmbedder
from langrecall.testing.replies import ServerReply, ServerRequest
from langrecall.testing.server import ScriptedServer

__all__ = [
    "ChatCall",
    "HashEmbedder",
    "ScriptExhaustedError",
    "ScriptedChatModel",
    "ScriptedServer",
    "ServerReply",
    "ServerRequest",
]
