"""Make a namespace anew with another embedding model, beside the old one until it is whole."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice

from langrecall.errors import NamespaceError, StoreUnavailableError
from langrecall.records import Kept
from langrecall.stores.collections import CollectionRows
from langrecall.stores.commits import STAGED, generation
from langrecall.stores.encoder import Encoder, model_of
from langrecall.stores.reader import Reader
from langrecall.stores.writer import Writer

_TRIES = 3
# Sessions copied together: enough texts to fill an encoder's batches.
_WAVE = 32


def reindex(
    namespace: str, rows: CollectionRows, encoder: Encoder | None, on_sessions: Callable[[int], object] | None
) -> int:
    """Copy a namespace into a draft and let it take the namespace's place, unless that was written meanwhile."""
    draft = rows.draft
    if rows.recorded() is None and draft.is_whole:
        with rows.writing():
            rows.take(draft)
    if draft.recorded() not in (None, model_of(encoder)):
        with draft.writing():
            draft.drop()
    for _ in range(_TRIES):
        before = _token(rows)
        count = _copy(Reader(namespace, rows), Reader(namespace, draft), Writer(namespace, draft, encoder), on_sessions)
        if not count:
            msg = f"no namespace {namespace!r} here: there is nothing to reindex"
            raise NamespaceError(msg)
        with rows.writing():
            if _token(rows) == before:
                draft.write("notes", rows.find("notes", [STAGED]))
                rows.take(draft)
                return count
    msg = f"namespace {namespace!r} is written all the time: reindex it when nobody writes"
    raise StoreUnavailableError(msg)


def _copy(old: Reader, done: Reader, draft: Writer, on_sessions: Callable[[int], object] | None) -> int:
    """Bring the draft up to what the namespace holds now; what it holds already is not embedded again."""
    held: set[str] = set()
    for wave in _waves(old.kept()):
        sessions = [kept.session for kept in wave]
        episodes = {kept.episode.session_id: kept.episode for kept in wave if kept.episode is not None}
        draft.put(sessions, episodes, describer=wave[0].describer, form=wave[0].form)
        if on_sessions:
            on_sessions(len(wave))
        held |= {session.session_id for session in sessions}
    for info in done.sessions():
        if info.session_id not in held:
            draft.delete(info.session_id)
    return len(held)


def _waves(kept: Iterable[Kept]) -> Iterator[list[Kept]]:
    """Sessions in their order, a wave of them at a time, each of one describer and form."""
    for _, run in groupby(kept, key=lambda each: (each.describer, each.form)):
        while wave := list(islice(run, _WAVE)):
            yield wave


def _token(rows: CollectionRows) -> str | None:
    now = generation(rows)
    return now.token if now else None
