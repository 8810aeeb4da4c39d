"""Run a saved run again: as it was, or with other settings from some step on."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from langrecall.errors import InputError
from langrecall.policies.choice import EXTRACTIVE
from langrecall.records import Turn
from langrecall.runs.replaying import ReplayingChatModel
from langrecall.runs.saved import HistoryMark, Leg, SavedRun
from langrecall.runs.walk import Stretch
from langrecall.settings import Settings
from langrecall.state import Citation, RecallInput, RecallState, TrajectoryStep
from langrecall.stores.base import HistoryStore

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_OUT_OF_TIME = "no call: max_seconds"
"""How the note of a step begins that the time budget stopped."""


def asked(run: SavedRun) -> RecallInput:
    """What the graph was given."""
    return RecallInput(query=run.question, query_time=run.query_time)


def replayed(run: SavedRun) -> list[Stretch]:
    """The run as it was, its models' words from the record; raises `InputError` where a clock decided its course."""
    _refuse_time_limit(run, run.last_step + 1)
    return _recorded(run, run.legs)


def forked(
    run: SavedRun, from_step: int, changes: dict[str, Any], *, model: str | None = None
) -> tuple[list[Leg], list[Stretch]]:
    """The legs of a run that is as recorded before reason step `from_step` and live, under the changed settings, from there on.

    Raises `InputError` for a step the run never came to, `SettingsError` for a change that is none.
    """
    if not 1 <= from_step <= run.last_step:
        reached = f"its steps are 1 to {run.last_step}" if run.last_step else "it has no reason steps"
        raise InputError(f"the run cannot be forked at step {from_step}: {reached}")
    _refuse_time_limit(run, from_step)
    kept = [leg for leg in run.legs if leg.from_step < from_step]
    chosen = Settings.of({name: value for name, value in changes.items() if name != "model"})
    leg = kept[-1].changed(chosen.chosen(), model or changes.get("model"), from_step=from_step)
    live = Stretch(Settings.of(leg.settings | _personal(changes)), leg.model, from_step)
    return [*kept, leg], [*_recorded(run, kept), live]


def check_history(run: SavedRun, history: HistoryStore) -> None:
    """Raise `InputError` unless the history is the one that the run was made on, as far as its record can tell."""
    now = HistoryMark.of(history.sessions())
    if now != run.history:
        was = f"{run.history.sessions} sessions then, {now.sessions} now"
        same = now.sessions == run.history.sessions
        raise InputError(f"the history has changed since: {'other sessions than then' if same else was}")
    held = {turn.id: turn for turn in history.turns([turn.id for turn in run.turns])}
    for turn in run.turns:
        if turn.id not in held:
            raise InputError(f"the history has changed since: it holds no turn {turn.id!r} any more")
        if _said(held[turn.id]) != _said(turn):
            raise InputError(f"the history has changed since: turn {turn.id!r} reads differently now")


def differences(run: SavedRun, state: RecallState) -> list[str]:
    """In what a replay departed from the record, one line each; none where steps, answer and citations are the same."""
    return list(_differences(run, state))


def _differences(run: SavedRun, state: RecallState) -> Iterator[str]:
    was = [_deed(step.event) for step in run.steps]
    now = [_deed(step) for step in state["trajectory"]]
    if was != now:
        place = next((n for n, pair in enumerate(zip(was, now, strict=False)) if pair[0] != pair[1]), None)
        place = min(len(was), len(now)) if place is None else place
        yield f"place {place + 1} of the walk: {_named(was, place)} then, {_named(now, place)} now"
    for name in ("answer", "abstained", "stop_reason"):
        if run.output[name] != state[name]:
            yield f"{name}: {run.output[name]!r} then, {state[name]!r} now"
    if run.output["citations"] != state["citations"]:
        yield f"citations: {_cited(run.output['citations'])} then, {_cited(state['citations'])} now"


def _deed(step: TrajectoryStep) -> tuple[str, str, str]:
    return step["node"], step["action"], step["argument"]


def _named(steps: Sequence[tuple[str, str, str]], place: int) -> str:
    return " ".join(filter(None, dict.fromkeys(steps[place]))) if place < len(steps) else "the end"


def _cited(citations: Sequence[Citation]) -> str:
    return ", ".join(cited["turn"] for cited in citations) or "none"


def _recorded(run: SavedRun, legs: Sequence[Leg]) -> list[Stretch]:
    models: dict[str, str | BaseChatModel] = {
        name: ReplayingChatModel.of(run.calls, name) for name in {leg.model for leg in legs} - {EXTRACTIVE}
    }
    return [Stretch(_timeless(leg), models.get(leg.model, EXTRACTIVE), leg.from_step) for leg in legs]


def _timeless(leg: Leg) -> Settings:
    """A replay takes the time it takes; where the budget did not stop the run, it would not have."""
    return Settings.of(leg.settings | {"max_seconds": None})


def _personal(changes: dict[str, Any]) -> dict[str, Any]:
    return {"namespace": changes["namespace"]} if "namespace" in changes else {}


def _refuse_time_limit(run: SavedRun, before: int) -> None:
    for step in run.steps:
        if step.event["note"].startswith(_OUT_OF_TIME) and step.event["step"] < before:
            raise InputError(
                f"the clock stopped this run at step {step.event['step']}, which a replay cannot repeat: "
                f"fork it there with --from-step {step.event['step']} --set max_seconds=none"
            )


def _said(turn: Turn) -> tuple[object, ...]:
    return turn.speaker, turn.role, turn.text, turn.time, [(image.caption, image.ocr) for image in turn.images]
