"""Read what is visible of a namespace: raw sessions, turns and entries, just as they were put."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from langrecall.errors import UnknownIdError
from langrecall.records import Episode, Kept, Session, Turn, TurnId
from langrecall.stores.base import SessionInfo
from langrecall.stores.chroma.collections import CollectionRows
from langrecall.stores.chroma.commits import Commit, all_commits, commits, staged_id
from langrecall.stores.chroma.rows import Part, Row
from langrecall.stores.encoding.pieces import pieces

_TRIES = 3


class SessionReader:
    """The reading half of a bound history; see `HistoryStore`."""

    def __init__(self, namespace: str, rows: CollectionRows) -> None:
        self._namespace = namespace
        self._rows = rows

    def sessions(self) -> list[SessionInfo]:
        """All sessions in time order, undated ones last."""
        return [commit.info for commit in all_commits(self._rows)]

    def session(self, session_id: str) -> Session:
        """The raw session; raises `UnknownIdError`."""
        found, carriers = self._carried([session_id], "chunks")
        if session_id not in found:
            msg = f"no session {session_id!r} in namespace {self._namespace!r}"
            raise UnknownIdError(msg)
        commit = found[session_id]
        return commit.session([Turn.model_validate_json(carriers[name].payload) for name in commit.carriers])

    def kept(self) -> Iterator[Kept]:
        """Everything there is, in time order, a session at a time; those that are deleted meanwhile are left out."""
        for commit in all_commits(self._rows):
            entry = next(iter(self.episodes([commit.session_id])), None)
            try:
                session = self.session(commit.session_id)
            except UnknownIdError:
                continue
            yield Kept(session=session, episode=entry, describer=commit.origin.describer, form=commit.origin.form)

    def episodes(self, session_ids: Iterable[str]) -> list[Episode]:
        """The entries of these sessions, in the order asked for."""
        asked = list(session_ids)
        found, carriers = self._carried(asked, "notes")
        rows = [carriers[found[name].notes[0]] for name in asked if name in found and found[name].notes]
        return [Episode.model_validate_json(row.payload) for row in rows]

    def turns(self, turn_ids: Iterable[str]) -> list[Turn]:
        """These turns, in the order asked for."""
        asked = [known for known in map(_parsed, turn_ids) if known is not None]
        found, carriers = self._carried([turn.session_id for turn in asked], "chunks", asked)
        held = [turn for turn in asked if turn.session_id in found and turn.index < found[turn.session_id].turns]
        return [Turn.model_validate_json(carriers[found[at.session_id].chunks[at.index]].payload) for at in held]

    def window(self, session_id: str, index: int, width: int) -> list[Turn]:
        """The turn and the turns of `width` chunks on each side of it; raises `UnknownIdError`."""
        session = self.session(session_id)
        if not 0 <= index < len(session.turns):
            msg = f"no turn {index} in session {session_id!r}: it has {len(session.turns)} turns"
            raise UnknownIdError(msg)
        owners = _chunk_owners(session)
        first, last = owners.index(index), len(owners) - 1 - owners[::-1].index(index)
        shown = sorted(set(owners[max(0, first - width) : last + width + 1]))
        return [session.turns[place] for place in shown]

    def stats(self) -> dict[str, int]:
        """Counts of what is visible."""
        found = all_commits(self._rows)
        return {
            "sessions": len(found),
            "turns": sum(commit.turns for commit in found),
            "chunks": sum(commit.counts.get("turn", 0) for commit in found),
            "facts": sum(commit.counts.get("fact", 0) for commit in found),
        }

    def staged(self, session_ids: Iterable[str]) -> list[Session]:
        """Sessions kept aside, in the order asked for."""
        rows = self._rows.get("notes", [staged_id(session_id) for session_id in session_ids])
        return [Session.model_validate_json(row.payload) for row in rows]

    def _carried(
        self, session_ids: Sequence[str], part: Part, turns: Collection[TurnId] | None = None
    ) -> tuple[dict[str, Commit], dict[str, Row]]:
        """The commits of these sessions and the rows that carry what they hold, read again while a writer replaces them."""
        for _ in range(_TRIES):
            found = commits(self._rows, session_ids)
            wanted = [name for commit in found.values() for name in _carriers(commit, part, turns)]
            rows = {row.id: row for row in self._rows.get(part, wanted)}
            if len(rows) == len(wanted):
                break
        whole = {name: commit for name, commit in found.items() if rows.keys() >= set(_carriers(commit, part, turns))}
        return whole, rows


def _carriers(commit: Commit, part: Part, turns: Collection[TurnId] | None) -> list[str]:
    if part == "notes":
        return list(commit.notes[:1])
    if turns is None:
        return list(commit.carriers)
    asked = {turn.index for turn in turns if turn.session_id == commit.session_id}
    return [name for index, name in enumerate(commit.carriers) if index in asked]


def _chunk_owners(session: Session) -> list[int]:
    """The turn of each chunk in order; a turn without a text counts for one."""
    made = [piece.turns[0] for piece in pieces(session, None) if piece.kind == "turn"]
    return sorted([*made, *({turn.index for turn in session.turns} - set(made))])


def _parsed(turn_id: str) -> TurnId | None:
    try:
        return TurnId.parse(turn_id)
    except ValueError:
        return None
