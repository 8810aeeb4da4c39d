"""Reason: one model call distils the observation into memory and chooses the next action (T2Mem Eq. 8)."""

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from langrecall.citations.verify import verify
from langrecall.effects import call
from langrecall.engine.budgets import budget_spent, is_spent
from langrecall.engine.expectation import expected_share
from langrecall.engine.observations import looked_at, merge, shown_once, with_readings
from langrecall.engine.run import Run, check_held, context_before
from langrecall.errors import InputError
from langrecall.pictures.cues import has_image_cue
from langrecall.policies.base import Line, Question, ReasonRequest, Step
from langrecall.records import Turn
from langrecall.rendering import text_tokens
from langrecall.settings import Settings
from langrecall.state import Action, MemoryLine, Node, Observation, RecallState, StopReason
from langrecall.tools.view import not_viewed

STRETCH = 10
"""Turns of a stretch named as one source that are taken for sources; a line that needs more says too much."""
_STRETCH = re.compile(r"(?P<session>.+):(?P<first>\d{1,6})\s*[-\u2013]\s*(?P<last>\d{1,6})")


class Decision(NamedTuple):
    """Where the run goes after a reason step, and why the loop ends if it does."""

    next: Node
    stop: StopReason


async def reason(state: RecallState, run: Run) -> dict[str, Any]:
    """Distil the latest observation into new memory lines, and decide."""
    request = await _request(state, run)
    if spent := budget_spent(state, run.settings, now=run.since, upcoming=_size(request)):
        return _stopped(state, run, spent)
    reply = await call(run.policy.reason, request)
    step = state["step"] + 1
    lines, note = await _distil(reply.value.memory, state, run, step)
    kept = [*state["memory"], *lines]
    pictured = await _pictured(state, run, kept)
    decision = decide(reply.value, request, state, run.settings, kept=kept, pictured=pictured)
    return {
        "memory": lines,
        "step": step,
        "pending": [],
        "argument": reply.value.argument.strip(),
        "next": decision.next,
        "stop_reason": decision.stop,
        "trajectory": run.record(
            "reason",
            step,
            key=f"{step}:reason",
            action=decision.next,
            reply=reply,
            argument=reply.value.argument.strip(),
            reasoning=reply.value.reasoning,
            observed=[source for line in lines for source in line["sources"]],
            note=note,
        ),
    }


def decide(
    step: Step,
    request: ReasonRequest,
    state: RecallState,
    settings: Settings,
    *,
    kept: Sequence[MemoryLine],
    pictured: Sequence[Turn] = (),
) -> Decision:
    """Choose the next node from what the policy asked for, the walk of the preset, and what is left of the budgets."""
    wanted = _in_cycle(request, settings, kept, pictured) if settings.walk == "cycle" else step.action
    if wanted == "answer":
        done: StopReason = "exhausted" if step.missing else "sufficient"
        return Decision("judge" if state["round"] < settings.max_rounds else "answer", done)
    if request.steps_left <= 0 or is_spent(state["observation"], settings):
        return Decision("answer", "budget")
    if wanted not in request.actions and not (wanted == "view" and pictured):
        return Decision("answer", "exhausted")
    return Decision(wanted, "exhausted")


def open_actions(state: RecallState, settings: Settings, *, unseen: int, turns: Sequence[Turn]) -> list[Action]:
    """The actions that settings allow and that can still bring something back; once the evidence budget is spent none but the answer."""
    if is_spent(state["observation"], settings):
        return ["answer"]
    unread = [name for name in state["seen"] if name not in state["read"]]
    raw = settings.raw_data
    allowed: dict[Action, bool] = {
        "search_meta": unseen > 0 and settings.walk == "free",
        "read_raw": raw and settings.metadata and bool(unread),
        "zoom_in": raw and settings.zoom_in,
        "zoom_out": raw and settings.zoom_out and bool(state["memory"] or turns),
        "view": raw and settings.view and any(map(has_image_cue, turns)),
        "answer": True,
    }
    return [action for action, is_open in allowed.items() if is_open]


def brought_back(observations: Sequence[Observation], step: int) -> list[Observation]:
    """What came back since the last reason step, one observation a parallel branch."""
    return [seen for seen in observations if seen["step"] == step]


def _in_cycle(
    request: ReasonRequest, settings: Settings, kept: Sequence[MemoryLine], pictured: Sequence[Turn]
) -> Action:
    """MemCoT's order; a window is around kept turns, whose image cues count, and with zoom-out off no others."""
    origin = request.came_from
    if origin == "zoom_in" and settings.zoom_out and kept:
        return "zoom_out"
    sources = {source for line in kept for source in line["sources"]}
    cued = [turn for turn in request.turns if has_image_cue(turn) and (settings.zoom_out or turn.id in sources)]
    if origin in ("zoom_in", "zoom_out") and settings.view and (cued or pictured):
        return "view"
    return "answer"


