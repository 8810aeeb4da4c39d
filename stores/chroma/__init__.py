"""Histories in Chroma, the only package that imports chromadb."""
