"""Answers questions about long conversation histories by building the memory at question time."""