async def _pictured(state: RecallState, run: Run, kept: Sequence[MemoryLine]) -> list[Turn]:
    """The kept turns with an image cue that no page has shown yet, where the walk asks for them."""
    if run.settings.walk == "free" or not (run.settings.view and run.settings.raw_data):
        return []
    sources = dict.fromkeys(source for line in kept for source in line["sources"])
    turns = await call(run.history.turns, not_viewed(sources, state))
    return [turn for turn in turns if has_image_cue(turn)]


async def _request(state: RecallState, run: Run) -> ReasonRequest:
    latest = brought_back(state["observation"], state["step"])
    if not latest:
        raise InputError(
            f"no observation of step {state['step']}: set step to that of the last one, or ask the question anew"
        )
    observation = merge(latest)
    episodes = await call(run.history.episodes, observation["episodes"])
    turns = await call(run.history.turns, [*observation["turns"], *observation["clipped"]])
    check_held(observation, episodes, turns)
    turns = with_readings(turns, state["observation"])
    observation = shown_once(latest, turns, run.settings)
    context = await context_before(run.history, observation["turns"])
    shown = looked_at(state["observation"])
    expected = await expected_share(state["query"], state.get("asked"), shown, run)
    unseen = max(state["ranked"] - len(state["seen"]), 0)
    return ReasonRequest(
        question=Question(state["query"], state.get("asked"), run.settings),
        search_query=state["queries"][-1]["text"],
        memory=state["memory"],
        observation=observation,
        episodes=episodes,
        turns=turns,
        actions=open_actions(state, run.settings, unseen=unseen, turns=turns),
        seen=state["seen"],
        read=state["read"],
        unseen=unseen,
        steps_left=run.settings.max_steps - state["step"] - 1,
        context=context,
        expected=expected,
    )


def _size(request: ReasonRequest) -> int:
    memory = "\n".join(line["text"] for line in request.memory)
    return request.observation["tokens"] + text_tokens(request.question.query) + text_tokens(memory)


def _stopped(state: RecallState, run: Run, budget: str) -> dict[str, Any]:
    return {
        "next": "answer",
        "stop_reason": "budget",
        "trajectory": run.record(
            "reason",
            state["step"] + 1,
            key=f"{state['step'] + 1}:reason",
            action="answer",
            note=f"no call: {budget} would be overrun",
        ),
    }


async def _distil(lines: Sequence[Line], state: RecallState, run: Run, step: int) -> tuple[list[MemoryLine], str]:
    named = [[name for source in line.sources for name in _turn_ids(source)] for line in lines]
    shown = set(looked_at(state["observation"]))
    possible = {name for names in named for name in names if name in shown or _is_of(name, state["seen"])}
    turns: list[Turn] = []
    if run.settings.raw_data:
        held = await call(run.history.turns, sorted(possible))
        turns = with_readings(held, state["observation"])
        possible &= {turn.id for turn in turns}
    by_id = {turn.id: turn for turn in turns}
    known = [[name for name in names if name in possible] for names in named]
    dropped = dict.fromkeys(name for names in named for name in names if name not in possible)
    texts = {line["text"] for line in state["memory"]}
    made: list[MemoryLine] = []
    for line, sources in zip(lines, known, strict=True):
        if line.text.strip() and line.text not in texts:
            texts.add(line.text)
            rests_on = [by_id[source] for source in sources if source in by_id]
            made.append(_memory_line(line, sources, rests_on, key=f"{step}.{len(made) + 1}"))
    return made, f"dropped unknown ids: {', '.join(dropped)}" if dropped else ""


def _memory_line(line: Line, sources: list[str], turns: list[Turn], *, key: str) -> MemoryLine:
    quote = line.quote.strip() or line.text
    check = verify(line.text, quote, turns)
    first = [check.turn.id] if check.turn else []
    return MemoryLine(
        id=key,
        text=line.text.strip(),
        sources=list(dict.fromkeys([*first, *sources])),
        quote=quote,
        verified=check.verified,
    )


def _turn_ids(source: str) -> list[str]:
    """The ids that a source names: itself, or each turn of a stretch such as `s1:3-5`, of which models are fond."""
    name = source.strip()
    name = name[1:-1] if name.startswith("[") and name.endswith("]") else name
    stretch = _STRETCH.fullmatch(name)
    if not stretch:
        return [name]
    first, last = int(stretch["first"]), int(stretch["last"])
    return [f"{stretch['session']}:{index}" for index in range(first, last + 1)][:STRETCH]


def _is_of(name: str, seen: Collection[str]) -> bool:
    """Whether this is the id of a turn of a session whose entry was seen."""
    session_id, _, index = name.rpartition(":")
    return index.isdecimal() and session_id in seen
