"""What a question asks for, read from its words alone: terms, named speakers, days, and how the named speaker would put it."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Self

from langrecall.grounding import ground
from langrecall.intervals import MONTHS
from langrecall.stores.lexical import fold, terms, words_of

_WANTS_TIME = re.compile(r"\b(?:when|(?:what|which) (?:date|day|month|year|time|season)|how long)\b", re.IGNORECASE)
_WANTS_NAME = re.compile(
    r"\b(?:who|whose|whom|where|names?|named|called|(?:city|country|state|place|town|book|movie|film|game|song|band"
    r"|artist|musician|author|team|brand|company|school|restaurant)s?|cities|countries|companies)\b",
    re.IGNORECASE,
)
# Only with a capital, or "may" and "march" would be months.
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b")
_ROLES = frozenset({"user", "assistant", "system", "tool"})


@dataclass(frozen=True)
class Question:
    """A question against the people of one history; `days` are the spans of days it names, `months` those it names without a year."""

    text: str
    terms: tuple[str, ...]
    speakers: frozenset[str]
    days: tuple[tuple[date, date], ...]
    months: tuple[int, ...]
    wants_time: bool
    wants_name: bool

    @classmethod
    def read(cls, text: str, speakers: Iterable[str], asked_at: datetime | None = None) -> Self:
        """Names of speakers are no search terms (whoever speaks seldom names himself), unless nothing else is left."""
        known = list(speakers)
        names = {term for speaker in known for term in terms(speaker)}
        asked = terms(text)
        days = tuple((found.first, found.last) for found in ground(text, asked_at))
        return cls(
            text=text,
            terms=tuple(term for term in asked if term not in names) or tuple(asked),
            speakers=frozenset(speaker for speaker in known if _named(speaker, text)),
            days=days,
            months=() if days else tuple(MONTHS.index(month) + 1 for month in _MONTH.findall(text)),
            wants_time=bool(_WANTS_TIME.search(text)),
            wants_name=bool(_WANTS_NAME.search(text)),
        )


def query_texts(query: str, speakers: Sequence[str]) -> list[str]:
    """The texts whose vectors a ranking takes, in its order: the question as asked, and as the named speaker would put it."""
    return [query, first_person(query, speakers)]


def first_person(query: str, speakers: Collection[str]) -> str:
    """`When did Ada's brother visit Ada?` becomes `When did my brother visit I?`: turns are told by the one who is asked about."""
    for name in sorted({part for speaker in speakers for part in _name_parts(speaker)}, key=len, reverse=True):
        query = re.sub(rf"\b{re.escape(name)}['\u2019]s\b", "my", query)
        query = re.sub(rf"\b{re.escape(name)}\b", "I", query)
    return query


def _name_parts(speaker: str) -> list[str]:
    return [] if speaker in _ROLES else [speaker, *(part for part in speaker.split() if len(part) > 1)]


def _named(speaker: str, text: str) -> bool:
    said = set(words_of(text))
    return any(set(words_of(part)) <= said for part in _name_parts(fold(speaker)) if words_of(part))
