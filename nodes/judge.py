"""Judge: can the short-term memory answer the question? If not, what is missing and what to ask next (MemCoT 4.3)."""

from typing import Any

from langrecall.effects import call
from langrecall.engine.budgets import budget_spent, is_spent
from langrecall.engine.expectation import expected_share
from langrecall.engine.observations import looked_at, with_readings
from langrecall.engine.rounds import has_next
from langrecall.engine.run import Run, quoted_turns
from langrecall.policies.base import Judgement, JudgeRequest, Question
from langrecall.settings import Settings
from langrecall.state import Query, RecallState, StopReason, Verdict

FAILED_SHOWN = 5
"""How many failed queries the judge is shown: the most recent, so that it does not repeat them."""


async def judge(state: RecallState, run: Run) -> dict[str, Any]:
    """Decide between answering and another round, and record why the queries of this round failed."""
    if spent := budget_spent(state, run.settings, now=run.since, upcoming=0):
        return _stopped(state, run, spent)
    request = await _request(state, run)
    reply = await call(run.policy.judge, request)
    verdict, number = reply.value, state["round"] + 1
    goes_on, stop = verdict_route(verdict, state, run.settings)
    return {
        "round": number,
        "verdict": Verdict(
            sufficient=verdict.sufficient,
            missing=verdict.missing,
            queries=verdict.queries,
            evolution=verdict.evolution,
        ),
        "queries": [] if verdict.sufficient else failed_queries(state, verdict),
        "next": "refine" if goes_on else "answer",
        "stop_reason": stop,
        "trajectory": run.record(
            "judge",
            state["step"],
            key=f"{number}:judge",
            action="sufficient" if verdict.sufficient else "insufficient",
            reply=reply,
            argument="; ".join(verdict.queries),
            reasoning="; ".join(verdict.missing),
        ),
    }


def verdict_route(verdict: Judgement, state: RecallState, settings: Settings) -> tuple[bool, StopReason]:
    """Whether another round begins, and the stop reason if none does; a judge may stop though something is missing."""
    if verdict.sufficient:
        return False, "exhausted" if verdict.missing else "sufficient"
    spent = is_spent(state["observation"], settings)
    if spent or state["round"] + 1 >= settings.max_rounds or state["step"] >= settings.max_steps:
        return False, "budget"
    return has_next(verdict.queries, state, settings), "exhausted"


def failed_queries(state: RecallState, verdict: Judgement) -> list[Query]:
    """The queries of this round, each with what its evidence still lacks: the episodic half of short-term memory."""
    why = "; ".join(verdict.missing) or "the evidence found does not answer the question"
    return [query | {"failed": why} for query in state["queries"] if not query["failed"]]


async def _request(state: RecallState, run: Run) -> JudgeRequest:
    quoted, context = await quoted_turns(state["memory"], run)
    shown = looked_at(state["observation"])
    expected = await expected_share(state["query"], state.get("asked"), shown, run)
    return JudgeRequest(
        question=Question(state["query"], state.get("asked"), run.settings),
        search_query=state["queries"][-1]["text"],
        memory=state["memory"],
        quoted=with_readings(quoted, state["observation"]),
        failed=[query for query in state["queries"] if query["failed"]][-FAILED_SHOWN:],
        context=context,
        expected=expected,
    )


def _stopped(state: RecallState, run: Run, budget: str) -> dict[str, Any]:
    return {
        "next": "answer",
        "stop_reason": "budget",
        "trajectory": run.record(
            "judge",
            state["step"],
            key=f"{state['round'] + 1}:judge",
            action="answer",
            note=f"no call: {budget} would be overrun",
        ),
    }
