"""Whether a clause speaks of the past or of the future: what decides between last and next Friday when it says `on Friday`."""

import re
from typing import Literal

from langrecall.language.sentences import BREAK

Tense = Literal["past", "future", "unknown"]

_CLAUSE_END = re.compile(r",|\b(?:and|but|so|because|then|while|which|who)\b", re.IGNORECASE)

_ADJECTIVES_IN_ING = (
    r"(?:amaz|interest|excit|inspir|challeng|reward|surpris|fascinat|(?:no|some|every|any)?th|morn|even|spr|wedd)ing\b"
)
_FUTURE = re.compile(
    r"\b(?:will|won't|would|shall|should|gonna|wanna|gotta|going to|about to|like to|plan(?:s|ning)?|hop(?:e|es|ing) (?:to|for)|wants? to"
    r"|needs? to|ha(?:ve|s) (?:to|an?|my|our|the|some)|there(?:'s| is) an?|can (?:you|we|i)|let's|upcoming|(?:can't|cant|cannot) wait"
    r"|look(?:ing)? forward|see you|scheduled|invited|excited (?:for|to)|ready for)\b|'ll\b"
    rf"|\b(?:am|is|are|i'm|(?:you|we|they)'re|(?:he|she|it|that|there|who)'s) (?:\w+ )?(?!{_ADJECTIVES_IN_ING})\w{{2,}}ing\b",
    re.IGNORECASE,
)
# A participle after one of these describes a state or a thing: `I'm swamped`, `the most respected`.
_NO_VERB_BEFORE = (
    "".join(
        rf"(?<!\b{word} )"
        for word in ("am", "is", "are", "be", "get", "most", "more", "very", "so", "too", "the", "a", "an")
    )
    + r"(?<!'m )(?<!'re )(?<!'s )"
)
_NOT_PAST = r"(?:excit|interest|stok|tir|suppos|schedul|invit|pump|psych|thrill|prepar|plann|book|marri|bas|bless|relat|hundr|nak|sacr)ed\b"
_PAST = re.compile(
    r"\b(?:was|were|wasn't|weren't|did|didn't|had|hadn't|been|went|gone|got|won|came|saw|seen|made|took|taken|met|lost|found|gave|given"
    r"|told|said|thought|felt|left|bought|brought|caught|taught|began|ran|swam|ate|drank|drove|flew|wrote|written|spoke|broke|chose|woke"
    r"|wore|fell|held|heard|kept|knew|led|paid|sent|sat|slept|spent|stood|threw|understood|grew|built|sang|rode|hid|drew|done"
    rf"|{_NO_VERB_BEFORE}(?!{_NOT_PAST})[a-z]{{2,}}[^\We]ed)\b",
    re.IGNORECASE,
)
_OWN_SUBJECT = re.compile(r"\s*(?:i|we|you|they|he|she)\b", re.IGNORECASE)
_HABIT = re.compile(r"\b(?:usually|often|always|typically|normally|every|each|annual(?:ly)?|used to)\b", re.IGNORECASE)


_REACH = 1_000
"""Characters on each side: a text without an end is no sentence."""


def tense(text: str, start: int, end: int) -> Tense:
    """The tense around `text[start:end]`: that of its clause, or where that has no sign and no subject of its own, of its sentence."""
    sentence = _within(BREAK, text, start, end, 0, len(text))
    clause = _within(_CLAUSE_END, text, start, end, *sentence)
    in_clause = _signs(text[slice(*clause)])
    its_own = clause[0] > sentence[0] and _OWN_SUBJECT.match(text, clause[0])
    return in_clause if its_own or in_clause != "unknown" else _signs(text[slice(*sentence)])


def clause_tense(text: str, start: int, end: int) -> Tense:
    """The tense of the clause that holds `text[start:end]`."""
    sentence = _within(BREAK, text, start, end, 0, len(text))
    return _signs(text[slice(*_within(_CLAUSE_END, text, start, end, *sentence))])


def _within(ends: re.Pattern[str], text: str, start: int, end: int, first: int, last: int) -> tuple[int, int]:
    """The part of `text[first:last]` around `text[start:end]` that no end cuts off, no further than signs of tense are looked for."""
    first, last = max(first, start - _REACH), min(last, end + _REACH)
    before = max((found.end() for found in ends.finditer(text, first, start)), default=first)
    after = ends.search(text, end, last)
    return before, after.start() if after else last


def _signs(part: str) -> Tense:
    words = " ".join(part.replace("\u2019", "'").split())
    past, future = _PAST.search(words), _FUTURE.search(words)
    if _HABIT.search(words) or bool(past) == bool(future):
        return "unknown"
    return "past" if past else "future"
