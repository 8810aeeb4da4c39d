"""`langrecall show`: one session, its metadata entry and every turn."""

from typing import Annotated

import typer
from rich.console import Console

from langrecall.cli import options, output
from langrecall.cli.output import clean, say
from langrecall.records import Episode, Session
from langrecall.rendering import day, render_episode, turn_line


def show(
    session_id: Annotated[
        str, typer.Argument(metavar="SESSION_ID", help="One of the ids that `sessions` lists.", show_default=False)
    ],
    db: options.Database,
    namespace: options.Namespace,
    as_json: options.Json = False,
) -> None:
    """Show one session: its metadata entry, and every turn word for word."""
    from langrecall.cli.histories import LEXICAL, existing

    history = existing(db, namespace, LEXICAL)
    session = history.session(session_id)
    entries = history.episodes([session_id])
    if as_json:
        output.emit(
            {
                "session": session.model_dump(mode="json"),
                "episode": entries[0].model_dump(mode="json") if entries else None,
            }
        )
    else:
        _show(output.results(), session, entries)


def _show(console: Console, session: Session, entries: list[Episode]) -> None:
    for entry in entries:
        title, *lines = clean(render_episode(entry)).splitlines()
        say(console, (title.removeprefix("## "), "bold"))
        for line in lines:
            say(console, (line, "dim"), indent=2)
        console.print()
    say(console, (f"{session.session_id}, {day(session.time)}", "bold"))
    for turn in session.turns:
        say(console, (f"{turn.index:>3}  ", "cyan"), turn_line(turn))
