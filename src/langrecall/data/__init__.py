"""The sample history and its questions."""
