"""How well turns support an answer, by words, names, who is spoken of, and the kind of thing asked for; no model."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from langrecall.grounding.text import ground
from langrecall.language.names import INSIDE, NAME
from langrecall.language.sentences import is_question, sentences
from langrecall.language.verbs import base_terms
from langrecall.language.words import words_of
from langrecall.policies.extractive.questions import FIRST_PERSON, SECOND_PERSON, Asked, Kind, names
from langrecall.records import Episode, Turn
from langrecall.rendering import day, image_note, render_episode

_CONTEXT_WEIGHTS = (0.75, 0.6, 0.45)
"""What a term counts that only the turn before says, the one before that, and so on."""
LEAST_WORDS = 3
"""What a sentence needs to state anything by itself."""
_COMPOUND = 3
"""How long a term must be to count as the end of a longer word."""
_REST_OF_TURN = 0.9
"""What a term counts that another sentence of the same turn says."""
_REST_OF_TYPED = 0.5
"""The same where the question asks for a name, a price or a measure, which stands beside what it belongs to."""
_LOOSE: frozenset[Kind] = frozenset(("when", "where", "who", "other"))

_COUNT = r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|half|couple)\b"
_HOLDS: dict[Kind, re.Pattern[str]] = {
    "clock": re.compile(r"\d{1,2}[:.]\d\d|\b\d{1,2} ?[ap]\.?m\b|o'clock|\bnoon\b|\bmidnight\b", re.IGNORECASE),
    "number": re.compile(_COUNT, re.IGNORECASE),
    "money": re.compile(r"[$€£¥]|\d|\b(?:euros?|dollars?|pounds?|bucks|free|hundred|thousand|grand)\b", re.IGNORECASE),
    "length": re.compile(
        rf"(?:{_COUNT}).*\b(?:met(?:er|re)s?|feet|foot|ft|cm|inch(?:es)?|km|kilomet(?:er|re)s?|miles?|m"
        r"|hours?|minutes?|days?|weeks?|months?|years?)\b",
        re.IGNORECASE,
    ),
    "name": re.compile(rf"{INSIDE}{NAME}|[\"\u201c]"),
    "who": re.compile(
        rf"{NAME}|\b(?:mom|mother|dad|father|sister|brother|friend|colleague|husband|wife|partner|uncle|aunt)\b"
    ),
    "job": re.compile(
        r"\b(?:an?|as) (?:\w+ )?\w+(?:er|or|ist|ian|ant|nurse|cook|chef)\b|\bwork(?:s|ed|ing)? (?:as|at|for|in)\b"
    ),
    "where": re.compile(rf"{INSIDE}{NAME}|\b(?:in|at|to|from|near|on) (?:the|a|an|my|our)\b"),
}


@dataclass(frozen=True)
class Evidence:
    """One turn held against a question.

    `own` are the question's terms that the turn holds itself, `covered` also those of its context; `support`, between 0
    and 1, is how well its best sentence could carry an answer; `score` also counts the place in the ranking it came from.
    """

    turn: Turn
    own: frozenset[str]
    covered: frozenset[str]
    support: float
    score: float


def weigh(turns: Sequence[Turn], context: Iterable[Turn], asked: Asked) -> list[Evidence]:
    """Hold turns, given best first, against a question; best first again. `context` holds the turns before them."""
    known = {turn.id: turn for turn in [*context, *turns]}
    found = [_evidence(turn, rank, known, asked) for rank, turn in enumerate(turns)]
    return sorted(found, key=lambda evidence: -evidence.score)


def share(covered: Iterable[str], asked: Asked) -> float:
    """How much of what the question is about is covered, between 0 and 1."""
    weights = asked.weights()
    return sum(weights.get(term, 0.0) for term in set(covered))


def _evidence_text(turn: Turn) -> str:
    """Everything of a turn that may match: its words, captions and OCR text."""
    return " ".join([turn.text, *map(image_note, turn.images)])


def entry_terms(episode: Episode) -> frozenset[str]:
    """The terms of a metadata entry."""
    return frozenset(base_terms(render_episode(episode)))


def is_about(sentence: str, turn: Turn, asked: Asked) -> bool:
    """Whether a sentence speaks of a named person: in the first person by him, of `you` by another, or by name."""
    if not asked.people:
        return True
    if sentence in map(image_note, turn.images):  # the "you" of a poster is whoever reads it
        shown_by = turn.speaker in asked.people or any(names(sentence, person) for person in asked.people)
        return shown_by and not asked.terms.isdisjoint(base_terms(sentence))
    said = set(words_of(sentence))
    addressed, of_self = bool(said & SECOND_PERSON), bool(said & FIRST_PERSON)
    by_name = any(names(sentence, person) for person in asked.people)
    if turn.speaker in asked.people:
        return by_name or of_self or not addressed
    return by_name or addressed


def holds(sentence: str, turn: Turn, kind: Kind) -> bool:
    """Whether a sentence holds a thing of the kind asked for; every dated turn tells when, one way or another."""
    if kind == "when":
        return bool(ground(sentence, turn.time)) or turn.time is not None
    pattern = _HOLDS.get(kind)
    return pattern is None or pattern.search(sentence) is not None


def _evidence(turn: Turn, rank: int, known: Mapping[str, Turn], asked: Asked) -> Evidence:
    own = frozenset(base_terms(_evidence_text(turn))) & asked.terms
    before = _before(turn, known, asked)
    said = list(dict.fromkeys(statements(turn)))
    around = _around(said, turn, before, asked)
    support = max((_support(sentence, turn, around, asked) for sentence in said), default=0.0)
    tells_when = asked.kind == "when" and bool(ground(turn.text, turn.time))
    named = turn.speaker in asked.people
    score = share(own, asked) + support + 1.2 / (2 + rank) + 0.3 * named + 0.1 * tells_when
    return Evidence(turn, own, own | (frozenset(before) & asked.terms), support, score)


def _around(
    said: Iterable[str], turn: Turn, before: Mapping[str, float], asked: Asked
) -> tuple[dict[str, float], Collection[str]]:
    """What each term of the question counts in a turn and those before it, and the words there."""
    bearing = [sentence for sentence in said if _bears(sentence, turn, asked)]
    nearby = _REST_OF_TURN if asked.kind in _LOOSE else _REST_OF_TYPED
    reach = {**before, **dict.fromkeys(_words(" ".join([*bearing, day(turn.time)])), nearby)}
    return {term: _carried(term, reach) for term in asked.weights()}, reach.keys()


def _support(sentence: str, turn: Turn, around: tuple[dict[str, float], Collection[str]], asked: Asked) -> float:
    if (
        len(words_of(sentence)) < LEAST_WORDS
        or is_question(sentence)
        or not is_about(sentence, turn, asked)
        or not holds(sentence, turn, asked.kind)
    ):
        return 0.0
    own = dict.fromkeys(_words(sentence), 1.0)
    counted, there = around
    compounds = {term: 0.0 if term in there and term not in own else _carried(term, own) for term in counted}
    return sum(weight * max(counted[term], compounds[term]) for term, weight in asked.weights().items())


def _carried(term: str, reach: Mapping[str, float]) -> float:
    """What a term counts: as it stands, or as the end of a compound (`nuts` in `walnuts`)."""
    if term in reach or len(term) < _COMPOUND:
        return reach.get(term, 0.0)
    return max((weight for word, weight in reach.items() if word.endswith(term)), default=0.0)


def _bears(sentence: str, turn: Turn, asked: Asked) -> bool:
    """Whether a sentence may carry terms: it is about a named person and not a question of that person's own."""
    return is_about(sentence, turn, asked) and not (is_question(sentence) and turn.speaker in asked.people)


def _words(text: str) -> list[str]:
    return [*base_terms(text), *words_of(text)]


def _before(turn: Turn, known: Mapping[str, Turn], asked: Asked) -> dict[str, float]:
    """What each term of the turns before a turn counts: nearer ones more, and only where they are about the named person."""
    reach: dict[str, float] = {}
    for back in range(len(_CONTEXT_WEIGHTS), 0, -1):
        earlier = known.get(f"{turn.session_id}:{turn.index - back}")
        if earlier is not None:
            bearing = [sentence for sentence in statements(earlier) if _bears(sentence, earlier, asked)]
            reach |= dict.fromkeys(_words(" ".join(bearing)), _CONTEXT_WEIGHTS[back - 1])
    return reach


def statements(turn: Turn) -> list[str]:
    """A turn's sentences, and its pictures as one each; a picture of which nothing is known states nothing."""
    known = (image for image in turn.images if image.caption or image.ocr)
    return [*sentences(turn.text), *map(image_note, known)]


def states(turn: Turn) -> bool:
    """Whether a turn says anything but questions."""
    return not all(is_question(sentence) for sentence in statements(turn))
