"""What the policy without a model quotes of a turn: what was said, or else what is known of its pictures."""

from typing import NamedTuple

from langrecall.citations import locate
from langrecall.policies.questions import Asked
from langrecall.policies.verbs import base_terms
from langrecall.records import Turn

PICTURE_CHARACTERS = 300
"""Of the text in one picture that an answer quotes."""
CAPTION = "picture: "
WRITTEN = "in the picture: "


class Passage(NamedTuple):
    """Words of a turn, and what is put before them where nobody spoke them."""

    lead: str
    words: str


def passages(turn: Turn, asked: Asked) -> list[Passage]:
    """What an answer quotes: the text or else the captions, and what is written in the pictures as far as it matters."""
    said = [Passage("", turn.text.strip())] if turn.text.strip() else _captions(turn)
    return [*said, *_that_matters(turn, asked)] or _beginnings(turn)


def citable(turn: Turn, asked: Asked) -> Passage | None:
    """What a memory line quotes: the text, or else of captions and writing what shares most with the question; None without any."""
    if turn.text.strip():
        return Passage("", turn.text)
    known = [*_captions(turn), *_written(turn, asked)]
    return max(known, key=lambda passage: len(asked.terms.intersection(base_terms(passage.words))), default=None)


def _captions(turn: Turn) -> list[Passage]:
    captions = ((image.caption or "").strip() for image in turn.images)
    return [Passage(CAPTION, caption) for caption in captions if caption]


def _writings(turn: Turn) -> list[list[str]]:
    """The text in each picture that has any, by line."""
    lines = ([line.strip() for line in (image.ocr or "").splitlines()] for image in turn.images)
    return [kept for each in lines if (kept := [line for line in each if line])]


def _telling(lines: list[str], asked: Asked) -> list[int]:
    """Where a term of the question stands."""
    return [place for place, line in enumerate(lines) if not asked.terms.isdisjoint(base_terms(line))]


def _that_matters(turn: Turn, asked: Asked) -> list[Passage]:
    """Of each picture the lines that hold a term of the question, with the line below, which may hold its value."""
    found = []
    for lines in _writings(turn):
        near = {place + below for place in _telling(lines, asked) for below in (0, 1)}
        found.append([line for place, line in enumerate(lines) if place in near])
    return [_shown(lines) for lines in found if lines]


def _beginnings(turn: Turn) -> list[Passage]:
    return [_shown(lines) for lines in _writings(turn)]


def _shown(lines: list[str]) -> Passage:
    return Passage(WRITTEN, " / ".join(lines)[:PICTURE_CHARACTERS])


def _written(turn: Turn, asked: Asked) -> list[Passage]:
    """Of each picture the first line that matters and the one below, with as much around them as it takes to be a quote."""
    return [_stretch(lines, next(iter(_telling(lines, asked)), 0), turn) for lines in _writings(turn)]


def _stretch(lines: list[str], place: int, turn: Turn) -> Passage:
    wider = (" ".join(lines[max(place - more, 0) : place + 2 + more]) for more in range(len(lines)))
    words = next((text for text in wider if locate(text, [turn])), " ".join(lines))
    return Passage(WRITTEN, words)
