"""Write sessions so that each is seen whole or not at all, and nothing is stored or embedded twice."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import TypeAlias

from langrecall.errors import InputError, StoreError
from langrecall.records import Episode, Session
from langrecall.stores.base import Changes, PutReport
from langrecall.stores.chroma.collections import CollectionRows
from langrecall.stores.chroma.commits import (
    KIND,
    REMOVED,
    STAGED,
    Generation,
    Origin,
    StagedSession,
    commit_id,
    commits,
    generation,
    staged_id,
    staged_row,
)
from langrecall.stores.chroma.rows import PARTS, Part, Row
from langrecall.stores.cleaning import clean, clean_text
from langrecall.stores.encoding.encoder import Encoder, Floats, check_model, model_of
from langrecall.stores.encoding.token_vectors import TokenVectors

# Sessions stored together: enough texts to fill an encoder's batches, and little to lose when the process is killed.
_WAVE = 32

Made: TypeAlias = tuple[Floats | None, TokenVectors | None]
"""What was made of a row's text: its vector, and those of its tokens."""

_NOTHING: Made = (None, None)


class Writer:
    """The writing half of a bound history; see `HistoryStore`.

    Rows are added first, then the commit records that name them (in one batch with a new generation), and what no commit names
    any more is swept last. A process killed on the way leaves rows that nobody sees; the next one uses them or sweeps them.
    """

    def __init__(self, namespace: str, rows: CollectionRows, encoder: Encoder | None) -> None:
        self._namespace = namespace
        self._rows = rows
        self._encoder = encoder
        self._unwritten: dict[str, Made] = {}

    def changes(self, sessions: Sequence[Session], *, describer: str, form: str) -> Changes:
        """What `put` would do; raises `EmbeddingMismatchError` before anything is paid for."""
        self._check_model()
        self._finish()
        return self._compare(_origins(_distinct(sessions), describer, form))

    def put(
        self, sessions: Sequence[Session], episodes: Mapping[str, Episode], *, describer: str, form: str
    ) -> PutReport:
        """Store sessions, a wave of them at a time; raises `InputError` when an id occurs twice."""
        self._check_model()
        self._finish()
        wanted = _distinct(sessions)
        entries = {clean_text(name): clean(episode) for name, episode in episodes.items()}
        waves = [wanted[start : start + _WAVE] for start in range(0, len(wanted), _WAVE)]
        done = [self._put(wave, entries, _origins(wave, describer, form)) for wave in waves]
        return PutReport.total(PutReport(each.created, each.updated, each.unchanged) for each in done)

    def stage(self, sessions: Sequence[Session]) -> None:
        """Keep sessions aside, under a kind that no search or read looks at."""
        self._check_model()
        wanted = _distinct(sessions)
        if wanted:
            model = model_of(self._encoder)
            with self._rows.writing():
                self._rows.create(model)
                self._rows.write("notes", [staged_row(session) for session in wanted])

    def unstage(self, session_ids: Iterable[str]) -> None:
        """Drop sessions kept aside."""
        ids = [staged_id(session_id) for session_id in session_ids]
        if self._rows.known("notes", ids):
            with self._rows.writing():
                self._rows.remove("notes", ids)
                self._leave_nothing()

    def delete(self, session_id: str) -> bool:
        """Hide a session, then remove all that is stored of it, committed or not."""
        if self._rows.recorded() is None:
            return False
        name = clean_text(session_id)
        with self._rows.writing():
            found = commits(self._rows, [name]).get(name)
            if found is not None:
                self._rows.write("notes", [found.row(REMOVED), Generation.new([name]).row], together=True)
            self._sweep([name])
            self._leave_nothing()
            self._rows.erase_removed()
        return found is not None

    def clear(self) -> int:
        """Drop both collections, whatever is in them."""
        if not self._rows.exists():
            return 0
        with self._rows.writing():
            count = len(self._rows.find("notes", [KIND]))
            self._rows.drop()
        return count

    def _put(self, wave: Sequence[Session], episodes: Mapping[str, Episode], origins: Mapping[str, Origin]) -> Changes:
        changes = self._compare(origins)
        if len(changes.unchanged) == len(wave):
            self.unstage(changes.unchanged)
            return changes
        drafts = {
            session.session_id: StagedSession.of(session, episodes.get(session.session_id), origins[session.session_id])
            for session in wave
        }
        pending = [drafts[name] for name in (*changes.created, *changes.updated)]
        vectors = self._encode([row for part in PARTS for row in self._new(pending, part)])
        self._check_model()
        with self._rows.writing():
            changes = self._compare(origins)  # another process may have stored some of them meanwhile
            pending = [drafts[name] for name in (*changes.created, *changes.updated)]
            try:
                self._store(pending, vectors)
            except StoreError:
                self._unwritten = vectors
                raise
            self._rows.remove("notes", [staged_id(name) for name in changes.unchanged])
        self._unwritten = {}
        return changes

    def _store(self, drafts: Sequence[StagedSession], vectors: Mapping[str, Made]) -> None:
        names = [draft.commit.session_id for draft in drafts]
        before = commits(self._rows, names)
        self._rows.create(model_of(self._encoder))
        for part in PARTS:
            new = self._new(drafts, part)
            vectors = {**vectors, **self._encode([row for row in new if row.id not in vectors])}
            self._rows.write(part, [row.embedded(*vectors.get(row.id, _NOTHING)) for row in new])
        made = [draft.commit.since(before.get(draft.commit.session_id)).row() for draft in drafts]
        self._rows.write("notes", [*made, Generation.new(names).row], together=True)
        self._sweep(names)

    def _finish(self) -> None:
        """Remove what a process killed between its commits and its sweep has left."""
        now = generation(self._rows)
        if now and now.unswept:
            with self._rows.writing():
                self._sweep(now.unswept)

    def _sweep(self, names: Sequence[str]) -> None:
        """Remove every row of these sessions that no commit names, sessions kept aside among them."""
        found = commits(self._rows, names).values()
        if found:
            self._rows.occupy(occupied=True)
        for part in PARTS:
            named = {name for commit in found for name in (*commit.ids(part), commit_id(commit.session_id))}
            self._rows.remove(part, [name for name in self._rows.ids_of(part, names) if name not in named])
        now = generation(self._rows)
        if now and now.unswept:
            self._rows.write("notes", [now._replace(unswept=()).row])

    def _new(self, drafts: Sequence[StagedSession], part: Part) -> list[Row]:
        rows = {row.id: row for draft in drafts for row in draft.rows(part)}
        known = self._rows.known(part, list(rows))
        return [row for name, row in rows.items() if name not in known]

    def _encode(self, rows: Sequence[Row]) -> dict[str, Made]:
        """The vectors of the rows that have a text; those of a `put` that failed are not computed again."""
        if self._encoder is None:
            return {}
        texts = {row.id: row.text for row in rows if row.text.strip()}
        kept = {name: self._unwritten[name] for name in texts if name in self._unwritten}
        new = [name for name in texts if name not in kept]
        if not new:
            return kept
        vectors, tokens = self._encoder.encode_all([texts[name] for name in new])
        return kept | dict(zip(new, zip(vectors, tokens or repeat(None, len(new)), strict=True), strict=True))

    def _compare(self, origins: Mapping[str, Origin]) -> Changes:
        """A session is unchanged when it has the same origin and all its rows; writers on a server may have crossed."""
        known = commits(self._rows, origins)
        same = [commit for name, commit in known.items() if commit.origin == origins[name]]
        there = {part: self._rows.known(part, [name for commit in same for name in commit.ids(part)]) for part in PARTS}
        whole = {
            commit.session_id for commit in same if all(there[part].issuperset(commit.ids(part)) for part in PARTS)
        }
        return Changes(
            created=tuple(name for name in origins if name not in known),
            updated=tuple(name for name in origins if name in known and name not in whole),
            unchanged=tuple(name for name in origins if name in whole),
        )

    def _check_model(self) -> None:
        check_model(self._namespace, self._rows.recorded(), self._encoder)

    def _leave_nothing(self) -> None:
        if self._rows.find("notes", [KIND], limit=1):
            return
        if self._rows.find("notes", [STAGED], limit=1):
            self._rows.occupy(occupied=False)
        else:
            self._rows.drop()


def _distinct(sessions: Iterable[Session]) -> list[Session]:
    found: dict[str, Session] = {}
    for session in map(clean, sessions):
        if session.session_id in found:
            msg = f"session {session.session_id!r} is given twice: give each occurrence an id of its own"
            raise InputError(msg)
        found[session.session_id] = session
    return list(found.values())


def _origins(sessions: Iterable[Session], describer: str, form: str) -> dict[str, Origin]:
    return {session.session_id: Origin(session.content_hash, describer, form) for session in sessions}
