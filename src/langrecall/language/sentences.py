"""Where sentences end, and what parts the statements within them."""

import re

QUESTION_MARKS = ("?", "\uff1f", "\u061f")

BREAK_MARKS = frozenset(".!?:;\u2026\u2013\u2014\u2022\u3002\uff01\uff1f\uff1b\u061f\u06d4\u0964\n")
"""What ends a sentence or parts statements within it, where it stands by itself."""

BREAK = re.compile(
    r"\.(?!\d)|[!?;\u2026\n\u2013\u2014\u2022\u3002\uff01\uff1f\uff1b\u061f\u06d4\u0964]|:(?=\s|\Z)|\s-+(?=\s)"
)
"""The same in a text: no point or colon of a figure or time of day, and a hyphen only between blanks."""

_OPENERS = r"[\s\"'\u201c\u2018\u00ab\u300c(\[*#>-]*"
_START = re.compile(rf"(?:\A|{BREAK.pattern}){_OPENERS}")

_CLOSERS = r"[\"'\u2019\u201d\u00bb\u300d\u300f\uff09)\]*_]*"
_END = re.compile(
    rf"[.!?\u2026]+{_CLOSERS}(?=\s|\Z)|(?<=[^\W\d_A-Z])[.!?]+(?=[A-Z])|[\u3002\uff01\uff1f\u061f\u06d4\u0964]+{_CLOSERS}|\n"
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|approx|fig|nos?|e\.g|i\.e|a\.m|p\.m|etc|z\.b|bzw|ca|sra?|dra?|mme|mlle)|(?<![\w'\u2019])[^\W\d_])\.\Z",
    re.IGNORECASE,
)
_MAY_END = re.compile(r"(?:a\.m|p\.m|etc)\.\Z", re.IGNORECASE)
_INITIAL_I = re.compile(r"(?<![\w.])I\.\Z")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Where each sentence begins and ends, its marks and closing quotation marks with it; a text of blanks has none.

    A line break ends one. `Dr.`, `e.g.` and initials end none, and `a.m.` only before a capital.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for end in _END.finditer(text):
        if not _goes_on(text, end):
            spans.append(_stripped(text, start, end.end()))
            start = end.end()
    spans.append(_stripped(text, start, len(text)))
    return [span for span in spans if span[0] < span[1]]


def sentences(text: str) -> list[str]:
    """The sentences of a text, without the blanks between them."""
    return [text[start:end] for start, end in sentence_spans(text)]


def is_question(sentence: str) -> bool:
    """Whether a sentence asks: it states nothing."""
    return sentence.rstrip().endswith(QUESTION_MARKS)


def statement_starts(text: str) -> set[int]:
    """Where statements begin: at the start, and after whatever ends a sentence or parts it; there a capital tells nothing."""
    return {opening.end() for opening in _START.finditer(text)}


def _goes_on(text: str, end: re.Match[str]) -> bool:
    """Whether what looks like an end is the point of an abbreviation or of an initial."""
    before = text[max(end.start() - 12, 0) : end.end()]
    if end[0] != "." or not _ABBREVIATED.search(before) or _INITIAL_I.search(before):
        return False
    following = text[end.end() :].lstrip()[:1]
    return not following or not (_MAY_END.search(before) and following.isupper())


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())
