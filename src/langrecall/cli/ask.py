"""`langrecall ask`: answer a question from a history, with citations."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from langrecall.cli import options, output
from langrecall.cli.answers import show_answer
from langrecall.cli.running import quietly, recall
from langrecall.cli.steps import show_step
from langrecall.cli.writing import writing_if_asked
from langrecall.errors import InputError, SettingsError
from langrecall.loaders.dates import parse_date
from langrecall.settings import Settings

if TYPE_CHECKING:
    from langrecall.state import RecallState

_STEP_KEYS = ("step", "node", "action", "argument", "reasoning", "observed", "tokens", "source", "note")
_LINE_KEYS = ("text", "sources", "quote", "verified")


def ask(
    question: options.Question,
    db: options.Database,
    namespace: options.Namespace,
    preset: options.Preset = "combined",
    changes: options.Changes = None,
    model: options.Model = "extractive",
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="When it is asked: later sessions are left out.")
    ] = None,
    trace: options.Trace = False,
    save: options.Save = None,
    embeddings: options.Embeddings = None,
    as_json: options.Json = False,
) -> None:
    """Answer a question from a history, building the memory as it goes."""
    from langrecall.cli.histories import for_asking
    from langrecall.runs.files import dump_run
    from langrecall.runs.recorder import Recorder
    from langrecall.runs.saved import Leg

    settings = Settings.of({"preset": preset, **parse_changes(changes or [])})
    time = parse_time(at)
    console = output.remarks() if as_json else output.results()
    on_step = partial(show_step, console) if trace else quietly
    recorder = Recorder()
    with writing_if_asked(save) as write:
        history = for_asking(db, namespace, embeddings)
        state = recall(history, question, at=time, model=model, settings=settings, on_step=on_step, recorder=recorder)
        if write:
            write(dump_run(recorder.saved(history, [Leg.of(settings, model)])))
    if as_json:
        output.emit(answer_json(state))
        return
    if trace:
        console.print()
    show_answer(console, state)


def answer_json(state: "RecallState") -> dict[str, Any]:
    """What `--json` prints of a finished question."""
    kept = {
        key: state[key]
        for key in ("query", "answer", "abstained", "stop_reason", "citations", "answer_support", "supported")
    }
    return kept | {
        "memory": _only(_LINE_KEYS, state["memory"]),
        "coverage": state["coverage"],
        "usage": state["usage"],
        "steps": _only(_STEP_KEYS, state["trajectory"]),
    }


def parse_time(text: str | None) -> str | None:
    """A time as the graph takes it; raises `InputError` for one that names no day."""
    if text is None:
        return None
    time = parse_date(text)
    if time is None:
        msg = f"--at {text!r} is no date: give one such as 2023-05-08 or '8 May 2023, 13:56'"
        raise InputError(msg)
    return time.isoformat()


def parse_changes(changes: Iterable[str]) -> dict[str, Any]:
    """`KEY=VALUE` pairs as settings: a value is JSON where it can be, `none` is null, anything else a string."""
    settings: dict[str, Any] = {}
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals or not key.strip():
            msg = f"--set {change!r} is no KEY=VALUE: the settings are {', '.join(Settings.model_fields)}"
            raise SettingsError(msg)
        settings[key.strip()] = _value(value.strip())
    return settings


def _only(keys: Sequence[str], items: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{key: item[key] for key in keys} for item in items]


def _value(text: str) -> object:
    if text.lower() == "none":
        return None
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):  # no JSON, or more digits or depth than Python reads
        return text
    return value
