"""`langrecall forget`: remove sessions, or a whole history, with everything derived from them."""

from typing import Annotated

import typer

from langrecall.cli import options, output
from langrecall.cli.output import counted, say
from langrecall.errors import InputError, UnknownIdError
from langrecall.loaders.faults import listed
from langrecall.stores.base import HistoryStore


def forget(
    db: options.Database,
    namespace: options.Namespace,
    session_ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="SESSION_ID", help="Ids that `sessions` lists.", show_default=False),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="The whole history of the namespace.")] = False,
    as_json: options.Json = False,
) -> None:
    """Remove sessions for good: raw text, entries and vectors. It cannot be undone; see `export`."""
    from langrecall.cli.histories import LEXICAL, existing

    wanted = list(dict.fromkeys(session_ids or ()))
    if bool(wanted) == everything:
        msg = (
            "name the sessions to forget, or --all"
            if not wanted
            else "--all forgets every session: name none beside it"
        )
        raise InputError(msg)
    forgotten, left = _forget(existing(db, namespace, LEXICAL), wanted)
    if as_json:
        output.emit({"forgotten": forgotten, "left": left})
    else:
        say(output.results(), (f"forgot {counted(len(forgotten), 'session')}", "bold"), f", {left} left in {namespace}")


def _forget(history: HistoryStore, wanted: list[str]) -> tuple[list[str], int]:
    """Which sessions were removed and how many are left; nothing is removed where one of them is unknown."""
    known = [info.session_id for info in history.sessions()]
    if not wanted:
        history.clear()
        return known, 0
    unknown = [name for name in wanted if name not in known]
    if unknown:
        msg = f"no session {listed(map(repr, unknown))} in namespace {history.namespace!r}: nothing was forgotten"
        raise UnknownIdError(msg)
    for name in wanted:
        history.delete(name)
    return wanted, len(known) - len(wanted)
