"""What a sentence claims besides its numbers, dates and names: in which unit, of whom, and whether it is so at all."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from langrecall.citations.quotes import quotable
from langrecall.citations.specifics import words
from langrecall.language.numerals import numbers
from langrecall.language.ordinary_words import ORDINARY_WORDS
from langrecall.language.verbs import base_terms
from langrecall.records import Turn

_UNITS = {
    "km": "km kilometer kilometers kilometre kilometres",
    "mile": "mile miles mi",
    "m": "m meter meters metre metres",
    "cm": "cm centimeter centimeters centimetre centimetres",
    "foot": "ft foot feet",
    "inch": "inch inches",
    "kg": "kg kilo kilos kilogram kilograms",
    "lb": "lb lbs",
    "g": "g gram grams",
    "litre": "l liter liters litre litres",
    "second": "second seconds sec secs",
    "minute": "minute minutes min mins",
    "hour": "hour hours hr hrs h",
    "day": "day days",
    "week": "week weeks",
    "month": "month months",
    "year": "year years yr yrs",
    "%": "% percent per\u00a0cent",
    "euro": "\u20ac euro euros eur",
    "dollar": "$ dollar dollars usd bucks",
    "pound": "\u00a3 quid gbp",
    "franc": "franc francs chf",
    "degree": "degree degrees \u00b0c \u00b0f \u00b0",
}
_UNIT_OF = {word: unit for unit, spelled in _UNITS.items() for word in spelled.split(" ")}
_AFTER = re.compile(r"[\s-]?(\u00b0[cf]?|[%\u20ac$\u00a3]|[^\W\d_]+)", re.IGNORECASE)
_BEFORE = re.compile(r"([\u20ac$\u00a3])\s?\Z")

_CLAUSE = re.compile(
    r"[.!?;:,\n\u2013\u2014\u3002\uff01\uff1f]+|\b(?:but|because|although|though|while|so|and|or)\b", re.IGNORECASE
)
_NOT = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|nowhere|without|neither|nor|hardly|cannot|\w+n['\u2019]t)\b", re.IGNORECASE
)
_NO_DENIAL = re.compile(
    r"\bnot only\b|\bno (?:doubt|problem|worries|wonder|idea)\b|\bwhy not\b|\bno\b[,!.]", re.IGNORECASE
)
_SAME_CLAUSE = 0.6
"""The share of a claim's terms that a clause must hold to be about the same thing."""

_SKIPPED = {
    *(
        "has",
        "have",
        "had",
        "is",
        "are",
        "was",
        "were",
        "am",
        "be",
        "been",
        "will",
        "would",
        "can",
        "could",
        "did",
        "does",
        "do",
    ),
    *(
        "just",
        "also",
        "already",
        "really",
        "recently",
        "finally",
        "actually",
        "still",
        "even",
        "always",
        "never",
        "not",
        "then",
        "once",
    ),
    *("'ve", "'m", "'re", "'ll", "'d", "ve", "m", "re", "ll", "d", "both", "all", "so", "s"),
}
_REPORTS = {"said", "says", "told", "tells", "mentioned", "mentions", "thinks", "thought", "asked", "asks", "according"}
_SPEAKER = {"i", "we", "my", "our"}
_ADDRESSED = {"you", "u", "your", "ur"}
_ARTICLES = {"a", "an", "the"}
_AFTER_NAME = {"to", "with", "by", "for", "from", "and", "of", "told", "asked"}
"""Before a name, what makes it no subject."""
_TOKEN = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")


class Said(NamedTuple):
    """One turn as evidence of who: its speaker, and those who may be meant by `you`."""

    turn: Turn
    others: frozenset[str]


class _Token(NamedTuple):
    """A word in lower case; `capital` where it was written with one."""

    word: str
    capital: bool


def other_unit(sentence: str, turns: Sequence[Turn]) -> str | None:
    """The first number of a sentence whose unit the turns tell otherwise, as a phrase."""
    told: dict[object, set[str | None]] = {}
    for turn in turns:
        for part in quotable(turn):
            for value, unit, _ in _measures(part):
                told.setdefault(value, set()).add(unit)
    for value, unit, text in _measures(sentence):
        known = told.get(value, {None})
        if unit and None not in known and unit not in known:
            return f"{text!r} is told in another unit"
    return None


