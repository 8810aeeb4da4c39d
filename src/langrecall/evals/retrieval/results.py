"""What a system showed for a question, in the form that figures and files are made from."""

from typing import NamedTuple

from langrecall.evals.retrieval.metrics import session_recall, turn_recall
from langrecall.evals.retrieval.systems import SystemName
from langrecall.loaders.loaded import Kind


class Subject(NamedTuple):
    """The question that a result is about; one asked `apart` counts for its own category alone."""

    data: str
    kind: Kind
    namespace: str
    question_id: str
    category: str
    apart: bool


class ShownTurn(NamedTuple):
    """A turn that was shown whole, and what that cost; `source_id` is the file's own id, where it has one."""

    id: str
    source_id: str | None
    tokens: int


class TurnsShown(NamedTuple):
    """What one system showed for one question within one budget; `tokens` adds the sessions' headers to the turns."""

    subject: Subject
    system: SystemName
    budget: int
    shown: tuple[ShownTurn, ...]
    tokens: int
    history_tokens: int
    gold: tuple[str, ...]
    gold_source_ids: tuple[str | None, ...]

    @property
    def recall(self) -> float:
        """The share of the gold turns that was shown."""
        return turn_recall(self.gold, [turn.id for turn in self.shown])


class SessionsRanked(NamedTuple):
    """The sessions that one system puts first for one question, out of `sessions` in the history."""

    subject: Subject
    system: SystemName
    ranked: tuple[str, ...]
    sessions: int
    gold: tuple[str, ...]

    def recall(self, k: int) -> float:
        """The share of min(k, gold) gold sessions among the first k."""
        return session_recall(self.gold, self.ranked, k)
