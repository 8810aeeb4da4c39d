"""Words as the lexical index sees them, and BM25 over lists of them."""

import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
import Stemmer
from numpy.typing import NDArray

from langrecall.language.scripts import UNSPACED, is_unspaced

with warnings.catch_warnings():
    # In a notebook without ipywidgets tqdm complains, whose bars bm25s never shows here.
    warnings.filterwarnings("ignore", "IProgress not found")
    import bm25s
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


@dataclass(frozen=True, eq=False)
class LexicalIndex:
    """BM25 (Lucene's form) over documents given as lists of terms."""

    size: int
    model: bm25s.BM25 | None

    @classmethod
    def build(cls, documents: Iterable[Sequence[str]]) -> Self:
        """Index the documents in order; documents without terms keep their place and match nothing."""
        listed = [list(document) for document in documents]
        if not any(listed):
            return cls(len(listed), None)
        model = bm25s.BM25()
        model.index(listed, show_progress=False)
        return cls(len(listed), model)

    def scores(self, query: Sequence[str]) -> NDArray[np.float32]:
        """One score a document, 0 where no term of the query occurs."""
        known = [] if self.model is None else self.model.get_tokens_ids(list(query))
        if self.model is None or not known:
            return np.zeros(self.size, dtype=np.float32)
        scores: NDArray[np.float32] = self.model.get_scores_from_ids(known)
        return scores
