"""Small benchmark files, written on the spot in the shapes of LoCoMo and LongMemEval."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder

TALKS = [
    ["I adopted a beagle yesterday.", "What is the name of the beagle?", "He is called Bolt."],
    ["My sister Runa moved to Trondheim in May.", "Does she like it there?", "She misses the sea."],
    ["Bolt ate my left shoe today.", "Poor shoe. Was it expensive?", "It cost 90 euros."],
    ["I start at the library on Monday.", "Which library is that?", "The one in Marchmont."],
]
DATES = ["6:30 pm on 4 March, 2024", "7:00 pm on 3 June, 2024", "9:15 am on 10 June, 2024", "8:05 pm on 1 July, 2024"]
QUESTIONS: list[dict[str, Any]] = [
    {"question": "Where did Runa move?", "answer": "Trondheim", "category": 4, "evidence": ["D2:1"]},
    {"question": "When did Mia adopt a beagle?", "answer": "3 March 2024", "category": 2, "evidence": ["D1:1"]},
    {"question": "When did Runa move?", "answer": "June 2024", "category": 2, "evidence": ["D2:1"]},
    {"question": "How long was the walk?", "answer": "three weeks", "category": 2, "evidence": ["D3:1"]},
    {"question": "What did Bolt do?", "answer": "ate a shoe", "category": 1, "evidence": ["D1:3; D3:1", "D9:1"]},
    {"question": "Does Mia like dogs?", "answer": "yes", "category": 3, "evidence": []},
    {"question": "Where did Tom move?", "adversarial_answer": "Trondheim", "category": 5, "evidence": ["D2:1"]},
]


def locomo_sample(name: str) -> dict[str, Any]:
    """One conversation of Mia and Tom, with an observation a session and one piece of evidence that names no turn."""
    conversation: dict[str, Any] = {"speaker_a": "Mia", "speaker_b": "Tom"}
    observation: dict[str, Any] = {}
    for number, (lines, date) in enumerate(zip(TALKS, DATES, strict=True), start=1):
        conversation[f"session_{number}_date_time"] = date
        conversation[f"session_{number}"] = [
            {"speaker": ("Mia", "Tom")[place % 2], "dia_id": f"D{number}:{place + 1}", "text": text}
            for place, text in enumerate(lines)
        ]
        observation[f"session_{number}_observation"] = {"Mia": [[f"Mia said that {lines[0]}", f"D{number}:1"]]}
    return {"sample_id": name, "conversation": conversation, "observation": observation, "qa": QUESTIONS}


def longmemeval_entry(name: str, question: str, gold: list[str]) -> dict[str, Any]:
    """A question asked on 8 June, with one session before it and one after."""
    sessions = {"before": "I planted basil on the balcony.", "after": "I planted mint on the balcony."}
    return {
        "question_id": name,
        "question_type": "single-session-user",
        "question": question,
        "answer": "basil",
        "question_date": "2023/06/08 (Thu) 10:00",
        "haystack_dates": ["2023/06/01 (Thu) 09:00", "2023/06/20 (Tue) 09:00"],
        "haystack_session_ids": list(sessions),
        "haystack_sessions": [
            [{"role": "user", "content": text, "has_answer": at in gold}, {"role": "assistant", "content": "Lovely."}]
            for at, text in sessions.items()
        ],
        "answer_session_ids": gold,
    }


@pytest.fixture
def locomo_file(tmp_path: Path) -> Path:
    path = tmp_path / "talks.json"
    path.write_text(json.dumps([locomo_sample("talk-1"), locomo_sample("talk-2")]))
    return path


@pytest.fixture
def longmemeval_file(tmp_path: Path) -> Path:
    path = tmp_path / "haystacks.json"
    entries = [
        longmemeval_entry("q1", "What did I plant on the balcony?", ["before"]),
        longmemeval_entry("q2_abs", "What did I plant in the cellar?", []),
    ]
    path.write_text(json.dumps(entries))
    return path


@pytest.fixture
def memory() -> Iterator[ChromaHistory]:
    with ChromaHistory.open(None, embeddings=HashEmbedder()) as memory:
        yield memory
