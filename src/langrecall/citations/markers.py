"""The `[n]` markers of an answer: which lines they lead to, and which brackets are none because they are quoted."""

import re
from collections.abc import Sequence

from langrecall.citations.quotes import quotable
from langrecall.records import Turn
from langrecall.state import MemoryLine

_MARKERS = re.compile(r"(?: ?\[-?\d{1,4}(?:\s*[-,;\u2013]\s*\d{1,4})*\])+")
"""`[1]`, `[1, 3]`, `[1; 3]`, `[1-3]`, and several of them in a row."""
_SPAN = re.compile(r"(-?\d+)(?:\s*[-\u2013]\s*(\d+))?")
_BEFORE = 12
"""Characters before a bracket by which it is known as a part of what is quoted."""


def cite(text: str, lines: Sequence[MemoryLine], quoted: Sequence[Turn] = ()) -> tuple[str, list[MemoryLine]]:
    """Renumber the markers of `text` by first mention, one number a turn; returns the text and the lines they lead to.

    Markers that lead to no line are taken out. What stands in brackets in a quoted turn is no marker, and stays as it is.
    """
    bracketed = [" ".join(words.split()) for turn in quoted for words in quotable(turn) if _MARKERS.search(words)]
    numbers: dict[str, int] = {}
    cited: list[MemoryLine] = []

    def renumbered(markers: re.Match[str]) -> str:
        if any(_is_quoted(markers[0], text[: markers.start()], words) for words in bracketed):
            return markers[0]
        kept: list[str] = []
        for line in _counted(markers[0], lines):
            turn = line["sources"][0]
            if turn not in numbers:
                numbers[turn] = len(numbers) + 1
                cited.append(line)
            kept.append(f"[{numbers[turn]}]")
        return " " + "".join(dict.fromkeys(kept)) if kept else ""

    return _MARKERS.sub(renumbered, text).strip(), cited


def _is_quoted(brackets: str, before: str, words: str) -> bool:
    """Whether brackets stand in a text after the same characters as in these words of a turn."""
    places = (match.start() for match in re.finditer(re.escape(brackets.strip()), words))
    leads = (words[max(place - _BEFORE, 0) : place].rstrip() for place in places)
    start = " ".join(before[-4 * _BEFORE :].split())
    return any(start.endswith(lead or "\u201c") for lead in leads)


def _counted(markers: str, lines: Sequence[MemoryLine]) -> list[MemoryLine]:
    """The lines that markers count, from 1, those within a span among them."""
    spans = [(max(int(first), 1), int(last or first)) for first, last in _SPAN.findall(markers)]
    return [line for first, last in spans for line in lines[first - 1 : max(last, 0)]]
