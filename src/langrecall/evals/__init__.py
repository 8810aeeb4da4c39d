"""Evaluations: data sets, systems, scorers."""
