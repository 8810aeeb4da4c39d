"""One retrieval a question: what each system shows of LoCoMo's and LongMemEval's gold turns and sessions."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from langrecall.evals.histories import Advance, Facts, put_history
from langrecall.evals.retrieval.results import SessionsRanked, ShownTurn, Subject, TurnsShown
from langrecall.evals.retrieval.systems import Inquiry, System
from langrecall.evals.transcripts import Transcript
from langrecall.loaders.benchmark import Benchmark
from langrecall.loaders.loaded import LoadedHistory
from langrecall.loaders.questions import BenchmarkQuestion
from langrecall.stores.base import HistoryMemory

BUDGETS = (1000, 2000)
"""Tokens of evidence, by the project's measure."""
RANKS = (1, 5, 9)
"""The k of session recall."""


class BudgetOverrunError(RuntimeError):
    """A system showed more than it was allowed to, or a turn twice: a fault in the system that no figure may hide."""


class Data(NamedTuple):
    """A benchmark file that has been read, under the name that results give it."""

    name: str
    benchmark: Benchmark


class Outcome(NamedTuple):
    """All results of a run."""

    turns: list[TurnsShown]
    sessions: list[SessionsRanked]


def run_retrieval(
    memory: HistoryMemory, files: Sequence[Data], systems: Sequence[System], *, facts: Facts, advance: Advance
) -> Outcome:
    """Put each file's questions to each system, every history by itself; the histories are removed again.

    `advance` is told of each session stored and each question asked: `work` in all.
    """
    outcome = Outcome([], [])
    for data in files:
        for loaded in data.benchmark.histories:
            history = memory.at(f"{data.name}/{loaded.name}")
            put_history(history, loaded, data.benchmark, facts=facts, advance=advance)
            transcript = Transcript.of(loaded.sessions)
            for question in asked(data.benchmark, loaded):
                inquiry = Inquiry(history, transcript, question.question, question.query_time)
                subject = subject_of(data, question)
                for system in systems:
                    outcome.turns.extend(shown(inquiry, system, question, subject))
                    outcome.sessions.extend(ranked(inquiry, system, question, subject))
                advance(1)
            history.clear()
    return outcome


def work(files: Sequence[Data]) -> int:
    """How much `advance` will be told of."""
    return sum(
        len(loaded.sessions) + len(asked(data.benchmark, loaded))
        for data in files
        for loaded in data.benchmark.histories
    )


def asked(benchmark: Benchmark, loaded: LoadedHistory) -> list[BenchmarkQuestion]:
    """The questions to a history; LongMemEval's about what was never said have no evidence and are left out."""
    return [
        question
        for question in benchmark.questions
        if question.namespace_name == loaded.name and not (question.abstention and benchmark.kind == "longmemeval")
    ]


def subject_of(data: Data, question: BenchmarkQuestion) -> Subject:
    """LoCoMo's adversarial questions have evidence, and stay out of the averages as in both papers."""
    return Subject(
        data=data.name,
        kind=data.benchmark.kind,
        namespace=question.namespace_name,
        question_id=question.question_id,
        category=question.category,
        apart=question.abstention,
    )


def shown(inquiry: Inquiry, system: System, question: BenchmarkQuestion, subject: Subject) -> Iterator[TurnsShown]:
    """One result a budget, none for a question without gold turns."""
    for budget in BUDGETS if question.evidence else ():
        ids = system.turns(inquiry, budget)
        yield TurnsShown(
            subject=subject,
            system=system.name,
            budget=budget,
            shown=tuple(_priced(inquiry.transcript, ids)),
            tokens=checked_cost(inquiry.transcript, ids, budget, f"{system.name} on {subject.question_id}"),
            history_tokens=inquiry.transcript.tokens,
            gold=question.evidence,
            gold_source_ids=tuple(inquiry.transcript.turns[name].source_id for name in question.evidence),
        )


def ranked(inquiry: Inquiry, system: System, question: BenchmarkQuestion, subject: Subject) -> Iterator[SessionsRanked]:
    """One result, none for a question without gold sessions."""
    if question.evidence_sessions:
        yield SessionsRanked(
            subject=subject,
            system=system.name,
            ranked=tuple(system.sessions(inquiry, max(RANKS))),
            sessions=len(inquiry.transcript.sessions),
            gold=question.evidence_sessions,
        )


def checked_cost(transcript: Transcript, ids: Sequence[str], budget: int, what: str) -> int:
    """What showing the turns costs; raises `BudgetOverrunError` when that is too much, or a turn comes twice."""
    cost = transcript.cost(ids)
    if cost > budget:
        msg = f"{what}: {cost} tokens shown with a budget of {budget}"
        raise BudgetOverrunError(msg)
    if len(set(ids)) < len(ids):
        msg = f"{what}: a turn is shown twice"
        raise BudgetOverrunError(msg)
    return cost


def _priced(transcript: Transcript, ids: Sequence[str]) -> Iterator[ShownTurn]:
    return (ShownTurn(name, transcript.turns[name].source_id, transcript.turn_costs[name]) for name in ids)
