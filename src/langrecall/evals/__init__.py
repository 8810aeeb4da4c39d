"""Evaluations: data sets, systems, scorers."""

from langrecall.evals.estimates import Estimate, estimate, paired_difference
from langrecall.evals.transcripts import Transcript

__all__ = ["Estimate", "Transcript", "estimate", "paired_difference"]
