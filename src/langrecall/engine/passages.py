"""What is shown of a turn that is too long to be shown whole: the passage that says most of what is asked."""

import re

from langrecall.language.words import terms
from langrecall.records import Turn
from langrecall.rendering import CUT, turn_tokens

_WORDS = re.compile(r"\w+")


def passage(turn: Turn, tokens: int, query: str) -> Turn:
    """The part of a turn within so many tokens that says most of the query's words; the first of several, and of none the beginning."""
    bare = turn.model_copy(update={"text": "", "images": ()})
    room = max(4 * (tokens - turn_tokens(bare, grounded=False)) - 2 * len(CUT), 0)
    passage = _stretch(turn, room, query)
    while room and (over := turn_tokens(passage, grounded=False) - tokens) > 0:  # its lines are indented
        room = max(room - 4 * over, 0)
        passage = _stretch(turn, room, query)
    return passage


def _stretch(turn: Turn, room: int, query: str) -> Turn:
    start = _densest(turn.text, room, frozenset(terms(query)))
    part = turn.text[start : start + room]
    text = f"{CUT.strip()} " * (start > 0) + part + CUT * (start + room < len(turn.text))
    return turn.model_copy(update={"text": text, "images": ()})


def _densest(text: str, length: int, wanted: frozenset[str]) -> int:
    """Where the stretch of so many characters begins that holds most of the terms, with as much before them as after."""
    words = list(_WORDS.finditer(text))
    meaning = {word: frozenset(terms(word)) & wanted for word in {match[0] for match in words}}
    held = [(match.start(), match.end(), meaning[match[0]]) for match in words if meaning[match[0]]]
    best, place, last = 0, 0, 0
    for first, (start, _, _) in enumerate(held):
        while last < len(held) and held[last][1] - start <= length:
            last += 1
        inside = frozenset[str]().union(*(terms_held for _, _, terms_held in held[first:last]))
        if len(inside) > best:
            best, place = len(inside), (start + held[last - 1][1]) // 2
        if best == len(wanted):
            break
    return max(min(place - length // 2, len(text) - length), 0) if best else 0
