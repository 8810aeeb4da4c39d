"""Whether each sentence of an answer is borne out by what it cites."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from typing import NamedTuple

from langrecall.citations.claims import Said, denial, other_person, other_unit
from langrecall.citations.evidence import Evidence, lacking
from langrecall.language.numerals import numbers
from langrecall.language.sentences import sentence_spans
from langrecall.language.verbs import base_terms
from langrecall.records import Turn
from langrecall.state import MemoryLine, SentenceSupport, Support

_LEAST_SHARED = 0.4
"""The share of a sentence's terms that its turns must hold for it to be supported where it names nothing that could be looked up."""
_MARKER = re.compile(r"(?:\s?\[\d{1,4}\])+")
_TOLD = r"\b(?:to|with|told|tells|asked|asks|for) (?:{names})\b"
"""Whom a thing was said to or done with: the turn need not name him."""
_NUMBER = re.compile(r"\d+")
_BARE = re.compile(r"\W*(?:yes|no|yep|nope|sure|correct|right|indeed|exactly|true|false|ja|nein)?\W*", re.IGNORECASE)


class Verdict(NamedTuple):
    """What became of a piece of an answer, and why."""

    support: Support
    reason: str


def answer_support(
    answer: str, cited: Sequence[Sequence[Turn]], *, people: Collection[str] = ()
) -> list[SentenceSupport]:
    """Hold each sentence of an answer against the turns that its markers lead to.

    `cited` are the turns behind each number, those of `[1]` first; `people` are all who speak in their sessions. A sentence is
    *supported* where the numbers, units, dates, times and names of each part stand in the turns that the part cites, or follow from
    them by one sum or difference, and nothing there denies it or says it of another; *unsupported* where one does not, or where it
    cites nothing; *not checkable* where it names nothing and shares too few words with them.
    """
    return [_supported(sentence, cited, frozenset(people)) for sentence in sentences(answer)]


def is_supported(found: Sequence[SentenceSupport]) -> bool:
    """Whether an answer as a whole is: some sentence is borne out, and none is not."""
    return any(each["support"] == "supported" for each in found) and all(
        each["support"] != "unsupported" for each in found
    )


def turns_behind(
    cited: Sequence[MemoryLine], lines: Sequence[MemoryLine], turns: Mapping[str, Turn]
) -> list[list[Turn]]:
    """The turns behind each number of an answer: all on which the lines rest that have this one's first turn."""
    behind = ([each for each in lines if each["sources"][0] == line["sources"][0]] for line in cited)
    sources = (dict.fromkeys(source for line in group for source in line["sources"]) for group in behind)
    return [[turns[source] for source in group if source in turns] for group in sources]


def by_sentence(answer: str, found: Sequence[SentenceSupport]) -> Iterator[tuple[str, SentenceSupport | None]]:
    """The answer in pieces that make it up: each sentence with what became of it, and what stands between them."""
    start = 0
    for each in found:
        at = answer.find(each["text"], start)
        if at > start:
            yield answer[start:at], None
        if at >= 0:
            yield each["text"], each
            start = at + len(each["text"])
    if answer[start:]:
        yield answer[start:], None


def sentences(answer: str) -> list[str]:
    """The sentences of an answer, each with the markers that follow it."""
    shown = _MARKER.sub(lambda markers: " " * len(markers[0]), _without_quoted(answer))
    parts: list[str] = []
    start = 0
    for _, stop in sentence_spans(shown):
        behind = _MARKER.match(answer, stop)
        end = behind.end() if behind else stop
        parts.append(answer[start:end])
        start = end
    return [part.strip() for part in parts if _MARKER.sub("", part).strip(" \n\"'.-*\u2022")]


def _without_quoted(answer: str) -> str:
    """The answer with a letter in place of each character that is quoted: what ends a sentence there ends none of the answer's."""
    depth = 0
    shown = []
    for character in answer:
        depth += (character == "\u201c") - (character == "\u201d" and depth > 0)
        shown.append("x" if depth else character)
    return answer if depth else "".join(shown)


