"""`langrecall sessions`: what a history holds."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from langrecall.cli import options, output
from langrecall.cli.output import clean, counted, fit, iso, say
from langrecall.rendering import day
from langrecall.stores.base import SessionInfo


def sessions(db: options.Database, namespace: options.Namespace, as_json: options.Json = False) -> None:
    """List the sessions of a history in time order."""
    from langrecall.cli.histories import LEXICAL, existing

    listed = existing(db, namespace, LEXICAL).sessions()
    if as_json:
        output.emit({"sessions": [info._asdict() | {"time": iso(info.time)} for info in listed]})
    else:
        _show(output.results(), listed)


def _show(console: Console, listed: list[SessionInfo]) -> None:
    table = Table.grid(padding=(0, 2))
    for info in listed:
        cells = (
            (info.session_id, "cyan"),
            (day(info.time), ""),
            (counted(info.turns, "turn"), "dim"),
            (info.title, ""),
        )
        table.add_row(*(fit(Text(clean(text), style), console) for text, style in cells))
    console.print(table)
    turns = sum(info.turns for info in listed)
    say(console, (f"{counted(len(listed), 'session')}, {counted(turns, 'turn')}", "dim"))
