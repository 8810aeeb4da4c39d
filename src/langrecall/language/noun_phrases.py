"""The noun phrases of an English text without a tagger: what one could ask about, such as `pottery class`."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from langrecall.language.english import (
    ADJECTIVES,
    DETERMINERS,
    EITHER,
    EMPTY_HEADS,
    EMPTY_MODIFIERS,
    ENDS,
    LEADING_TO,
    NO_ADVERBS,
    OBJECTS,
    PREPOSITIONS,
    VERBS,
)
from langrecall.language.sentences import BREAK_MARKS
from langrecall.language.words import STOP_WORDS, fold

LONGEST = 4
"""Words of a phrase at most; a longer run is a sentence that was not understood."""
_SHORTEST = 4
"""Letters of a phrase of one word at least."""

Opening = Literal["determiner", "object", "start", "verb"]
"""What comes next: a noun after a determiner, or after a verb or preposition; the start of a sentence; a verb or predicate."""

_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|\d[\d.,:]*\w*|[^\s\w]")
_CONTRACTED = re.compile(r"(?:'(?:m|re|ve|ll|d)|n't)$")
_POSSESSIVE = re.compile(r"'s?$")
_PAST = re.compile(r"\w{2}[^\We]ed$")
_PREDICATE = re.compile(r"(?:ful|ous|able|ible|less|iest)$")
_INTENSIFIERS = frozenset(("very", "really", "so", "too", "just", "only", "quite"))
_LINKS = frozenset((",", "/", "&", "and", "or"))
_PARTS = BREAK_MARKS | {"-"}
_FUNCTIONS = ENDS | DETERMINERS | PREPOSITIONS | VERBS | {"and", "or", "to", "that"}


class _Token(NamedTuple):
    said: str
    word: str


def noun_phrases(text: str) -> list[str]:
    """The phrases as they are written, in order, each once; proper names are left to those who look for names."""
    folded = ((said, fold(said).replace("\u2019", "'")) for said in _TOKEN.findall(text))
    tokens = [_Token(said, word) for said, word in folded if word]  # of a lone accent nothing is left
    found = (_phrase(opening, run) for opening, run in _runs(tokens))
    return list(dict.fromkeys(phrase for phrase in found if phrase))


def _runs(tokens: Sequence[_Token]) -> Iterator[tuple[Opening, list[_Token]]]:
    """Runs of words that can stand in a noun phrase, each with what led up to it."""
    opening: Opening = "start"
    run: list[_Token] = []
    words = [token.word for token in tokens]
    verb = ""
    for token, before, after in zip(tokens, ["", *words], [*words[1:], ""], strict=False):
        if not _can_stand(token.word, after, opening, run):
            if run:
                yield opening, run
            said_of_subject = bool(verb) and verb == before
            opening = _opened(token.word, before, "object" if run else "verb" if said_of_subject else opening)
            run = []
        elif opening == "verb":
            opening, verb = "object", token.word
        else:
            run.append(token)
    if run:
        yield opening, run


def _can_stand(word: str, after: str, opening: Opening, run: Sequence[_Token]) -> bool:
    """Whether a word goes on with a run or begins one; where a verb is due, whether it can be that verb."""
    if not word[0].isalpha() or "'" in word or _is_adverb(word):
        return False
    if word in _FUNCTIONS and not _is_noun_here(word, opening, run):
        return False
    if _is_verb_here(word, opening, run):
        return False
    has_object = after in DETERMINERS or after in OBJECTS
    return not has_object or (opening == "determiner" and not run)


def _is_noun_here(word: str, opening: Opening, run: Sequence[_Token]) -> bool:
    return word in EITHER and (not run[-1].word.endswith("s") if run else opening == "determiner")


def _is_verb_here(word: str, opening: Opening, run: Sequence[_Token]) -> bool:
    """`kids painting`, `class helped`, `finished painting`; not `oil painting` or `a baked cake`."""
    if word.endswith("ing"):
        return bool(run) and run[-1].word.endswith("s")
    return bool(_PAST.search(word)) and (bool(run) or opening != "determiner")


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") and word not in NO_ADVERBS


def _opened(word: str, before: str, opening: Opening) -> Opening:
    """What a word outside of all runs leads up to."""
    if "'" in word:
        return _opened_by_apostrophe(word)
    if word in DETERMINERS or word == "that":
        return "determiner"
    if word == "to":
        return "object" if before in LEADING_TO else "verb"
    if word in _LINKS:
        return opening
    if word in _INTENSIFIERS or _is_adverb(word):
        return "determiner" if opening == "determiner" else "verb"
    if word in _PARTS:
        return "start"
    return "verb" if word in ENDS or not word[0].isalnum() else "object"


def _opened_by_apostrophe(word: str) -> Opening:
    owner = _POSSESSIVE.sub("", word)
    return "verb" if _CONTRACTED.search(word) or owner in STOP_WORDS or owner in VERBS else "determiner"


def _phrase(opening: Opening, run: Sequence[_Token]) -> str:
    """The run without praise before its noun; empty where it names nothing, or ends in a name."""
    first = next((place for place, token in enumerate(run) if token.word not in EMPTY_MODIFIERS), len(run))
    if opening == "start" and len(run) > first + 1 and run[first].word.endswith("ing"):
        first += 1  # a sentence that begins with what somebody does
    kept = run[first:]
    if not 0 < len(kept) <= LONGEST or not _names_something(kept[-1].word):
        return ""
    is_name = kept[-1].said[0].isupper()
    is_vague = len(kept) == 1 and (opening == "start" or len(kept[0].word) < _SHORTEST or kept[0].word in EITHER)
    return "" if is_name or is_vague else " ".join(token.said for token in kept)


def _names_something(head: str) -> bool:
    says_how = head in EMPTY_MODIFIERS or head in ADJECTIVES or _PREDICATE.search(head) or _PAST.search(head)
    return not says_how and head not in EMPTY_HEADS
