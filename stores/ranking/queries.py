"""What a question asks for, read from its words alone: terms, named speakers, days, and how the named speaker would put it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Self

from langrecall.grounding.intervals import MONTHS
from langrecall.grounding.text import ground
from langrecall.language.scripts import is_unspaced
from langrecall.language.words import terms, unaccented

_WANTS_TIME = re.compile(r"\b(?:when|(?:what|which) (?:date|day|month|year|time|season)|how long)\b", re.IGNORECASE)
_WANTS_NAME = re.compile(
    r"\b(?:who|whose|whom|where|names?|named|called|(?:city|country|state|place|town|book|movie|film|game|song|band"
    r"|artist|musician|author|team|brand|company|school|restaurant)s?|cities|countries|companies)\b",
    re.IGNORECASE,
)
# Only with a capital, or "may" and "march" would be months.
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b")


@dataclass(frozen=True)
class ParsedQuery:
    """A question against the people of one history; `days` are the spans of days it names, `months` those it names without a year."""

    terms: tuple[str, ...]
    speakers: frozenset[str]
    days: tuple[tuple[date, date], ...]
    months: tuple[int, ...]
    wants_time: bool
    wants_name: bool

    @classmethod
    def read(cls, text: str, speakers: Iterable[str], asked_at: datetime | None = None) -> Self:
        """The speakers' names are no search terms, unless nothing else is left: whoever speaks seldom names himself."""
        patterns = {speaker: _name_pattern(speaker, any_case=text == text.lower()) for speaker in speakers}
        named = frozenset(speaker for speaker, pattern in patterns.items() if pattern.search(unaccented(text)))
        nameless = unaccented(text)
        for speaker in named:
            nameless = patterns[speaker].sub(" ", nameless)
        days = tuple((found.first, found.last) for found in ground(text, asked_at))
        return cls(
            terms=tuple(terms(nameless) or terms(text)),
            speakers=named,
            days=days,
            months=() if days else tuple(MONTHS.index(month) + 1 for month in _MONTH.findall(text)),
            wants_time=bool(_WANTS_TIME.search(text)),
            wants_name=bool(_WANTS_NAME.search(text)),
        )


def query_texts(query: str, speakers: Sequence[str]) -> list[str]:
    """The texts whose vectors a ranking takes, in its order: the question as asked, and as the named speaker would put it."""
    return [query, first_person(query, speakers)]


def first_person(query: str, speakers: Sequence[str]) -> str:
    """`When did Ada's brother visit Ada?` becomes `When did my brother visit I?`: turns are told by the one who is asked about."""
    patterns = [_name_pattern(speaker, any_case=query == query.lower()) for speaker in speakers]
    plain = unaccented(query)
    if not any(pattern.search(plain) for pattern in patterns):
        return query
    for pattern in patterns:
        plain = pattern.sub(lambda found: "my" if found["possessive"] else "I", plain)
    return plain


@lru_cache(maxsize=4096)
def _name_pattern(speaker: str, *, any_case: bool) -> re.Pattern[str]:
    """The full name or its first part; a name that is also a common word, such as `Will`, only with a capital within the sentence."""
    whole = unaccented(speaker)
    parts = [whole, *whole.split()[:1]]
    names = "|".join(re.escape(name) for name in parts if len(name) > 1 or name == whole)
    before, after = ("", "") if is_unspaced(whole) else (r"(?<!\w)", r"(?!\w)")
    flags = re.IGNORECASE if any_case else re.NOFLAG
    if not terms(parts[-1]):
        before, flags = r"(?<=\w )", re.NOFLAG
    return re.compile(rf"{before}(?:{names}){after}(?P<possessive>['\u2019]s\b)?", flags)