def _supported(sentence: str, cited: Sequence[Sequence[Turn]], people: frozenset[str]) -> SentenceSupport:
    pieces = _pieces(sentence)
    named = sorted({number for _, marked in pieces for number in marked if number <= len(cited)})
    turns = [turn for number in named for turn in cited[number - 1]]
    verdicts = [
        _verdict(text, [turn for number in marked if number <= len(cited) for turn in cited[number - 1]], turns, people)
        for text, marked in pieces
    ]
    order: tuple[Support, ...] = ("unsupported", "supported", "not_checkable")
    worst = min(verdicts, key=lambda verdict: order.index(verdict.support))
    reasons = "; ".join(
        dict.fromkeys(each.reason for each in verdicts if each.support == worst.support and each.reason)
    )
    return SentenceSupport(text=sentence, citations=named, support=worst.support, reason=reasons)


def _pieces(sentence: str) -> list[tuple[str, list[int]]]:
    """The parts of a sentence, each ended by its markers; what follows the last ones belongs to their part."""
    pieces: list[tuple[str, list[int]]] = []
    start = 0
    for marker in _MARKER.finditer(sentence):
        text = sentence[start : marker.start()]
        marked = [int(number) for number in _NUMBER.findall(marker[0])]
        if text.strip(" ,;.") or not pieces:
            pieces.append((text, marked))
        else:
            pieces[-1][1].extend(marked)
        start = marker.end()
    rest = sentence[start:]
    if not pieces:
        return [(rest, [])]
    pieces[-1] = (f"{pieces[-1][0]} {rest}", pieces[-1][1])
    return pieces


def _verdict(text: str, turns: Sequence[Turn], around: Sequence[Turn], people: frozenset[str]) -> Verdict:
    """The verdict of one part: numbers and dates stand in its own turns, names also in those of its sentence."""
    if not turns:
        bare = _BARE.fullmatch(text) is not None
        return Verdict("not_checkable", "") if bare else Verdict("unsupported", "it cites nothing")
    held = [Evidence(turn) for turn in turns]
    said = [Said(turn, frozenset(people - {turn.speaker})) for turn in turns]
    shown = ""
    missing = lacking(text, held)
    if missing and missing.startswith("the name "):
        missing = _missing_name(text, around, people)
    elif missing and missing.startswith("the number "):
        shown = _reckoned(text, held)
        missing = None if shown and not lacking(_without_numbers(text), held) else missing
    if missing:
        return Verdict("unsupported", f"{missing} is not in what it cites")
    if fault := other_unit(text, turns) or denial(text, turns) or other_person(text, said, people):
        return Verdict("unsupported", fault)
    return Verdict("supported", shown) if shown or _is_near(text, held, people) else Verdict("not_checkable", "")


def _missing_name(text: str, around: Sequence[Turn], people: frozenset[str]) -> str | None:
    """The first name that none of the sentence's turns holds; one who may be meant by `you` is held."""
    held = [Evidence(turn, people) for turn in around]
    told = _TOLD.format(names="|".join(map(re.escape, sorted(people))) or "$^")
    missing = lacking(_without_numbers(re.sub(told, " ", text)), held)
    return missing if missing and missing.startswith("the name ") else None


def _without_numbers(text: str) -> str:
    for number in numbers(text):
        text = text.replace(number.text, ",", 1)
    return text


def _reckoned(text: str, held: Sequence[Evidence]) -> str:
    """How the numbers that are not told follow from two that are, or from the number of turns cited; empty where one does not."""
    told = {value for evidence in held for value, ordinal in evidence.figures if not ordinal and value < 1900}
    shown: list[str] = []
    for number in numbers(text):
        if any(evidence.has_number(number) for evidence in held):
            continue
        reckoning = next(
            (_written(number.value, pair) for pair in combinations(sorted(told), 2) if _follows(number.value, pair)), ""
        )
        if not reckoning and number.value == len(held) > 1:
            reckoning = f"{len(held)} turns are cited"
        if not reckoning:
            return ""
        shown.append(reckoning)
    return ", ".join(shown)


def _follows(value: Decimal, pair: tuple[Decimal, Decimal]) -> bool:
    return value in (pair[0] + pair[1], pair[1] - pair[0])


def _written(value: Decimal, pair: tuple[Decimal, Decimal]) -> str:
    small, large = pair
    return f"{value:f} = {large:f} + {small:f}" if value == small + large else f"{value:f} = {large:f} - {small:f}"


def _is_near(text: str, held: Sequence[Evidence], people: frozenset[str]) -> bool:
    """Whether the turns share enough of a sentence's words for it to be about them."""
    wanted = set(base_terms(text)) - {term for name in people for term in base_terms(name)}
    known = {term for evidence in held for term in base_terms(evidence.text)}
    return not wanted or len(wanted & known) / len(wanted) >= _LEAST_SHARED
