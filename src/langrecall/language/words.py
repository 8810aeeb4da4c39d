"""Words as the ranking sees them: folded, stemmed, without stop words."""

import re
import unicodedata
import warnings
from collections.abc import Iterator
from itertools import pairwise

import Stemmer

from langrecall.language.scripts import UNSPACED, is_unspaced

with warnings.catch_warnings():
    # In a notebook without ipywidgets tqdm complains, whose bars bm25s never shows here.
    warnings.filterwarnings("ignore", "IProgress not found")
    from bm25s.stopwords import STOPWORDS_EN_PLUS

STOP_WORDS = frozenset(STOPWORDS_EN_PLUS)

# The marks of Indic vowels are no word characters to `re`.
_WORD = re.compile(f"[{UNSPACED}]+|(?:[^\\W_{UNSPACED}]|[\u0900-\u0dff])+")
# Only the marks of the Latin, Greek and Cyrillic block: others (kana voicing, Indic vowels) are letters of their own.
_ACCENTS = re.compile("[\u0300-\u036f]")


def terms(text: str) -> list[str]:
    """The text's index terms: folded, without stop words, English stems; pairs of characters where words have no spaces."""
    words = [word for word in words_of(text) if word not in STOP_WORDS]
    stems: list[str] = Stemmer.Stemmer("english").stemWords(words)
    return stems


def words_of(text: str) -> list[str]:
    """The text's folded words in order, stop words among them, unstemmed."""
    folded = fold(text)
    runs: list[str] = _WORD.findall(folded)
    return runs if folded.isascii() else [word for run in runs for word in _split(run)]


def fold(text: str) -> str:
    """Case, width and accents folded, so that `Zoë`, `ZOE` and `zoe` are one."""
    return unaccented(text).casefold()


def unaccented(text: str) -> str:
    """Width and accents folded, the case kept."""
    if text.isascii():
        return text
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFKC", plain)


def _split(run: str) -> Iterator[str]:
    if len(run) > 1 and is_unspaced(run):
        yield from map("".join, pairwise(run))
    else:
        yield run
