"""Readers of the file formats histories come in: `load` tells a file's shape by its content, `formats` lists the shapes it knows."""

from langrecall.loaders.formats import load
from langrecall.loaders.loaded import Kind, LoadedFile, LoadedHistory
from langrecall.loaders.messages import from_messages
from langrecall.loaders.sessions import dump

__all__ = ["Kind", "LoadedFile", "LoadedHistory", "dump", "from_messages", "load"]
