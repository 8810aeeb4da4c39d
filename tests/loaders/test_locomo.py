"""LoCoMo's shape and its known faults, on conversations written here; counts on the real file where it is at hand."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from langrecall.errors import InputError
from langrecall.loaders import load, locomo
from langrecall.loaders.benchmark import load_benchmark
from langrecall.records import Fact, Image

Write = Callable[..., Path]


def turn(session: int, number: int, speaker: str = "Odalys", text: str = "hello", **fields: object) -> dict[str, Any]:
    return {"speaker": speaker, "dia_id": f"D{session}:{number}", "text": text, **fields}


def sample(name: str = "conv-1", **fields: object) -> dict[str, Any]:
    conversation: dict[str, Any] = {"speaker_a": "Odalys", "speaker_b": "Bo"}
    for number in (10, 2, 1):
        conversation[f"session_{number}_date_time"] = f"12:0{number % 10} am on {number} March, 2024"
        conversation[f"session_{number}"] = [turn(number, at, "Bo" if at % 2 else "Odalys") for at in range(1, 5)]
    conversation["session_11_date_time"] = "1:00 pm on 11 March, 2024"
    return {"sample_id": name, "conversation": conversation, "qa": [], **fields}


def asked(evidence: object, **fields: object) -> dict[str, Any]:
    return {"question": "Who?", "answer": "Bo", "evidence": evidence, "category": 1, **fields}


def test_sessions_are_in_numeric_order_dated_and_named(write: Write) -> None:
    (history,) = load(write([sample()])).histories
    assert history.name == "conv-1"
    assert [session.session_id for session in history.sessions] == ["session_1", "session_2", "session_10"]
    assert history.sessions[0].time == datetime(2024, 3, 1, 0, 1)
    assert history.empty == ("session_11",)
    first = history.sessions[0].turns[0]
    assert (first.id, first.source_id, first.speaker, first.role) == ("session_1:0", "D1:1", "Bo", "speaker")
    assert history.warnings == ()


def test_histories_stay_apart_and_one_can_be_picked(write: Write) -> None:
    path = write([sample("conv-1"), sample("conv-2")])
    assert [history.name for history in load(path).histories] == ["conv-1", "conv-2"]
    assert [history.name for history in load(path, only="conv-2").histories] == ["conv-2"]
    with pytest.raises(InputError, match="holds nothing called 'conv-9'; there are conv-1, conv-2"):
        load(path, only="conv-9")
    with pytest.raises(InputError, match="record 2: \"sample_id\" 'conv-1' is already that of record 1"):
        load(write([sample(), sample()]))


def test_captions_are_kept_with_and_without_an_address(write: Write) -> None:
    record = sample()
    record["conversation"]["session_1"] = [
        turn(1, 1, img_url=["https://example.invalid/a.png"], blip_caption="a bird"),
        turn(1, 2, blip_caption="a cat"),
        turn(1, 3, text="", img_url="https://example.invalid/b.png"),
        turn(1, 4, img_url=["u1", "u2"], blip_caption="two"),
    ]
    turns = load(write([record])).histories[0].sessions[0].turns
    assert [one.images for one in turns] == [
        (Image(source="https://example.invalid/a.png", caption="a bird"),),
        (Image(caption="a cat"),),
        (Image(source="https://example.invalid/b.png"),),
        (Image(source="u1", caption="two"), Image(source="u2")),
    ]


def test_a_date_nobody_can_parse_is_flagged_by_session(write: Write) -> None:
    record = sample()
    record["conversation"]["session_2_date_time"] = "sometime in May"
    history = load(write([record])).histories[0]
    assert [session.session_id for session in history.sessions] == ["session_1", "session_10", "session_2"]
    assert history.sessions[2].time_text == "sometime in May"
    assert history.warnings[0].startswith("session 'session_2': the date 'sometime in May'")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"text": None}, "conv-1, session_1, turn 2: a turn without text and without image"),
        ({"text": 3}, 'conv-1, session_1, turn 2: "text" is the number 3'),
        ({"speaker": " "}, 'turn 2: "speaker" is blank'),
        ({"dia_id": None}, 'turn 2: "dia_id" is null'),
    ],
)
def test_a_turn_that_cannot_be_used_is_named(write: Write, bad: dict[str, Any], message: str) -> None:
    record = sample()
    record["conversation"]["session_1"][1].update(bad)
    with pytest.raises(InputError) as caught:
        load(write([record]))
    assert message in str(caught.value)


def test_a_broken_record_among_good_ones_is_named(write: Write) -> None:
    with pytest.raises(InputError, match='record 2: no "sample_id"'):
        load(write([sample(), {"conversation": {}}]))
    with pytest.raises(InputError, match="conv-2: a JSON object belongs here, not null"):
        load(write([sample(), {"sample_id": "conv-2"}]))


@pytest.mark.parametrize(
    ("evidence", "turns", "unresolved"),
    [
        (["D1:2"], ("session_1:1",), ()),
        (["D2:3; D1:1"], ("session_2:2", "session_1:0"), ()),
        (["D1:1 D2:1 D2:2"], ("session_1:0", "session_2:0", "session_2:1"), ()),
        (["D1:01", "D1:1"], ("session_1:0",), ()),
        (["D:10:2"], ("session_10:1",), ()),
        (["D", "D1:19", "D1:1"], ("session_1:0",), ("D", "D1:19")),
        ([["D1:1", "D1:2"], None], ("session_1:0", "session_1:1"), ("None",)),
        ([], (), ()),
        (None, (), ()),
    ],
)
def test_evidence_is_read_tolerantly(
    write: Write, evidence: object, turns: tuple[str, ...], unresolved: tuple[str, ...]
) -> None:
    (question,) = locomo.questions(write([sample(qa=[asked(evidence)])]))
    assert (question.evidence, question.unresolved) == (turns, unresolved)
    assert question.evidence_sessions == tuple(dict.fromkeys(turn.split(":")[0] for turn in turns))


def test_answers_are_text_and_adversarial_questions_need_none(write: Write) -> None:
    qa = [
        asked(["D1:1"], answer=2022, category=2),
        {"question": "What?", "evidence": ["D1:1"], "category": 5, "adversarial_answer": 7},
        asked([], category=3),
    ]
    year, adversarial, open_domain = locomo.questions(write([sample(qa=qa)]))
    assert (year.answer, year.category, year.abstention, year.adversarial_answer) == ("2022", "temporal", False, None)
    assert (adversarial.answer, adversarial.category) == ("", "adversarial")
    assert (adversarial.abstention, adversarial.adversarial_answer) == (True, "7")
    assert (open_domain.namespace_name, open_domain.question_id, open_domain.category) == (
        "conv-1",
        "conv-1_qa2",
        "open-domain",
    )
    assert open_domain.query_time is None


def test_errata_override_gold_by_place_and_wording(write: Write) -> None:
    qa = [asked(["D1:1"]), asked(["D1:1"], question="When?")]
    errata = [
        {"question_id": "locomo_7_qa1", "question": "When?", "correct_answer": 3, "correct_evidence": ["D2:1"]},
        {"question_id": "locomo_7_qa0", "question": "Of another part", "correct_answer": "no", "correct_evidence": []},
    ]
    path = write([sample(qa=qa)])
    first, second = locomo.questions(path, errata=write(errata, "errata.json"))
    assert (first.answer, first.evidence) == ("Bo", ("session_1:0",))
    assert (second.answer, second.evidence) == ("3", ("session_2:0",))
    with pytest.raises(InputError, match='record 1: "question_id" does not end in qa<number>'):
        locomo.questions(path, errata=write([{"question_id": "x", "question": "y"}], "bad.json"))


def test_observations_become_given_episodes(write: Write) -> None:
    observation = {
        "session_1_observation": {
            "Bo": [["Bo has a boat.", "D1:2"], ["Bo sails.", "D1:1, D1:3"]],
            "Odalys": [["Odalys swims.", ["D1:2", "D2:1"]]],
        }
    }
    given = locomo.given_episodes(write([sample(observation=observation)]))["conv-1"]
    assert list(given) == ["session_1", "session_2", "session_10"]
    assert given["session_1"].facts == (
        Fact(text="Bo has a boat.", turns=(1,), speaker="Bo"),
        Fact(text="Bo sails.", turns=(0, 2), speaker="Bo"),
        Fact(text="Odalys swims.", turns=(1,), speaker="Odalys"),
    )
    assert given["session_2"].facts == ()
    assert given["session_1"].participants == ("Bo", "Odalys")
    broken = sample(observation={"session_1_observation": {"Bo": ["no list"]}})
    with pytest.raises(InputError, match="session_1_observation: an observation is a string"):
        locomo.given_episodes(write([broken]))


@pytest.mark.shared
def test_the_development_file_has_its_known_counts(benchmark_data: Path) -> None:
    path = benchmark_data / "locomo_dev.json"
    histories = load(path).histories
    sizes = {one.name: (len(one.sessions), sum(len(session.turns) for session in one.sessions)) for one in histories}
    assert sizes["conv-26"] == (19, 419)
    assert tuple(map(sum, zip(*sizes.values(), strict=True))) == (128, 2760)
    assert {one.name: one.empty for one in histories if one.empty} == {
        "conv-26": tuple(f"session_{n}" for n in range(20, 36))
    }
    assert [one.warnings for one in histories] == [()] * 5
    sessions = [session for one in histories for session in one.sessions]
    assert sum(bool(one.images) for session in sessions for one in session.turns) == 602
    assert sum(session.time is not None and session.time.hour == 0 for session in sessions) == 6


@pytest.mark.shared
def test_the_development_questions_resolve_but_for_known_faults(benchmark_data: Path) -> None:
    loaded = load_benchmark(benchmark_data / "locomo_dev.json")
    assert len(loaded.questions) == 999
    known = {turn.id for one in loaded.histories for session in one.sessions for turn in session.turns}
    assert {turn for question in loaded.questions for turn in question.evidence} <= known
    assert {question.question_id: question.unresolved for question in loaded.questions if question.unresolved} == {
        "conv-42_qa58": ("D10:19",),
        "conv-42_qa88": ("D",),
    }
    by_id = {question.question_id: question for question in loaded.questions}
    assert by_id["conv-26_qa37"].evidence == ("session_8:5", "session_9:16")
    assert "session_11:25" in by_id["conv-43_qa18"].evidence
    assert by_id["conv-26_qa1"].answer == "2022"
    assert sum(not question.evidence and not question.unresolved for question in loaded.questions) == 2
    assert Counter(question.category for question in loaded.questions)["adversarial"] == 237
    assert sum(len(episode.facts) for given in loaded.given.values() for episode in given.values()) == 1210
    assert all(fact.turns for given in loaded.given.values() for episode in given.values() for fact in episode.facts)


@pytest.mark.shared
def test_the_errata_file_fits_the_development_questions(benchmark_data: Path) -> None:
    path = benchmark_data / "locomo_dev.json"
    mended = load_benchmark(path, errata=benchmark_data / "locomo_errata_dev.json").questions
    changed = [new.question_id for old, new in zip(load_benchmark(path).questions, mended, strict=True) if old != new]
    assert "conv-26_qa1" in changed
    assert 60 < len(changed) <= 85
