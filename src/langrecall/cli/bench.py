"""`langrecall bench`: measure retrieval and speed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.table import Table

from langrecall.cli import options, output
from langrecall.cli.histories import LEXICAL
from langrecall.cli.output import say
from langrecall.cli.progress import counting

bench = typer.Typer(help="Measure retrieval and speed on this machine.", no_args_is_help=True)

Embeddings = Annotated[
    str, typer.Option("--embeddings", metavar="E", help='"local", "none" (words alone) or "provider:model".')
]
Facts = Annotated[
    Literal["extractive", "given"],
    typer.Option("--facts", help="Entries made without a model, or a LoCoMo file's own observations as if by one."),
]


@bench.command()
def retrieval(
    data: Annotated[
        list[Path],
        typer.Option("--data", metavar="FILE", help="A LoCoMo or LongMemEval file; may be given several times."),
    ],
    facts: Facts = "extractive",
    embeddings: Embeddings = "local",
    only: Annotated[
        str | None, typer.Option("--only", metavar="NAME", help="Of a file with several conversations, this one.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write what was shown for each question, by ids and token costs."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Share of gold turns within a token budget and of gold sessions among the first, beside four baselines; no model is asked."""
    from langrecall.evals.retrieval import work
    from langrecall.evals.retrieval_bench import bench_retrieval, read_data

    files = read_data(data, only=only, facts=facts)
    chosen = None if embeddings == LEXICAL else embeddings
    with counting("Measuring", work(list(files.values()))) as advance:
        report = bench_retrieval(files, facts=facts, embeddings=chosen, out=out, advance=advance)
    if as_json:
        output.emit(report)
    else:
        _show_retrieval(output.results(), report)


def _show_retrieval(console: Console, report: Mapping[str, Any]) -> None:
    systems = report["systems"]
    table = _table("", "turns @1000", "turns @2000", "sessions @1", "@5", "@9")
    for name, found in systems.items():
        table.add_row(name, *_cells(found, "all"))
    types = [name for name in systems["langrecall"]["session_recall"]["5"] if name != "all"]
    table.add_section()
    for kind in types:
        table.add_row(f"langrecall, {kind}", *_cells(systems["langrecall"], kind))
    console.print(table)
    console.print()
    if times := report["temporal"]["n"]:
        shares = ", ".join(f"{_percent(report['temporal'][name])} {name}" for name in ("right", "wrong", "unresolved"))
        say(console, f"Time expressions of {times} questions: {shares}", indent=2)
    say(
        console,
        (f"95 % intervals and numbers of questions with --json · {report['seconds']:.0f} s", "dim"),
        indent=2,
    )


def _table(*heads: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 2))
    for head in heads:
        table.add_column(head, justify="right" if head else "left")
    return table


def _cells(found: Mapping[str, Any], kind: str) -> Sequence[str]:
    """One cell a column, in the order of the heads."""
    figures = [*found["turn_recall"].values(), *found["session_recall"].values()]
    return [_percent(figure[kind]["mean"]) if kind in figure else "" for figure in figures]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"
