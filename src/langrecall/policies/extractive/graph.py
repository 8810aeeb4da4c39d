"""The graph of a session without a model: who and what is named, and what is named together."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from langrecall.language.english import is_english, leads
from langrecall.language.names import names_of
from langrecall.language.noun_phrases import noun_phrases
from langrecall.language.sentences import sentences
from langrecall.language.words import terms, words_of
from langrecall.records import Relation, Turn

NAMES = 48
NOUN_PHRASES = 48
RELATIONS = 48
"""Of each at most a session: with them an entry weighs little more than one with events and facts."""
TOGETHER = "mentioned with"
"""What is known of two things that are said in one sentence, or of a speaker and a thing said."""


_Key: TypeAlias = tuple[str, ...]
"""What the spellings of an entity within a session share: `adoption agency` and `Adoption agencies` are one."""
_Pair: TypeAlias = tuple[_Key, _Key]
_Turns: TypeAlias = dict[int, None]
"""The indices of turns in order, each once."""


class Graph(NamedTuple):
    """The parts of a metadata entry that make its graph."""

    entities: tuple[str, ...]
    relations: tuple[Relation, ...]


class _Sentence(NamedTuple):
    """What one sentence of a turn, or the caption of its picture, names."""

    turn: Turn
    names: list[str]
    phrases: list[str]


def graph_of(turns: Sequence[Turn]) -> Graph:
    """Speakers, names and noun phrases, and which of them are said together; noun phrases are told in English only."""
    said = list(_sentences(turns))
    speakers = [turn.speaker for turn in turns]
    spelled = _spelled([*speakers, *(text for each in said for text in (*each.names, *each.phrases))])
    people = set(map(_key, speakers))
    named = [key for each in said for key in map(_key, each.names) if key not in people]
    taken = people.union(named)
    phrases = [key for each in said for key in map(_key, each.phrases) if key not in taken]
    kept = people.union(_commonest(named, NAMES), _commonest(phrases, NOUN_PHRASES))
    relations = [
        Relation(subject=spelled[one], predicate=TOGETHER, object=spelled[other], turns=tuple(indices))
        for (one, other), indices in _pairs(said, kept)
    ]
    return Graph(tuple(text for key, text in spelled.items() if key in kept), tuple(relations))


def _sentences(turns: Sequence[Turn]) -> Iterator[_Sentence]:
    words = [words_of(turn.text) for turn in turns]
    english = is_english([word for said in words for word in said])
    for turn, said in zip(turns, words, strict=True):
        captions = [image.caption for image in turn.images if image.caption]
        for text in (*sentences(turn.text), *captions):
            readable = english and (leads(said) or text in captions)
            yield _Sentence(turn, names_of(text), noun_phrases(text) if readable else [])


@lru_cache(maxsize=4096)
def _key(text: str) -> _Key:
    return tuple(terms(text) or words_of(text) or [text])


def _spelled(texts: Iterable[str]) -> dict[_Key, str]:
    """Each entity as it is written first."""
    spelled: dict[_Key, str] = {}
    for text in texts:
        spelled.setdefault(_key(text), text)
    return spelled


def _commonest(keys: Iterable[_Key], most: int) -> list[_Key]:
    """Those said most often, and of one number longer ones first, which say more."""
    found = Counter(keys)
    return sorted(found, key=lambda key: (-found[key], -len(key)))[:most]


def _pairs(said: Sequence[_Sentence], kept: Container[_Key]) -> list[tuple[_Pair, _Turns]]:
    """Who speaks of what, then what is said in one sentence, with the turns that say so.

    That a speaker calls another by name is no relation: it would lead to every greeting.
    """
    spoken: dict[_Pair, _Turns] = {}
    together: dict[_Pair, _Turns] = {}
    speakers = {turn.speaker: _key(turn.speaker) for turn, *_ in said}
    for turn, names, phrases in said:
        keys = [key for key in dict.fromkeys(map(_key, [*names, *phrases])) if key in kept]
        for key in (key for key in keys if key not in speakers.values()):
            spoken.setdefault((speakers[turn.speaker], key), {})[turn.index] = None
        for one, other in combinations(keys, 2):
            pair = (other, one) if (other, one) in together else (one, other)
            together.setdefault(pair, {})[turn.index] = None
    return [*_turn_by_turn(spoken), *_turn_by_turn(together)][:RELATIONS]


def _turn_by_turn(pairs: Mapping[_Pair, _Turns]) -> list[tuple[_Pair, _Turns]]:
    """Those of most turns first, but no turn's second pair before another turn's first: the more turns can be led back to."""
    begun: Counter[int] = Counter()
    places: dict[_Pair, int] = {}
    ranked = sorted(pairs.items(), key=lambda pair: -len(pair[1]))
    for pair, indices in ranked:
        first = min(indices)
        places[pair] = begun[first]
        begun[first] += 1
    return sorted(ranked, key=lambda pair: places[pair[0]])
