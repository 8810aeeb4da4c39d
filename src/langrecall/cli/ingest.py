"""`langrecall ingest`: read files into a history."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

import typer
from rich.console import Console

from langrecall.cli import options, output
from langrecall.cli.output import counted, say
from langrecall.cli.progress import Advance, counting
from langrecall.cli.running import InterruptionError, follow
from langrecall.cli.steps import some
from langrecall.cli.targets import Target, plan
from langrecall.errors import ModelError
from langrecall.settings import MetadataForm
from langrecall.stores.base import HistoryStore

if TYPE_CHECKING:
    from langrecall.ingest_state import IngestEvent, IngestReport

C = TypeVar("C", bound=Mapping[str, Any])

STAGES = 2
"""What is done to a session, for the progress bar: it is described, then stored."""
_PARTIAL = 1
"""Exit code when some sessions were stored and some failed."""


def ingest(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH",
            help="Sessions or chat messages as JSON or JSON lines, a messenger's export, LoCoMo or LongMemEval.",
            show_default=False,
        ),
    ],
    db: options.Database,
    namespace: options.Namespace,
    model: options.Model = "extractive",
    embeddings: options.Embeddings = None,
    only: Annotated[
        str | None, typer.Option("--only", metavar="NAME", help="Of a file with several conversations, this one.")
    ] = None,
    day_first: Annotated[
        bool | None,
        typer.Option(
            "--day-first/--month-first", help="What 05/08/23 means in a chat's text, where the text leaves it open."
        ),
    ] = None,
    form: Annotated[MetadataForm, typer.Option("--form", help="What a session's metadata entry holds.")] = "wiki",
    as_json: options.Json = False,
) -> None:
    """Read conversations into a history; what is already there is skipped."""
    from langrecall.cli.histories import for_writing

    started = perf_counter()
    targets = plan(paths, namespace, only, day_first=day_first)
    for warning in (warning for target in targets for warning in target.warnings):
        say(output.remarks(), ("warning: ", "yellow"), warning)
    memories = for_writing(db, [target.namespace for target in targets], embeddings)
    histories = [memories[target.namespace].at(target.namespace) for target in targets]
    steps = STAGES * sum(len(target.sessions) for target in targets)
    with telling_what_is_stored(histories, targets), counting("Ingesting", steps) as advance:
        reports = [
            store(history, target, model, form, advance) for history, target in zip(histories, targets, strict=True)
        ]
    report = total(reports)
    _refuse_total_failure(report)
    seconds = round(perf_counter() - started, 3)
    if as_json:
        output.emit(_report_json(report, seconds))
    else:
        _show(output.results(), report, [target.namespace for target in targets], seconds)
    if report["failures"]:
        raise typer.Exit(_PARTIAL)


@contextmanager
def telling_what_is_stored(histories: Sequence[HistoryStore], targets: Sequence[Target]) -> Iterator[None]:
    """Ctrl-C inside becomes `InterruptionError`, with what the histories hold of their targets by then.

    The process is to end then: a write under way is waited for, and no other Ctrl-C breaks it off.
    """
    try:
        yield
    except KeyboardInterrupt:
        signal(SIGINT, SIG_IGN)  # Python's own shutdown would answer another with a traceback
        stored = sum(map(_stored, histories, targets))
        wanted = counted(sum(len(target.sessions) for target in targets), "session")
        msg = f"interrupted: {stored} of {wanted} in the history; the same command again goes on from there"
        raise InterruptionError(msg) from None


def _stored(history: HistoryStore, target: Target) -> int:
    known = {info.session_id for info in history.sessions()}
    return sum(session.session_id in known for session in target.sessions)


def store(history: HistoryStore, target: Target, model: str, form: MetadataForm, advance: Advance) -> "IngestReport":
    """Run the ingest graph over one target, telling `advance` how many sessions are done."""
    from langrecall.graphs.ingest import create_ingest_graph

    graph = create_ingest_graph(history, model, settings={"form": form})
    sessions = [session.model_dump(mode="json") for session in target.sessions]

    def on_event(event: "IngestEvent") -> None:
        skipped = len(sessions) - event["total"] if event["node"] == "stage" else 0
        advance(STAGES * skipped + len(event["session_ids"]))

    report: IngestReport = follow(graph, {"sessions": sessions}, on_event)["report"]
    report["sessions"]["empty"] += target.empty
    return report


def total(reports: "Iterable[IngestReport]") -> "IngestReport":
    """One report of several histories."""
    first, *others = reports
    return reduce(_add, others, first)


def _add(one: "IngestReport", other: "IngestReport") -> "IngestReport":
    return {
        "sessions": _sum(one["sessions"], other["sessions"]),
        "turns": one["turns"] + other["turns"],
        "episodes": one["episodes"] + other["episodes"],
        "failures": one["failures"] + other["failures"],
        "usage": _sum(one["usage"], other["usage"]),
    }


def _sum(one: C, other: C) -> C:
    return cast("C", {key: value + other[key] for key, value in one.items()})


def _report_json(report: "IngestReport", seconds: float) -> dict[str, Any]:
    """What `--json` prints."""
    usage = {key: report["usage"][key] for key in ("calls", "prompt_tokens", "completion_tokens")}
    return {**report, "usage": usage, "seconds": seconds}


def _refuse_total_failure(report: "IngestReport") -> None:
    """A run of which nothing could be stored has failed as a whole, and says why once."""
    counts = report["sessions"]
    if report["failures"] and not counts["created"] + counts["updated"] + counts["skipped"]:
        msg = f"none of {counted(counts['failed'], 'session')} could be described: {report['failures'][0]['error']}"
        raise ModelError(msg)


def _show(console: Console, report: "IngestReport", namespaces: Sequence[str], seconds: float) -> None:
    counts = report["sessions"]
    say(
        console,
        (", ".join(f"{count} {what}" for what, count in counts.items() if count) or "no sessions", "bold"),
        indent=2,
    )
    for failure in report["failures"]:
        say(console, ("failed ", "red"), f"{failure['session_id']}: {failure['error']}", indent=2)
    stored = f"{counted(report['turns'], 'turn')}, {counted(report['episodes'], 'entry', 'entries')}"
    cost = "no model" if not report["usage"]["calls"] else counted(report["usage"]["calls"], "model call")
    say(
        console,
        (f"{stored} · {cost} · {seconds:.1f} s", "dim"),
        indent=2,
    )
    say(console, (f"in {some(namespaces)}", "dim"), indent=2)
