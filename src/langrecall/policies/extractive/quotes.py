"""What the policy without a model quotes of a turn: what was said, or else what is known of its pictures."""

from typing import NamedTuple

from langrecall.citations.quotes import locate
from langrecall.language.sentences import sentence_spans
from langrecall.language.verbs import base_terms
from langrecall.policies.extractive.questions import Asked
from langrecall.records import Turn

QUOTE_CHARACTERS = 600
"""Of one turn's words that are quoted: of a longer one the sentences about what was asked."""
PICTURE_CHARACTERS = 300
"""Of the text in one picture that an answer quotes."""
_CAPTION = "picture: "
_WRITTEN = "in the picture: "


class Passage(NamedTuple):
    """Words of a turn, and what is put before them where nobody spoke them."""

    lead: str
    words: str


def passages(turn: Turn, asked: Asked) -> list[Passage]:
    """What an answer quotes: the text or else the captions, and what is written in the pictures as far as it matters."""
    said = [Passage("", _bearing(turn.text.strip(), asked))] if turn.text.strip() else _captions(turn)
    return [*said, *_that_matters(turn, asked)] or _beginnings(turn)


def quote_of(turn: Turn, asked: Asked) -> Passage | None:
    """What a memory line quotes: of text, or else captions, and writing what shares most with the question; None without any."""
    said = [Passage("", _bearing(turn.text, asked))] if turn.text.strip() else _captions(turn)
    known = [*said, *_written(turn, asked)]
    return max(known, key=lambda passage: len(asked.terms.intersection(base_terms(passage.words))), default=None)


def _bearing(text: str, asked: Asked) -> str:
    """The sentence of a long text that shares most with the question, and as many on both sides of it as are quoted at all."""
    if len(text) <= QUOTE_CHARACTERS:
        return text
    spans = sentence_spans(text)
    shared = [len(asked.terms.intersection(base_terms(text[start:end]))) for start, end in spans]
    first = last = shared.index(max(shared))
    while spans[last][1] - spans[first][0] <= QUOTE_CHARACTERS:
        start, end = spans[first][0], spans[last][1]
        before, after = max(first - 1, 0), min(last + 1, len(spans) - 1)
        if after > last and spans[after][1] - start <= QUOTE_CHARACTERS:
            last = after
        elif before < first and end - spans[before][0] <= QUOTE_CHARACTERS:
            first = before
        else:
            break
    return text[spans[first][0] : spans[last][1]].strip()[:QUOTE_CHARACTERS]


def _captions(turn: Turn) -> list[Passage]:
    captions = ((image.caption or "").strip() for image in turn.images)
    return [Passage(_CAPTION, caption) for caption in captions if caption]


def _writings(turn: Turn) -> list[list[str]]:
    """The text in each picture that has any, by line."""
    lines = ([line.strip() for line in (image.ocr or "").splitlines()] for image in turn.images)
    return [kept for each in lines if (kept := [line for line in each if line])]


def _telling(lines: list[str], asked: Asked) -> list[int]:
    """Where a term of the question stands."""
    return [place for place, line in enumerate(lines) if not asked.terms.isdisjoint(base_terms(line))]


def _most_telling(lines: list[str], asked: Asked) -> int:
    """Where most terms of the question stand; the first of several places."""
    return max(range(len(lines)), key=lambda place: len(asked.terms.intersection(base_terms(lines[place]))))


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
    return Passage(_WRITTEN, " / ".join(lines)[:PICTURE_CHARACTERS])


def _written(turn: Turn, asked: Asked) -> list[Passage]:
    """Of each picture the line that matters most and the one below, with as much around them as it takes to be a quote."""
    return [_stretch(lines, _most_telling(lines, asked), turn) for lines in _writings(turn)]


def _stretch(lines: list[str], place: int, turn: Turn) -> Passage:
    wider = (" ".join(lines[max(place - more, 0) : place + 2 + more]) for more in range(len(lines)))
    words = next((text for text in wider if locate(text, [turn])), " ".join(lines))
    return Passage(_WRITTEN, words)
