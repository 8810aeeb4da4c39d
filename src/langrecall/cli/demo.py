"""`langrecall demo`: a sample history and four questions, without key or network."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, cast

from rich.console import Console

from langrecall.cli import options, output
from langrecall.cli.answers import show_answer
from langrecall.cli.ask import answer_json
from langrecall.cli.ingest import STAGES, store
from langrecall.cli.output import say
from langrecall.cli.progress import counting
from langrecall.cli.running import recall
from langrecall.cli.steps import show_step
from langrecall.cli.targets import Target, plan
from langrecall.data import sample_history, sample_questions
from langrecall.errors import MissingExtraError
from langrecall.records import Session
from langrecall.rendering import day
from langrecall.stores.base import HistoryStore

if TYPE_CHECKING:
    from langrecall.state import RecallOutput

_NAMESPACE = "demo"
_PROGRAM = "langrecall"
_NEXT = (
    ("your own history   ", "{program} ingest chat.json --db memory --namespace me"),
    ("your own question  ", '{program} ask "When did I say I would move?" --db memory --namespace me --trace'),
    ("with a model       ", "OPENAI_API_KEY=... {program} ask ... --model openai:gpt-4o-mini"),
    (
        "with a local one   ",
        "OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_API_KEY=none {program} ask ... --model openai:qwen3",
    ),
)


def demo(as_json: options.Json = False) -> None:
    """Ask a sample history four questions, step by step: no key, no network."""
    started = perf_counter()
    (sample,) = plan([sample_history()], _NAMESPACE, None)
    history, embeddings = _stored(sample)
    questions = sample_questions().demo
    if as_json:
        answers = [answer_json(recall(history, asked.question)) for asked in questions]
        output.emit({"embeddings": embeddings, "answers": answers, "seconds": round(perf_counter() - started, 3)})
        return
    console = output.results()
    _introduce(console, sample.sessions, embeddings)
    for asked in questions:
        _ask(console, history, asked.question)
    _show_next(console, perf_counter() - started)


def _stored(sample: Target) -> tuple[HistoryStore, str | None]:
    """The sample in a store that leaves nothing behind, with vectors where the `local` extra is installed."""
    try:
        return _store_with("local", sample), "local"
    except MissingExtraError:
        return _store_with(None, sample), None


def _store_with(embeddings: str | None, sample: Target) -> HistoryStore:
    from langrecall.stores.chroma.history import ChromaHistory

    history = ChromaHistory.open(None, embeddings=embeddings).at(_NAMESPACE)
    with counting("Ingesting", STAGES * len(sample.sessions)) as advance:
        store(history, sample, "extractive", "wiki", advance)
    return history


def _introduce(console: Console, sessions: Sequence[Session], embeddings: str | None) -> None:
    turns = sum(len(session.turns) for session in sessions)
    span = " to ".join(day(session.time).split(",")[0] for session in (sessions[0], sessions[-1]))
    people = " and ".join(sessions[0].speakers)
    say(
        console, ("A sample history: ", "bold"), f"{people}, {len(sessions)} sessions, {turns} turns, {span}.", indent=2
    )
    ranking = "words and vectors" if embeddings else "words alone (pip install 'langrecall[local]' adds vectors)"
    say(console, (f"No model, no key, no network. Ranked by {ranking}.", "dim"), indent=2)


def _ask(console: Console, history: HistoryStore, question: str) -> None:
    console.print()
    say(console, (f"? {question}", "bold"), indent=2)
    console.print()
    state = recall(history, question, on_step=partial(show_step, console))
    console.print()
    show_answer(console, cast("RecallOutput", state))


def _show_next(console: Console, seconds: float) -> None:
    console.print()
    say(console, (f"{seconds:.1f} s in all. What next:", "bold"), indent=2)
    for purpose, command in _NEXT:
        say(console, (f"{purpose:<18}", "dim"), command.format(program=program()), indent=2)


def program() -> str:
    """How to call this program again: by its name where a shell finds that, else by the path it was started with."""
    started = Path(sys.argv[0])
    return _PROGRAM if shutil.which(_PROGRAM) or started.name != _PROGRAM else shlex.quote(str(started))
