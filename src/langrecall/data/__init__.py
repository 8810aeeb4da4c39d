"""The sample history and its questions."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Literal, NamedTuple

from langrecall.records import Record

__all__ = ["SampleQuestion", "SampleQuestions", "sample_history", "sample_questions"]

SampleKind = Literal["one-hop", "two-sessions", "date", "picture", "answerable", "never-said", "wrong-person"]


class SampleQuestion(Record):
    """A question about the sample history; `wrong-person` credits a true thing to the one it is not true of."""

    kind: SampleKind
    question: str
    answerable: bool
    answer: str
    evidence: tuple[str, ...]


class SampleQuestions(NamedTuple):
    """`demo` is a tour of four, `abstention` thirty of which half have no answer, `picture` is answered by a picture alone."""

    demo: tuple[SampleQuestion, ...]
    abstention: tuple[SampleQuestion, ...]
    picture: SampleQuestion


def sample_history() -> Path:
    """The packaged history, two friends over eight months, as a file to load or ingest; its picture lies beside it."""
    return Path(str(files(__name__) / "sample_history.json"))


def sample_questions() -> SampleQuestions:
    """The questions that go with it."""
    stored = json.loads((files(__name__) / "sample_questions.json").read_text(encoding="utf-8"))
    return SampleQuestions(
        demo=tuple(map(SampleQuestion.model_validate, stored["demo"])),
        abstention=tuple(map(SampleQuestion.model_validate, stored["abstention"])),
        picture=SampleQuestion.model_validate(stored["picture"]),
    )
