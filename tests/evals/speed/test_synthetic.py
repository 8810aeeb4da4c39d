"""Made-up histories are of the size asked for and the same each time."""

from langrecall.evals.speed.synthetic import synthetic_questions, synthetic_sessions


def test_a_seed_gives_one_history_of_the_size_asked_for() -> None:
    sessions = list(synthetic_sessions(50, seed=1))
    assert [len(session.turns) for session in sessions] == [20, 20, 10]
    assert sessions == list(synthetic_sessions(50, seed=1))
    assert sessions != list(synthetic_sessions(50, seed=2))


def test_sessions_are_days_apart() -> None:
    first, second = synthetic_sessions(40, seed=1)
    assert first.time
    assert second.time
    assert (second.time - first.time).days == 2


def test_questions_are_distinct() -> None:
    assert len(set(synthetic_questions(300, seed=1))) == 300
