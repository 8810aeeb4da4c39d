"""Where a quote stands: in which turn, word for word but for white space, quotation marks and what is shown beside the words."""

import re
from collections.abc import Iterator, Sequence

from langrecall.citations.specifics import words
from langrecall.grounding.text import ground, strip
from langrecall.language.scripts import is_unspaced, unspaced_characters
from langrecall.records import Turn
from langrecall.rendering import one_line

LEAST_WORDS = 5
"""A quote shorter than the whole turn has at least so many words."""

_LEAST_CHARACTERS = 8
"""The same for scripts that put no blanks between words, in characters."""

_QUOTES = str.maketrans(
    dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"') | dict.fromkeys("\u2018\u2019\u201a\u0060\u00b4", "'")
)
_EDGES = " \"'.,;:!?\u2026\u3002\uff0c\uff01\uff1f"
_INSERTION = re.compile(r" \[= ([^\]]*)\]")
_IMAGE_NOTE = re.compile(r"\[image: ([^\]]*?)(?:; text in it:([^\]]*))?\]")


def locate(quote: str, turns: Sequence[Turn]) -> Turn | None:
    """The first turn of which `quote` is the whole or at least five words; None where it is too short or nowhere."""
    return next(holding(quote, turns), None)


def holding(quote: str, turns: Sequence[Turn]) -> Iterator[Turn]:
    """The turns that hold a quote of which they are the whole, or at least five words."""
    for turn in turns:
        for form in _forms(quote, turn):
            if _occurs(form, turn) and (_is_whole(form, turn) or _is_long(form)):
                yield turn
                break


def why_not_found(quote: str, turns: Sequence[Turn]) -> str:
    """What to say of a quote that none of the turns holds."""
    if not turns:
        return "no turn is named"
    if any(_occurs(form, turn) for turn in turns for form in _forms(quote, turn)):
        return f"the quote is too short: it takes a whole turn or {LEAST_WORDS} words of it"
    return f"the quote is not in {', '.join(turn.id for turn in turns)}"


def quotable(turn: Turn) -> list[str]:
    """The text of a turn, the captions of its pictures and the text in them."""
    shown = [part for image in turn.images for part in (image.caption, image.ocr)]
    return [part for part in (turn.text, *shown) if part]


def _normal(*parts: str | None) -> str:
    """The parts without differences of white space and quotation marks, a line each."""
    lines = [" ".join(part.translate(_QUOTES).split()) for part in parts if part]
    return "\n".join(filter(None, lines))


def _core(normal: str) -> str:
    """A normal form without punctuation around it, unless nothing else is there."""
    return normal.strip(_EDGES) or normal


def _forms(quote: str, turn: Turn) -> list[str]:
    """The quote as given, and as it would read in the raw turn if it was copied from a shown one."""
    lead = re.compile(rf"^\s*(?:\[{re.escape(turn.id)}\]\s*)?(?:{re.escape(one_line(turn.speaker))}(?: \(\w+\))?:\s+)?")
    raw = without_own_insertions(lead.sub("", quote, count=1), turn)
    end = raw.rfind("]") + 1  # beyond it no note closes, however many begin
    *pieces, last = _IMAGE_NOTE.split(raw[:end])
    forms = (_core(_normal(quote)), _core(_normal(*pieces, f"{last}{raw[end:]}")))
    return [form for form in dict.fromkeys(forms) if form]


def without_own_insertions(shown: str, turn: Turn) -> str:
    """The raw text behind a shown one; an insertion that the turn's time expressions do not bear out stays, and is checked as text."""
    if "[=" not in shown:
        return shown
    own = {found.label() for found in ground(turn.text, turn.time)}
    end = shown.rfind("]") + 1  # beyond it none closes, however many begin
    kept = _INSERTION.sub(lambda note: "" if note[1] in own else _as_text(note[0]), shown[:end])
    return strip(f"{kept}{_as_text(shown[end:])}")


def _as_text(insertions: str) -> str:
    """With one equals sign more, as a mark is shown that the text has of its own."""
    return insertions.replace("[= ", "[== ")


def _occurs(form: str, turn: Turn) -> bool:
    before, after = ("" if is_unspaced(edge) or not edge.isalnum() else r"\b" for edge in (form[0], form[-1]))
    return re.search(f"{before}{re.escape(form)}{after}", _normal(*quotable(turn))) is not None


def _is_whole(form: str, turn: Turn) -> bool:
    whole = (*map(_normal, quotable(turn)), _normal(*quotable(turn)))
    return form in map(_core, whole)


def _is_long(form: str) -> bool:
    return len(words(form)) >= LEAST_WORDS or unspaced_characters(form) >= _LEAST_CHARACTERS
