"""Reason: one model call distils the observation into memory and chooses the next action (T2Mem Eq. 8)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from langrecall.effects import call
from langrecall.engine.budgets import budget_spent, is_spent, stopped
from langrecall.engine.distil import distil
from langrecall.engine.gather import gather_shown, question_of
from langrecall.engine.run import Run
from langrecall.engine.turns import cued_turns
from langrecall.errors import InputError
from langrecall.pictures.cues import has_image_cue
from langrecall.policies.base import ReasonRequest, Step
from langrecall.records import Turn
from langrecall.rendering import text_tokens
from langrecall.settings import Settings
from langrecall.state import Action, MemoryLine, Node, Observation, RecallState, StopReason, sources_of


class Decision(NamedTuple):
    """Where the run goes after a reason step, and why the loop ends if it does."""

    next: Node
    stop: StopReason


async def reason(state: RecallState, run: Run) -> dict[str, Any]:
    """Distil the latest observation into new memory lines, and decide."""
    step, request = state["step"] + 1, await _request(state, run)
    if spent := budget_spent(state, run.settings, now=run.since, upcoming=_size(request)):
        return stopped(run, "reason", spent, step=step, key=f"{step}:reason")
    reply = await call(run.policy.reason, request)
    lines, note = await distil(reply.value.memory, state, run)
    kept = [*state["memory"], *lines]
    pictured = await cued_turns(sources_of(kept), state, run) if _seeks_pictures(run.settings) else []
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


def _brought_back(observations: Sequence[Observation], step: int) -> list[Observation]:
    """What came back since the last reason step, one observation a parallel branch."""
    return [seen for seen in observations if seen["step"] == step]


def _seeks_pictures(settings: Settings) -> bool:
    """Whether the walk asks for kept turns with an image cue that no page has shown yet."""
    return settings.walk == "cycle" and settings.view and settings.raw_data


def _in_cycle(
    request: ReasonRequest, settings: Settings, kept: Sequence[MemoryLine], pictured: Sequence[Turn]
) -> Action:
    """MemCoT's order; a window is around kept turns, whose image cues count, and with zoom-out off no others."""
    origin = request.came_from
    if origin == "zoom_in" and settings.zoom_out and kept:
        return "zoom_out"
    sources = sources_of(kept)
    cued = [turn for turn in request.turns if has_image_cue(turn) and (settings.zoom_out or turn.id in sources)]
    if origin in ("zoom_in", "zoom_out") and settings.view and (cued or pictured):
        return "view"
    return "answer"


async def _request(state: RecallState, run: Run) -> ReasonRequest:
    latest = _brought_back(state["observation"], state["step"])
    if not latest:
        raise InputError(
            f"no observation of step {state['step']}: set step to that of the last one, or ask the question anew"
        )
    question, shown = question_of(state, run), await gather_shown(latest, state, run)
    unseen = max(state["ranked"] - len(state["seen"]), 0)
    return ReasonRequest(
        question=question,
        search_query=state["queries"][-1]["text"],
        memory=state["memory"],
        observation=shown.observation,
        episodes=shown.episodes,
        turns=shown.turns,
        actions=open_actions(state, run.settings, unseen=unseen, turns=shown.turns),
        seen=state["seen"],
        read=state["read"],
        unseen=unseen,
        steps_left=run.settings.max_steps - state["step"] - 1,
        context=shown.context,
        expected=shown.expected,
    )


def _size(request: ReasonRequest) -> int:
    memory = "\n".join(line["text"] for line in request.memory)
    return request.observation["tokens"] + text_tokens(request.question.query) + text_tokens(memory)
