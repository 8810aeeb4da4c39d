"""Make a namespace anew with another embedding model, beside the old one until it is whole."""

from collections.abc import Callable

from langrecall.errors import NamespaceError, StoreUnavailableError
from langrecall.stores.chroma.collections import CollectionRows
from langrecall.stores.chroma.commits import STAGED, generation
from langrecall.stores.chroma.reader import SessionReader
from langrecall.stores.chroma.writer import Writer
from langrecall.stores.encoding.encoder import Encoder, model_of
from langrecall.stores.keeping import put_kept

_TRIES = 3


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
        count = _copy(
            SessionReader(namespace, rows),
            SessionReader(namespace, draft),
            Writer(namespace, draft, encoder),
            on_sessions,
        )
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


def _copy(old: SessionReader, done: SessionReader, draft: Writer, on_sessions: Callable[[int], object] | None) -> int:
    """Bring the draft up to what the namespace holds now; what it holds already is not embedded again."""
    held: set[str] = set()
    for report in put_kept(draft, old.kept()):
        stored = {name for names in report for name in names}
        if on_sessions:
            on_sessions(len(stored))
        held |= stored
    for info in done.sessions():
        if info.session_id not in held:
            draft.delete(info.session_id)
    return len(held)


def _token(rows: CollectionRows) -> str | None:
    now = generation(rows)
    return now.token if now else None
