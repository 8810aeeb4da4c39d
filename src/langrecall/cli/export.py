"""`langrecall export`: a whole history as JSON lines."""

from pathlib import Path
from typing import Annotated

import typer

from langrecall.cli import options, output
from langrecall.cli.output import counted, say
from langrecall.cli.writing import writing

Archive = Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines, one session each.", show_default=False)]


def export(
    file: Archive,
    db: options.Database,
    namespace: options.Namespace,
    as_json: options.Json = False,
) -> None:
    """Write a history to a file that `import` reads: raw sessions, their entries and dates, all as they are kept."""
    from langrecall.cli.histories import LEXICAL, existing
    from langrecall.loaders.archive import dump_archive

    with writing(file) as write:
        kept = list(existing(db, namespace, LEXICAL).kept())
        write("".join(dump_archive(kept)))
    turns = sum(len(each.session.turns) for each in kept)
    if as_json:
        output.emit({"sessions": len(kept), "turns": turns, "file": str(file)})
    else:
        say(output.results(), (f"{counted(len(kept), 'session')}, {counted(turns, 'turn')}", "bold"), f" in {file}")
