"""`langrecall search`: one retrieval, without the loop."""

from dataclasses import dataclass
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Console

from langrecall.cli import options, output
from langrecall.cli.output import counted, iso, say
from langrecall.records import Turn
from langrecall.rendering import day, turn_line, turn_tokens, turns_tokens
from langrecall.stores.base import HistoryStore, Search, SessionInfo


def search(
    question: options.Question,
    db: options.Database,
    namespace: options.Namespace,
    k: Annotated[int, typer.Option("--k", min=1, help="Sessions, and turns, at most.")] = 10,
    tokens: Annotated[
        int | None,
        typer.Option("--tokens", min=1, help="Turns that together cover most within this cost, however many."),
    ] = None,
    embeddings: options.Embeddings = None,
    as_json: options.Json = False,
) -> None:
    """Rank sessions and turns for a question: one retrieval, no loop."""
    from langrecall.cli.histories import for_asking

    found = find(for_asking(db, namespace, embeddings), question, k, tokens)
    if as_json:
        output.emit(found.json())
    else:
        _show(output.results(), found)


@dataclass(frozen=True)
class Found:
    """Both rankings, best first, each item with its score."""

    sessions: list[tuple[float, SessionInfo]]
    turns: list[tuple[float, Turn]]
    seconds: float

    def json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "episodes": [
                {"session_id": info.session_id, "score": score, "title": info.title, "time": iso(info.time)}
                for score, info in self.sessions
            ],
            "turns": [
                {
                    "id": turn.id,
                    "session_id": turn.session_id,
                    "index": turn.index,
                    "source_id": turn.source_id,
                    "score": score,
                    "text": turn.text,
                    "tokens": turn_tokens(turn),
                }
                for score, turn in self.turns
            ],
            "tokens": self.tokens,
            "seconds": self.seconds,
        }

    @property
    def tokens(self) -> int:
        """What showing the turns costs, their sessions' headers counted."""
        return turns_tokens(turn for _, turn in self.turns)


def find(history: HistoryStore, question: str, k: int, tokens: int | None) -> Found:
    """Ask the history for both rankings, and look the found items up."""
    started = perf_counter()
    sessions = history.search_episodes(Search(question, k))
    scores = {hit.id: round(hit.score, 6) for hit in history.search_turns(Search(question, k, tokens=tokens))}
    turns = history.turns(scores)
    seconds = round(perf_counter() - started, 4)
    known = {info.session_id: info for info in history.sessions()}
    return Found(
        [(round(hit.score, 6), known[hit.id]) for hit in sessions], [(scores[turn.id], turn) for turn in turns], seconds
    )


def _show(console: Console, found: Found) -> None:
    for score, info in found.sessions:
        say(
            console,
            (f"{score:.4f}  ", "dim"),
            (info.session_id, "cyan"),
            f"  {info.title}",
            (f"  {day(info.time)}", "dim"),
            indent=2,
        )
    for score, turn in found.turns:
        console.print()
        say(console, (f"{score:.4f}  ", "dim"), (turn.id, "cyan"), (f"  {day(turn.time)}", "dim"), indent=2)
        say(console, turn_line(turn), indent=10)
    console.print()
    say(
        console,
        (f"{counted(len(found.turns), 'turn')}, {counted(found.tokens, 'token')}, {found.seconds:.2f} s", "dim"),
        indent=2,
    )
