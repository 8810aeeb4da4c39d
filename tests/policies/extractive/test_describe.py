"""The entry of a session is made of its own sentences."""

from datetime import datetime

import pytest

from langrecall.policies.extractive.describe import EVENTS, FACTS, describe_session
from langrecall.records import Session, Turn
from langrecall.settings import MetadataForm

TIME = datetime(2024, 3, 12, 18)


def session(*said: tuple[str, str]) -> Session:
    turns = tuple(
        Turn(
            session_id="s",
            index=place,
            speaker=speaker,
            role="tool" if speaker == "search" else "speaker",
            text=text,
            time=TIME,
        )
        for place, (speaker, text) in enumerate(said)
    )
    return Session(session_id="s", time=TIME, turns=turns)


TALK = session(
    ("Mia", "I adopted a beagle called Bolt yesterday."),
    ("Tom", "Where does the beagle sleep?"),
    ("Mia", "He sleeps on my sofa in Trondheim."),
    ("search", "Beagles are dogs that were bred for hunting."),
)


def test_facts_and_events_are_sentences_with_their_turns() -> None:
    entry = describe_session(TALK, "wiki")
    assert [(event.text, event.turns, event.time) for event in entry.events] == [
        ("Mia: I adopted a beagle called Bolt yesterday.", (0,), "11 March 2024")
    ]
    assert [(fact.text, fact.turns, fact.speaker) for fact in entry.facts] == [
        ("Mia: He sleeps on my sofa in Trondheim.", (2,), "Mia")
    ]
    assert "beagle" in entry.topics
    assert entry.participants == ("Mia", "Tom")


@pytest.mark.parametrize(
    ("form", "filled"),
    [
        ("wiki", {"topics", "events", "facts", "entities", "time_cues"}),
        ("summary", {"summary"}),
        ("graph", {"entities", "relations"}),
        ("wiki+graph", {"topics", "events", "facts", "entities", "time_cues", "relations"}),
    ],
)
def test_the_form_decides_which_parts_are_filled(form: MetadataForm, filled: set[str]) -> None:
    entry = describe_session(TALK, form)
    parts = ("topics", "events", "facts", "entities", "relations", "time_cues", "summary")
    assert {part for part in parts if getattr(entry, part)} == filled


def test_an_entry_stays_light() -> None:
    long = session(*[("Mia", f"I saw the museum of town number {n} yesterday, it has {n} rooms.") for n in range(60)])
    entry = describe_session(long, "wiki")
    assert len(entry.events) <= EVENTS
    assert len(entry.facts) <= FACTS


def test_unspaced_scripts_are_described_too() -> None:
    entry = describe_session(session(("ミア", "昨日、京都の図書館で新しい仕事を始めました。")), "wiki")
    assert entry.facts or entry.events
    assert entry.topics
