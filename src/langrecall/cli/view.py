"""`langrecall view`: a saved run as an HTML page."""

import os
from pathlib import Path
from typing import Annotated

import typer

from langrecall.cli import options, output
from langrecall.cli.output import say
from langrecall.cli.writing import writing
from langrecall.errors import InputError


def view(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A run kept by ask --save.", show_default=False)],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Where the page goes; unset: beside the run, as .html."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Make a page of a saved run: one file that needs nothing else and opens anywhere."""
    from langrecall.runs.files import load_run
    from langrecall.runs.page import render_page

    run = load_run(file)
    place = out or file.with_suffix(".html")
    if os.path.realpath(place) == os.path.realpath(file):  # `resolve` fails on a link to itself
        msg = f"{place} is the run itself: name another file with -o"
        raise InputError(msg)
    with writing(place) as write:
        write(render_page(run))
    if as_json:
        output.emit({"page": str(place), "steps": len(run.steps), "turns": len(run.turns)})
    else:
        say(output.results(), str(place))
