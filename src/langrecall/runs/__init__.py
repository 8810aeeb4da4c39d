"""Runs kept: one record a question, which can be replayed, forked and looked at as a page."""
