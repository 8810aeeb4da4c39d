"""Every text of a session that gets a vector: its turns, and the parts of its metadata entry."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from langrecall.language.sentences import sentences
from langrecall.language.words import words_of
from langrecall.records import Episode, Event, Fact, Session, Turn
from langrecall.rendering import image_note, turn_line

PieceKind = Literal["turn", "context", "sentence", "episode", "fact", "entity", "relation"]
"""`turn`, `context` (a turn after the one before it) and `sentence` are chunks of the raw history; the rest are notes."""

CHUNK_KINDS: tuple[PieceKind, ...] = ("turn", "context", "sentence")

CHUNK_CHARACTERS = 800
"""200 tokens, the size of MemCoT's minimal chunk."""

_CONTEXT_CHARACTERS = 1000
"""What MiniLM's 256 word pieces hold of English, about four characters each."""

_PART = re.compile(rf"(?s).{{1,{CHUNK_CHARACTERS}}}(?:(?<=\s)|\Z)|.{{{CHUNK_CHARACTERS}}}")
_SENTENCE_WORDS = 3
_POSSESSIVE = re.compile(r"['\u2019]s\b", re.IGNORECASE)


class Piece(NamedTuple):
    """A text to embed; `turns` are the indices of the turns of its session that it stands for."""

    id: str
    kind: PieceKind
    session_id: str
    turns: tuple[int, ...]
    text: str


def pieces(session: Session, episode: Episode | None) -> list[Piece]:
    """All pieces of a session and its entry, turns first; a text without a visible character has none."""
    raw = [*_turns(session), *_contexts(session), *_sentences(session)]
    found = [*raw, *(_notes(episode) if episode else ())]
    return [piece for piece in found if piece.text.strip()]


def split_text(text: str) -> list[str]:
    """Cut a text into parts of at most 200 tokens, at white space where there is any; joined, they are the text."""
    return _PART.findall(text) or [text]


def telling_sentences(text: str) -> list[str]:
    """The sentences of a text that have at least three words."""
    return [sentence for sentence in sentences(text) if len(words_of(sentence)) >= _SENTENCE_WORDS]


def entity_name(text: str) -> str:
    """What two spellings of an entity have in common: no case, accents, punctuation, article or possessive ending."""
    words = words_of(_POSSESSIVE.sub("", text))
    return " ".join(words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words) or text


def episode_text(episode: Episode) -> str:
    """A whole metadata entry as one text."""
    stated = [event.text for event in episode.events] + [fact.text for fact in episode.facts]
    related = [f"{relation.subject} {relation.predicate} {relation.object}" for relation in episode.relations]
    heads = [episode.title, ", ".join(episode.topics), episode.summary, ", ".join(episode.entities)]
    return "\n".join(dict.fromkeys(text for text in [*heads, *stated, *related] if text))


def _turns(session: Session) -> Iterator[Piece]:
    for turn in session.turns:
        for part, text in enumerate(split_text(_line(turn))):
            yield Piece(f"{turn.id}:turn:{part}", "turn", session.session_id, (turn.index,), text)


def _contexts(session: Session) -> Iterator[Piece]:
    said = ""
    for turn in session.turns:
        line = _line(turn)
        room = _CONTEXT_CHARACTERS - len(line) - 1
        text = f"{said[-room:]}\n{line}" if said and room > 0 else line[:_CONTEXT_CHARACTERS]
        yield Piece(f"{turn.id}:context:0", "context", session.session_id, (turn.index,), text)
        said = line


def _sentences(session: Session) -> Iterator[Piece]:
    """Only of turns that are one chunk: the parts of a longer one are short enough to be found."""
    for turn in session.turns:
        parts = [*telling_sentences(turn.text), *map(image_note, turn.images)]
        if len(parts) > 1 and len(_line(turn)) <= CHUNK_CHARACTERS:
            for part, text in enumerate(parts):
                line = f"{turn.speaker}: {text}"
                yield Piece(f"{turn.id}:sentence:{part}", "sentence", session.session_id, (turn.index,), line)


def _notes(episode: Episode) -> Iterator[Piece]:
    here = episode.session_id
    yield Piece(f"{here}:episode", "episode", here, (), episode_text(episode))
    stated: dict[str, tuple[int, ...]] = {}
    statements: list[Fact | Event] = [*episode.facts, *episode.events]
    for statement in statements:
        stated[statement.text] = tuple(sorted({*stated.get(statement.text, ()), *statement.turns}))
    for part, (text, turns) in enumerate(stated.items()):
        yield Piece(f"{here}:fact:{part}", "fact", here, turns, text)
    for part, entity in enumerate(dict.fromkeys(episode.entities)):
        yield Piece(f"{here}:entity:{part}", "entity", here, _related(episode, entity), entity)
    for part, relation in enumerate(episode.relations):
        text = f"{relation.subject} {relation.predicate} {relation.object}"
        yield Piece(f"{here}:relation:{part}", "relation", here, relation.turns, text)


def _related(episode: Episode, entity: str) -> tuple[int, ...]:
    """The turns that relate an entity to another."""
    sides = (relation for relation in episode.relations if entity in (relation.subject, relation.object))
    return tuple(sorted({index for relation in sides for index in relation.turns}))


def _line(turn: Turn) -> str:
    return turn_line(turn, grounded=False)
