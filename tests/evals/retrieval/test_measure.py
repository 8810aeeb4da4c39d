"""A run asks what can be asked, keeps apart what belongs apart, and never hides a system that overruns its budget."""

from dataclasses import replace
from pathlib import Path

import pytest

from langrecall.evals.histories import silent
from langrecall.evals.retrieval.measure import BudgetOverrunError, Data, Outcome, checked_cost, run_retrieval, work
from langrecall.evals.retrieval.systems import SYSTEMS, Inquiry, System
from langrecall.evals.transcripts import Transcript
from langrecall.loaders.benchmark import load_benchmark
from langrecall.stores.chroma.history import ChromaHistory


def run(memory: ChromaHistory, path: Path, systems: tuple[System, ...] = SYSTEMS) -> Outcome:
    return run_retrieval(memory, [Data("file", load_benchmark(path))], systems, facts="extractive", advance=silent)


def test_each_question_with_evidence_meets_each_system_and_budget(memory: ChromaHistory, locomo_file: Path) -> None:
    outcome = run(memory, locomo_file)
    asked = {(found.subject.namespace, found.subject.question_id) for found in outcome.turns}
    assert len(asked) == 12
    assert len(outcome.turns) == 12 * 5 * 2
    assert len(outcome.sessions) == 12 * 5


def test_evidence_that_names_no_turn_is_in_no_denominator(memory: ChromaHistory, locomo_file: Path) -> None:
    found = next(one for one in run(memory, locomo_file).turns if one.subject.category == "multi-hop")
    assert found.gold == ("session_1:2", "session_3:0")
    assert found.gold_source_ids == ("D1:3", "D3:1")


def test_adversarial_questions_are_apart(memory: ChromaHistory, locomo_file: Path) -> None:
    apart = {found.subject.category for found in run(memory, locomo_file).turns if found.subject.apart}
    assert apart == {"adversarial"}


def test_histories_are_gone_afterwards(memory: ChromaHistory, locomo_file: Path) -> None:
    run(memory, locomo_file)
    assert memory.namespaces() == []


def test_questions_about_what_was_never_said_are_not_asked(memory: ChromaHistory, longmemeval_file: Path) -> None:
    outcome = run(memory, longmemeval_file)
    assert {found.subject.question_id for found in outcome.sessions} == {"q1"}


def test_sessions_after_the_day_of_asking_are_left_out(memory: ChromaHistory, longmemeval_file: Path) -> None:
    outcome = run(memory, longmemeval_file)
    assert {found.ranked for found in outcome.sessions} == {("before",)}
    assert {turn.id for found in outcome.turns for turn in found.shown} <= {"before:0", "before:1"}


def test_progress_adds_up_to_the_work_announced(memory: ChromaHistory, locomo_file: Path) -> None:
    told: list[int] = []
    files = [Data("file", load_benchmark(locomo_file))]
    run_retrieval(memory, files, SYSTEMS[:1], facts="given", advance=told.append)
    assert sum(told) == work(files) == 2 * (4 + 7)


def test_a_system_that_shows_a_turn_twice_stops_the_run(memory: ChromaHistory, locomo_file: Path) -> None:
    def stuttering(inquiry: Inquiry, tokens: int) -> list[str]:
        return [*SYSTEMS[0].turns(inquiry, tokens), *SYSTEMS[0].turns(inquiry, tokens)]

    with pytest.raises(BudgetOverrunError, match="langrecall on talk-1_qa0: a turn is shown twice"):
        run(memory, locomo_file, (replace(SYSTEMS[0], turns=stuttering),))


def test_cost_is_checked_against_the_budget(locomo_file: Path) -> None:
    transcript = Transcript.of(load_benchmark(locomo_file).histories[0].sessions)
    ids = ["session_1:0", "session_2:0"]
    cost = transcript.cost(ids)
    assert checked_cost(transcript, ids, cost, "it") == cost
    with pytest.raises(BudgetOverrunError, match=f"it: {cost} tokens shown with a budget of {cost - 1}"):
        checked_cost(transcript, ids, cost - 1, "it")
    with pytest.raises(BudgetOverrunError, match="it: a turn is shown twice"):
        checked_cost(transcript, [*ids, ids[0]], cost, "it")
