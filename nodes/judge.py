"""Judge: can the short-term memory answer the question? If not, what is missing and what to ask next (MemCoT 4.3)."""

from typing import Any

from langrecall.effects import call
from langrecall.engine.budgets import budget_spent, is_spent, stopped
from langrecall.engine.gather import expected_share, gather_quoted, question_of
from langrecall.engine.rounds import has_next
from langrecall.engine.run import Run
from langrecall.policies.base import Judgement, JudgeRequest
from langrecall.settings import Settings
from langrecall.state import Query, RecallState, StopReason, Verdict

_FAILED_SHOWN = 5
"""How many failed queries the judge is shown: the most recent, so that it does not repeat them."""


async def judge(state: RecallState, run: Run) -> dict[str, Any]:
    """Decide between answering and another round, and record why the queries of this round failed."""
    number = state["round"] + 1
    if spent := budget_spent(state, run.settings, now=run.since, upcoming=0):
        return stopped(run, "judge", spent, step=state["step"], key=f"{number}:judge")
    request = await _request(state, run)
    reply = await call(run.policy.judge, request)
    verdict = reply.value
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
    quoted = await gather_quoted(state, run)
    return JudgeRequest(
        question=question_of(state, run),
        search_query=state["queries"][-1]["text"],
        memory=state["memory"],
        quoted=quoted.turns,
        failed=[query for query in state["queries"] if query["failed"]][-_FAILED_SHOWN:],
        context=quoted.context,
        expected=await expected_share(state, run),
    )
