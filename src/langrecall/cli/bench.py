"""`langrecall bench`: measure retrieval, the loop and speed."""

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

bench = typer.Typer(help="Measure retrieval, the loop and speed on this machine.", no_args_is_help=True)

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
    embeddings: options.EmbeddingModel = "local",
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
    from langrecall.evals.retrieval.bench import bench_retrieval, read_data
    from langrecall.evals.retrieval.measure import work

    files = read_data(data, only=only, facts=facts)
    with counting("Measuring", work(list(files.values()))) as advance:
        report = bench_retrieval(files, facts=facts, embeddings=_asked(embeddings), out=out, advance=advance)
    if as_json:
        output.emit(report)
    else:
        _show_retrieval(output.results(), report)


@bench.command()
def loop(
    data: Annotated[Path, typer.Option("--data", metavar="FILE", help="A LoCoMo or LongMemEval file.")],
    tokens: Annotated[
        int, typer.Option("--tokens", min=100, metavar="N", help="What each question may observe where that is equal.")
    ] = 2000,
    embeddings: options.VectorModel = "local",
    only: Annotated[
        str | None, typer.Option("--only", metavar="NAME", help="Of a file with several conversations, this one.")
    ] = None,
    db: Annotated[
        Path | None,
        typer.Option("--db", metavar="DIR", help="Keep the histories in this folder, or take them from it."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write what each question observed, by ids and token costs."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Gold turns that each preset's loop observes, beside one retrieval, at equal observed tokens; no model is asked."""
    from langrecall.evals.loop.bench import bench_loop
    from langrecall.evals.retrieval.bench import read_data
    from langrecall.evals.retrieval.measure import work

    (read,) = read_data([data], only=only, facts="extractive").values()
    with counting("Walking", work([read])) as advance:
        report = bench_loop(data, read, tokens=tokens, embeddings=_asked(embeddings), out=out, advance=advance, db=db)
    if as_json:
        output.emit(report)
    else:
        _show_loop(output.results(), report)


@bench.command()
def speed(
    embeddings: options.VectorModel = "local",
    growth: Annotated[
        bool, typer.Option("--growth", help="Add histories of up to a million turns and up to a thousand namespaces.")
    ] = False,
    up_to: Annotated[
        int, typer.Option("--up-to", min=1, metavar="N", help="Of --growth, only histories of at most N turns.")
    ] = 1_000_000,
    peers: Annotated[
        bool, typer.Option("--peers", help="Add other memory libraries; those of the bench extra that are installed.")
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="FILE", help="For --peers, a LoCoMo or LongMemEval file; else the sample."),
    ] = None,
    only: Annotated[
        str | None, typer.Option("--only", metavar="NAME", help="Of that file, this conversation; else its first.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Ratios to the least that each part could cost on this machine: embedding alone, a dot product, an empty graph."""
    from langrecall.evals.peers.bench import conversation, libraries, measure_peers, sample
    from langrecall.evals.speed.bench import Sizes, bench_speed
    from langrecall.evals.speed.growth import SIZES, measure_growth

    shared = conversation(data, only=only) if data else sample()
    with counting("Measuring", Sizes().work) as advance:
        report = bench_speed(embeddings=_asked(embeddings), sizes=Sizes(), advance=advance)
    if growth:
        wanted = [size for size in SIZES if size.turns <= up_to]
        with counting("Growing", len(wanted)) as advance:
            report["growth"] = measure_growth(wanted, embeddings=embeddings, advance=advance)
    if peers:
        with counting("Comparing", len(libraries())) as advance:
            report["peers"] = measure_peers(shared, embeddings=embeddings, advance=advance)
    if as_json:
        output.emit(report)
    else:
        _show_speed(output.results(), report)


def _asked(embeddings: str) -> str | None:
    return None if embeddings == LEXICAL else embeddings


def _show_retrieval(console: Console, report: Mapping[str, Any]) -> None:
    systems = report["systems"]
    say(
        console,
        ("Gold turns shown within so many tokens, gold sessions among the first so many:", "bold"),
        indent=2,
    )
    table = _table("", "1,000", "2,000", "1st", "5", "9")
    for name, found in systems.items():
        table.add_row(name, *_cells(found, "all"))
    types = [name for name in systems["langrecall"]["session_recall"]["5"] if name != "all"]
    table.add_row("langrecall by type")
    for kind in types:
        table.add_row(f"  {kind}", *_cells(systems["langrecall"], kind))
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


def _show_loop(console: Console, report: Mapping[str, Any]) -> None:
    say(console, (f"Gold turns among the first {report['tokens']:,} tokens observed, and among all:", "bold"), indent=2)
    table = _table("", "capped", "multi-hop", "all", "evidence", "prompts")
    for name, found in report["systems"].items():
        shares = (found["capped"].get(kind, {}).get("mean") for kind in ("all", "multi-hop"))
        spent = (f"{found[kind]['mean'] or 0:,.0f}" for kind in ("evidence_tokens", "prompt_tokens"))
        table.add_row(name, *map(_percent, shares), _percent(found["as_run"]["all"]["mean"]), *spent)
    console.print(table)
    console.print()
    say(console, ("Differences with their intervals by --json", "dim"), indent=2)


def _show_speed(console: Console, report: Mapping[str, Any]) -> None:
    ingested, searched, walked = report["ingest"], report["retrieval"], report["overhead"]
    imported, memory = report["import"], report["peak_memory_mb"]
    table = _table("", "measured", "reference")
    table.add_row("ingest, share of the encoder's speed", f"{ingested['ratio']:.2f}", "1.00")
    for name in ("p50", "p95"):
        measured, reference = searched[f"{name}_ms"], searched[f"reference_{name}_ms"]
        table.add_row(f"retrieval {name}, {searched['turns']:,} turns", f"{measured:.1f} ms", f"{reference:.1f} ms")
    table.add_row("graph, a step", f"{walked['step_ms']:.2f} ms", f"{walked['empty_step_ms']:.2f} ms")
    table.add_row("an event loop's longest pause, clear apart", f"{report['event_loop']['longest_ms']:.1f} ms", "")
    table.add_row("first search of a process", f"{report['cold_start_ms']:,.0f} ms", "")
    table.add_row("import beyond langgraph", f"{imported['seconds_beyond_langgraph']:.2f} s", "")
    table.add_row("peak memory", f"{memory:,.0f} MB" if memory else "unknown", "")
    console.print(table)
    for rows in (_growth_table(report), _peers_table(report)):
        if rows:
            console.print()
            console.print(rows)


def _growth_table(report: Mapping[str, Any]) -> Table | None:
    if "growth" not in report:
        return None
    table = _table("", "namespaces", "p50", "encoding", "memory")
    for row in report["growth"]["sizes"]:
        figures = (
            [row["failed"]]
            if "failed" in row
            else [f"{row['p50_ms']:.1f} ms", f"{row['encode_ms']:.1f} ms", f"{row['rss_mb'] or 0:,.0f} MB"]
        )
        limit = f", {row['descriptors']:,} files" if row["descriptors"] else ""
        table.add_row(f"{row['turns']:,} turns{limit}", f"{row['namespaces']:,}", *figures)
    return table


def _peers_table(report: Mapping[str, Any]) -> Table | None:
    if "peers" not in report:
        return None
    compared = report["peers"]
    table = _table("", f"turns @{compared['tokens']}", "p50", "storing")
    for name, row in compared["libraries"].items():
        figures = (
            [row["skipped"]]
            if "skipped" in row
            else [_percent(row["turn_recall"]["mean"]), f"{row['p50_ms']:.1f} ms", f"{row['put_seconds']:.1f} s"]
        )
        table.add_row(name, *figures)
    return table


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
