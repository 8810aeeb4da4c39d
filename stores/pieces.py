"""Every text of a session that gets a vector: its turns, and the parts of its metadata entry."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from langrecall.records import Episode, Session, Turn
from langrecall.rendering import turn_line

PieceKind = Literal["turn", "context", "episode", "fact", "entity", "relation"]
"""`turn` and `context` (a turn after the one before it, speakers named) are chunks of the raw history; the rest are notes."""

CHUNK_KINDS: tuple[PieceKind, ...] = ("turn", "context")
NOTE_KINDS: tuple[PieceKind, ...] = ("episode", "fact", "entity", "relation")

CHUNK_CHARACTERS = 800
"""200 tokens, the size of MemCoT's minimal chunk."""

CONTEXT_CHARACTERS = 1000
"""What MiniLM's 256 word pieces hold of English, about four characters each."""

_PART = re.compile(rf"(?s).{{1,{CHUNK_CHARACTERS}}}(?:(?<=\s)|\Z)|.{{{CHUNK_CHARACTERS}}}")


class Piece(NamedTuple):
    """A text to embed; `turns` are the indices of the turns of its session that it stands for."""

    id: str
    kind: PieceKind
    session_id: str
    turns: tuple[int, ...]
    text: str


def pieces(session: Session, episode: Episode | None) -> list[Piece]:
    """All pieces of a session and its entry, turns first; a text without a visible character has none."""
    found = [*_turn_pieces(session), *_context_pieces(session), *(_notes(episode) if episode else ())]
    return [piece for piece in found if piece.text.strip()]


def turn_text(turn: Turn) -> str:
    """The turn as it is shown, speaker and captions among it, without grounded dates."""
    return turn_line(turn, grounded=False)


def split_text(text: str) -> list[str]:
    """Cut a text into parts of at most 200 tokens, at white space where there is any; joined, they are the text."""
    return _PART.findall(text) or [text]


def episode_text(episode: Episode) -> str:
    """A whole metadata entry as one text."""
    stated = [event.text for event in episode.events] + [fact.text for fact in episode.facts]
    related = [_relation_text(relation.subject, relation.predicate, relation.object) for relation in episode.relations]
    heads = [episode.title, ", ".join(episode.topics), episode.summary, ", ".join(episode.entities)]
    return "\n".join(dict.fromkeys(text for text in [*heads, *stated, *related] if text))


def _turn_pieces(session: Session) -> Iterator[Piece]:
    for turn in session.turns:
        for part, text in enumerate(split_text(turn_text(turn))):
            yield Piece(f"{turn.id}:turn:{part}", "turn", session.session_id, (turn.index,), text)


def _context_pieces(session: Session) -> Iterator[Piece]:
    said = ""
    for turn in session.turns:
        line = turn_text(turn)
        room = CONTEXT_CHARACTERS - len(line) - 1
        text = f"{said[-room:]}\n{line}" if said and room > 0 else line[:CONTEXT_CHARACTERS]
        yield Piece(f"{turn.id}:context:0", "context", session.session_id, (turn.index,), text)
        said = line


def _notes(episode: Episode) -> Iterator[Piece]:
    here = episode.session_id
    yield Piece(f"{here}:episode", "episode", here, (), episode_text(episode))
    stated: dict[str, tuple[int, ...]] = {}
    for statement in [*episode.facts, *episode.events]:
        stated[statement.text] = tuple(sorted({*stated.get(statement.text, ()), *statement.turns}))
    for part, (text, turns) in enumerate(stated.items()):
        yield Piece(f"{here}:fact:{part}", "fact", here, turns, text)
    for part, entity in enumerate(dict.fromkeys(episode.entities)):
        yield Piece(f"{here}:entity:{part}", "entity", here, (), entity)
    for part, relation in enumerate(episode.relations):
        text = _relation_text(relation.subject, relation.predicate, relation.object)
        yield Piece(f"{here}:relation:{part}", "relation", here, relation.turns, text)


def _relation_text(subject: str, predicate: str, target: str) -> str:
    return f"{subject} {predicate} {target}"
