"""Answer from the constructed memory (T2Mem Eq. 7), with checked citations, coverage and usage."""

from collections.abc import Sequence
from typing import Any

from langrecall.citations.support import is_supported
from langrecall.citations.verify import checked
from langrecall.effects import call
from langrecall.engine.answers import better, held_against, repairing
from langrecall.engine.gather import Quoted, gather_quoted, gather_shown, question_of
from langrecall.engine.run import Run
from langrecall.policies.base import AnswerRequest
from langrecall.records import Turn, TurnId
from langrecall.state import (
    Citation,
    Coverage,
    MemoryLine,
    RecallState,
    TotalUsage,
    TrajectoryStep,
    Usage,
)

_UNSUPPORTED = "no checked line supports the answer"


async def answer(state: RecallState, run: Run) -> dict[str, Any]:
    """Answer or abstain, each sentence held against what it cites; markers that lead to no verified line are taken out."""
    quoted = await gather_quoted(state, run)
    request = await _request(state, run, quoted)
    # Before the model is: a store that has to be asked again then costs no second answer.
    sessions = await call(run.history.sessions)
    answered = held_against(await call(run.policy.answer, request), request, quoted.people)
    if run.settings.repair_answer and (again := repairing(request, answered)):
        answered = better(answered, held_against(await call(run.policy.answer, again), request, quoted.people))
    reply = answered.reply
    turns = {turn.id: turn for turn in request.quoted}
    step = run.record(
        "answer",
        state["step"],
        key="answer",
        action="abstain" if reply.value.abstained else "answer",
        reply=reply,
        observed=[line["sources"][0] for line in answered.cited],
        note="" if answered.cited or reply.value.abstained or reply.note else _UNSUPPORTED,
    )
    return {
        "memory": [line for line in request.memory if line not in state["memory"]],
        "answer": answered.text,
        "abstained": reply.value.abstained,
        "citations": [_citation(line, turns) for line in answered.cited],
        "answer_support": answered.support,
        "supported": is_supported(answered.support),
        "coverage": coverage(state, sessions=len(sessions)),
        "usage": total([*state["trajectory"], *step]),
        "trajectory": step,
    }


def rechecked(memory: Sequence[MemoryLine], quoted: Quoted) -> list[MemoryLine]:
    """The lines as their turns bear them out now: a person may have edited them at an interrupt."""
    return [checked(line, quoted.turns, people=quoted.people) if line["verified"] else line for line in memory]


def coverage(state: RecallState, *, sessions: int) -> Coverage:
    """Sessions of the history, eligible, seen in any form, opened by `read_raw`, and never seen."""
    shown = {TurnId.parse(turn).session_id for seen in state["observation"] for turn in seen["turns"]}
    seen = shown | set(state["seen"])
    return Coverage(
        sessions=sessions,
        ranked=state["ranked"],
        seen=len(seen),
        read=len(state["read"]),
        unseen=state["ranked"] - len(seen),
    )


def total(steps: Sequence[TrajectoryStep]) -> TotalUsage:
    """The sum over all steps, and each node's share."""
    by_node: dict[str, Usage] = {}
    for step in steps:
        by_node[step["node"]] = _sum([by_node.get(step["node"]), step["usage"]])
    return TotalUsage(**_sum(list(by_node.values())), by_node=by_node)


async def _request(state: RecallState, run: Run, quoted: Quoted) -> AnswerRequest:
    question, memory = question_of(state, run), rechecked(state["memory"], quoted)
    if run.settings.rollout or not state["observation"]:
        return AnswerRequest(question, memory, quoted.turns, context=quoted.context)
    shown = await gather_shown(state["observation"][:1], state, run)
    whole = shown.turns[: len(shown.observation["turns"])]
    return AnswerRequest(question, memory, quoted.turns, shown.observation, shown.episodes, whole, shown.context)


def _citation(line: MemoryLine, turns: dict[str, Turn]) -> Citation:
    turn = turns[line["sources"][0]]
    return Citation(
        turn=turn.id,
        source_id=turn.source_id,
        session_id=turn.session_id,
        speaker=turn.speaker,
        time=turn.time.isoformat() if turn.time else None,
        quote=line["quote"],
        verified=line["verified"],
    )


def _sum(usages: Sequence[Usage | None]) -> Usage:
    known = [usage for usage in usages if usage]
    return Usage(
        calls=sum(usage["calls"] for usage in known),
        prompt_tokens=sum(usage["prompt_tokens"] for usage in known),
        completion_tokens=sum(usage["completion_tokens"] for usage in known),
        seconds=round(sum(usage["seconds"] for usage in known), 4),
    )
