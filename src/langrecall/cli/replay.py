"""`langrecall replay`: run a saved run again from its record, or fork it."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from langrecall.cli import options, output
from langrecall.cli.answers import show_answer
from langrecall.cli.ask import answer_json, parse_changes
from langrecall.cli.output import say
from langrecall.cli.running import quietly, recall_in_stretches
from langrecall.cli.steps import show_step
from langrecall.cli.writing import writing_if_asked
from langrecall.errors import InputError

if TYPE_CHECKING:
    from langrecall.state import RecallState

_DEPARTED = 1
"""Exit code of a replay that went another way than its record."""


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A run kept by ask --save.", show_default=False)],
    db: options.Database,
    from_step: Annotated[
        int | None, typer.Option("--from-step", metavar="N", help="Fork: from reason step N on, run live.")
    ] = None,
    changes: options.Changes = None,
    model: Annotated[
        str | None, typer.Option("--model", metavar="M", help="The fork's model, unless it is the run's own.")
    ] = None,
    trace: options.Trace = False,
    save: options.Save = None,
    embeddings: options.Embeddings = None,
    as_json: options.Json = False,
) -> None:
    """Run a saved run again with its recorded model outputs, and say whether it is the same; or fork it at a step."""
    from langrecall.cli.histories import existing
    from langrecall.runs.files import dump_run, load_run
    from langrecall.runs.recorder import Recorder
    from langrecall.runs.replay import asked, check_history, differences, forked, replayed

    changed = parse_changes(changes or [])
    if from_step is None and (changed or model):
        msg = "a replay changes nothing: say with --from-step N where the run is to be forked"
        raise InputError(msg)
    run = load_run(file)
    legs, stretches = (run.legs, replayed(run)) if from_step is None else forked(run, from_step, changed, model=model)
    console = output.remarks() if as_json else output.results()
    on_step = partial(show_step, console) if trace else quietly
    recorder = Recorder()
    with writing_if_asked(save) as write:
        history = existing(db, run.namespace, embeddings)
        check_history(run, history)
        state = recall_in_stretches(history, asked(run), stretches, on_step, recorder)
        if write:
            write(dump_run(recorder.saved(history, legs)))
    departed = differences(run, state)
    replayed_as_it_was = from_step is None
    if as_json:
        how = {"matched": not departed} if replayed_as_it_was else {"from_step": from_step, "changes": changed}
        output.emit(answer_json(state) | how | {"differences": departed})
    else:
        _show(console, state, departed, forked_at=from_step, after_trace=trace)
    if replayed_as_it_was and departed:
        raise typer.Exit(_DEPARTED)


def _show(
    console: Console, state: "RecallState", departed: list[str], *, forked_at: int | None, after_trace: bool
) -> None:
    if after_trace:
        console.print()
    show_answer(console, state)
    if forked_at is None and not departed:
        say(console, ("✓ the same steps, answer and citations as recorded", "green"), indent=2)
    for line in departed:
        say(console, ("≠ ", "yellow"), line, indent=2)
    if forked_at is not None and not departed:
        say(console, ("the fork leads to what was recorded", "dim"), indent=2)
