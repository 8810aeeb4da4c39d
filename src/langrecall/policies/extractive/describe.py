"""The metadata entry of a session without a model: its own sentences, sorted into an entry's parts."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from langrecall.grounding.text import annotate, ground, time_cues
from langrecall.language.names import names_of
from langrecall.language.sentences import is_question, sentences
from langrecall.language.words import terms, words_of
from langrecall.policies.extractive.graph import graph_of
from langrecall.records import Episode, Event, Fact, Session, Turn
from langrecall.rendering import image_note
from langrecall.settings import MetadataForm

_TOPICS = 5
_SUMMARY_SENTENCES = 5
EVENTS = 8
FACTS = 12
"""Of each at most, the weightiest: an entry is a light cue, and the raw session is one step away."""
_LEAST_TERMS = 3
"""A sentence with fewer terms states too little to be a fact."""

# What people say while they talk about something else.
_FILLER = frozenset(
    terms(
        "wow yeah yes no hey hi hello thanks thank really great good nice cool awesome amazing sure definitely love like get got go going"
    )
)
_FIRST_PERSON = frozenset(("i", "my", "me", "we", "our", "us", "i'm", "i've"))


def describe_session(session: Session, form: MetadataForm) -> Episode:
    """The entry in the wanted form; system and tool turns are nobody's statements."""
    said = [turn for turn in session.turns if turn.role not in ("system", "tool")]
    statements = [(turn, sentence) for turn in said if (sentence := telling(turn))]
    topics = _topics_of(said)
    title = f"{' and '.join(session.speakers[:2])}: {', '.join(topics[:3])}" if topics else "Conversation"
    parts: dict[str, Any] = {"summary": _summary(statements)} if form == "summary" else {}
    if "wiki" in form:
        parts |= _wiki(said, statements, topics)
    if "graph" in form:
        parts |= graph_of(said)._asdict()
    return Episode(
        session_id=session.session_id, title=title, time=session.time, participants=session.speakers, **parts
    )


def telling(turn: Turn) -> str:
    """The sentence of a turn that states most, or an empty text; a picture's caption is a statement too."""
    stated = [sentence for sentence in sentences(turn.text) if not is_question(sentence)]
    stated += map(image_note, turn.images)
    best = max(stated, key=_weight, default="")
    return best if _weight(best) >= _LEAST_TERMS else ""


def _topics_of(turns: Iterable[Turn]) -> tuple[str, ...]:
    """The words most used, each in its commonest form, speakers' names left out."""
    listed = list(turns)
    speakers = {term for turn in listed for term in terms(turn.speaker)}
    forms: dict[str, Counter[str]] = {}
    for word in (word for turn in listed for word in words_of(turn.text)):
        for term in terms(word):
            if term not in speakers and term not in _FILLER and len(word) > 1:
                forms.setdefault(term, Counter())[word] += 1
    common = sorted(forms, key=lambda term: -forms[term].total())[:_TOPICS]
    return tuple(forms[term].most_common(1)[0][0] for term in common)


def _wiki(turns: list[Turn], statements: list[tuple[Turn, str]], topics: tuple[str, ...]) -> dict[str, Any]:
    dated = {turn.index: spans[0].label() for turn, text in statements if (spans := ground(text, turn.time))}
    events = _weightiest([pair for pair in statements if pair[0].index in dated], EVENTS)
    facts = _weightiest([pair for pair in statements if pair[0].index not in dated], FACTS)
    return {
        "topics": topics,
        "events": tuple(
            Event(text=_stated(turn, text), turns=(turn.index,), time=dated[turn.index]) for turn, text in events
        ),
        "facts": tuple(
            Fact(text=_stated(turn, text), turns=(turn.index,), speaker=turn.speaker) for turn, text in facts
        ),
        "entities": tuple(dict.fromkeys(name for turn in turns for name in names_of(turn.text))),
        "time_cues": tuple(cue for turn in turns for cue in time_cues(turn)),
    }


def _summary(statements: list[tuple[Turn, str]]) -> str:
    heavy = _weightiest(statements, _SUMMARY_SENTENCES)
    return " ".join(f"{turn.speaker}: {annotate(text, turn.time)}" for turn, text in heavy)


def _weightiest(statements: list[tuple[Turn, str]], most: int) -> list[tuple[Turn, str]]:
    heavy = sorted(statements, key=lambda pair: -_weight(pair[1]))[:most]
    return sorted(heavy, key=lambda pair: pair[0].index)


def _stated(turn: Turn, sentence: str) -> str:
    return f"{turn.speaker}: {sentence}"


def _weight(sentence: str) -> int:
    own = bool(_FIRST_PERSON & set(words_of(sentence)))
    return len(set(terms(sentence))) + 2 * own + 2 * len(re.findall(r"\d", sentence)[:1])