def _measures(text: str) -> Iterator[tuple[object, str | None, str]]:
    """Each number of a text with its unit, if it has one we know, and as it is written."""
    place = 0
    for number in numbers(text):
        place = text.find(number.text, place)
        end = place + len(number.text)
        before, after = _BEFORE.search(text[:place]), _AFTER.match(text, end)
        unit = _UNIT_OF.get(before[1]) if before else _UNIT_OF.get(after[1].lower()) if after else None
        written = text[before.start() if before else place : after.end() if after and unit and not before else end]
        yield number.value, unit, written.strip()
        place = end


def denial(sentence: str, turns: Sequence[Turn]) -> str | None:
    """Where the clause of the turns that is about the same thing says no and the sentence yes, or the other way round."""
    for claim in _clauses(sentence):
        wanted = set(base_terms(_NOT.sub(" ", claim)))
        if len(wanted) < 2:
            continue
        near = [
            (len(wanted & set(base_terms(clause))) / len(wanted), clause)
            for turn in turns
            for part in quotable(turn)
            for clause in _clauses(part)
        ]
        close = [clause for share, clause in near if share >= _SAME_CLAUSE and share == max(each for each, _ in near)]
        if close and all(_denies(clause) != _denies(claim) for clause in close):
            return f"it is said the other way round: {' '.join(close[0].split())!r}"
    return None


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(text) if clause.strip()]


def _denies(clause: str) -> bool:
    return len(_NOT.findall(_NO_DENIAL.sub(" ", clause))) % 2 == 1


def other_person(sentence: str, evidence: Sequence[Said], people: Collection[str]) -> str | None:
    """The first person of a sentence who does or has what the turns say that another does or has, as a phrase."""
    known = {part for name in people for part in words(name)}
    tokens = _tokens(sentence)
    for place, token in enumerate(tokens):
        about = _next_word(tokens, place)
        no_subject = place > 0 and tokens[place - 1].word in _AFTER_NAME
        if token.word not in known or no_subject or about is None or about in _REPORTS:
            continue
        holders = [holder for said in evidence for holder in _holders(said, about)]
        if holders and not any(holder is None or token.word in words(holder) for holder in holders):
            return f"{about!r} is said of {holders[0]}, not of {token.word.title()}"
    return None


def _holders(said: Said, about: str) -> Iterator[str | None]:
    """Of whom a turn says a word, each time it does; None for somebody who cannot be told."""
    wanted = set(base_terms(about)) or {about}
    for part in quotable(said.turn):
        tokens = _tokens(part)
        for place, token in enumerate(tokens):
            if token.word == about or wanted & set(base_terms(token.word)):
                yield from _holder(tokens[:place], said)


def _holder(before: Sequence[_Token], said: Said) -> Iterable[str | None]:
    """Whose a word is by what stands before it."""
    last = next((token for token in reversed(before) if token.word not in _SKIPPED), None)
    if last is None:
        return (None,)
    if last.word in _SPEAKER:
        return (said.turn.speaker,)
    if last.word in _ADDRESSED:
        return said.others or (None,)
    return (last.word.title(),) if last.capital and last.word not in ORDINARY_WORDS else (None,)


def _tokens(text: str) -> list[_Token]:
    """The words of a text, contractions taken apart, possessive endings left out."""
    found: list[_Token] = []
    for match in _TOKEN.finditer(text.replace("\u2019", "'")):
        word, _, ending = match[0].partition("'")
        found.append(_Token(word.lower(), word[0].isupper()))
        if ending and ending != "s":
            found.append(_Token(f"'{ending}", capital=False))
    return found


def _next_word(tokens: Sequence[_Token], place: int) -> str | None:
    """The first word after a name that says something: a verb, or what is owned."""
    following = (token.word for token in tokens[place + 1 : place + 6])
    return next((word for word in following if word not in _SKIPPED and word not in _ARTICLES), None)
