"""A progress bar on stderr, silent when that is not a terminal."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from langrecall.cli.output import remarks

Advance = Callable[[int], None]


def loading(what: str) -> AbstractContextManager[object]:
    """Say that something is being loaded, for as long as it is."""
    console = remarks()
    return console.status(f"  {what}") if console.is_terminal else nullcontext()


@contextmanager
def counting(what: str, total: int) -> Iterator[Advance]:
    """Show how many of `total` are done; the bar goes away when all are."""
    console = remarks()
    columns = (TextColumn("  {task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda count: bar.advance(task, count)
