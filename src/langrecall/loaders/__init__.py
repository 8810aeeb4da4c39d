"""Readers of the file formats histories come in."""
