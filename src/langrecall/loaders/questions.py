"""A benchmark's question with its gold."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class BenchmarkQuestion:
    """One question; ids are those of the loaded sessions and turns, so that they can be compared with what a run observed.

    `evidence` leaves out what names no turn: that is in `unresolved`, as the file has it, and belongs in no denominator.
    `abstention` means that the right reply is that the history does not say.
    """

    namespace_name: str
    question_id: str
    question: str
    answer: str
    category: str
    evidence: tuple[str, ...] = ()
    evidence_sessions: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    query_time: datetime | None = None
    abstention: bool = False
    adversarial_answer: str | None = None
