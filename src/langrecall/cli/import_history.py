"""`langrecall import`: a history from the file that `export` wrote."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from langrecall.cli import options, output
from langrecall.cli.export import Archive
from langrecall.cli.output import say
from langrecall.cli.progress import Advance, counting
from langrecall.stores.base import HistoryStore, PutReport
from langrecall.stores.keeping import put_kept

if TYPE_CHECKING:
    from langrecall.records import Kept


def import_history(
    file: Archive,
    db: options.Database,
    namespace: options.Namespace,
    embeddings: options.Embeddings = None,
    as_json: options.Json = False,
) -> None:
    """Read what `export` wrote into a history: no model is asked, and what is already there is skipped."""
    from langrecall.cli.histories import for_writing
    from langrecall.loaders.archive import load_archive

    kept = load_archive(file)
    history = for_writing(db, [namespace], embeddings)[namespace].at(namespace)
    with counting("Importing", len(kept)) as advance:
        report = _put(history, kept, advance)
    counts = {what: len(names) for what, names in report._asdict().items()}
    if as_json:
        output.emit({"sessions": counts, "turns": sum(len(each.session.turns) for each in kept)})
    else:
        told = ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "no sessions"
        say(output.results(), (told, "bold"), f" in {namespace}")


def _put(history: HistoryStore, kept: "Sequence[Kept]", advance: Advance) -> PutReport:
    """Store sessions in their order, each as its describer and form made it."""
    reports: list[PutReport] = []
    for report in put_kept(history, kept):
        reports.append(report)
        advance(sum(map(len, report)))
    return PutReport.total(reports)
