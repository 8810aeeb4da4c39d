"""The table of commands."""

from importlib.metadata import version
from typing import Annotated

import typer

from langrecall.cli.ask import ask
from langrecall.cli.bench import bench
from langrecall.cli.demo import demo
from langrecall.cli.draw import draw
from langrecall.cli.export import export
from langrecall.cli.forget import forget
from langrecall.cli.import_history import import_history
from langrecall.cli.ingest import ingest
from langrecall.cli.reindex import reindex
from langrecall.cli.replay import replay
from langrecall.cli.search import search
from langrecall.cli.sessions import sessions
from langrecall.cli.show import show
from langrecall.cli.view import view


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"langrecall {version('langrecall')}")
        raise typer.Exit


app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (demo, ingest, ask, search, sessions, show, forget, reindex, export, replay, view, draw):
    app.command()(command)


@app.callback()
def langrecall(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Answer questions about long conversation histories, from memory built when the question comes."""


app.command("import")(import_history)
app.add_typer(bench, name="bench")
