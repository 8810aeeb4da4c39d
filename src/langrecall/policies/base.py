"""What a policy is asked and what it replies; nodes talk to a `Policy` and never to a provider."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from langrecall.records import Episode, Session, Turn
from langrecall.settings import MetadataForm, Settings
from langrecall.state import Action, MemoryLine, Node, Observation, Query, SentenceSupport, Source

T = TypeVar("T")


class Spent(BaseModel):
    """What a policy method cost: model calls and their tokens, as reported by the provider or estimated."""

    model_config = ConfigDict(frozen=True)

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        """The cost of both."""
        return Spent(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True)
class Reply(Generic[T]):
    """A policy's output, where it came from, and what it cost."""

    value: T
    source: Source
    spent: Spent = field(default_factory=Spent)
    note: str = ""


class Line(BaseModel):
    """A proposed memory line: one statement, the turn ids it rests on, and words copied from them."""

    text: str
    sources: list[str] = Field(default_factory=list)
    quote: str = ""


class Step(BaseModel):
    """`(r_t, m_t, a_t)` of T2Mem Eq. 8: reasoning, new memory, next action with its argument, and what is still missing."""

    reasoning: str = ""
    memory: list[Line] = Field(default_factory=list)
    action: Action = "search_meta"
    argument: str = ""
    missing: list[str] = Field(default_factory=list)


class Judgement(BaseModel):
    """MemCoT's judge: whether the memory answers the question, what is missing, and the evolved queries."""

    sufficient: bool = False
    missing: list[str] = Field(default_factory=list)
    queries: list[str] = Field(default_factory=list)
    evolution: Literal["decomposed", "pruned", "none"] = "none"


class Draft(BaseModel):
    """An answer before its citations are checked: plain text whose `[n]` markers count the memory lines shown, from 1."""

    text: str
    abstained: bool = False


@dataclass(frozen=True)
class Question:
    """What every role is told: the question, when it is asked, and the settings of the run."""

    query: str
    query_time: str | None
    settings: Settings


@dataclass(frozen=True)
class ReasonRequest:
    """Input of `reason`: M_{t-1}, o_{t-1}, the actions open now, and the records behind the observation.

    `expected` is the share of the evidence that the ranking expects among all turns shown so far, where it can tell.
    """

    question: Question
    search_query: str
    memory: Sequence[MemoryLine]
    observation: Observation
    episodes: Sequence[Episode]
    turns: Sequence[Turn]
    actions: Sequence[Action]
    seen: Sequence[str]
    read: Sequence[str]
    unseen: int
    steps_left: int
    context: Sequence[Turn] = ()
    expected: float | None = None

    @property
    def came_from(self) -> Node:
        """The node that brought the observation back."""
        return self.observation["node"]


@dataclass(frozen=True)
class JudgeRequest:
    """Input of `judge`: both halves of short-term memory, the most recent failed queries last; `expected` as in `reason`."""

    question: Question
    search_query: str
    memory: Sequence[MemoryLine]
    quoted: Sequence[Turn]
    failed: Sequence[Query]
    context: Sequence[Turn] = ()
    expected: float | None = None


@dataclass(frozen=True)
class AnswerRequest:
    """Input of `answer`: the memory, with `quoted` turns or an `observation` where the settings let it see them.

    `unsupported` is what the answer `before` says that its citations do not bear out: a policy may mend it.
    """

    question: Question
    memory: Sequence[MemoryLine]
    quoted: Sequence[Turn] = ()
    observation: Observation | None = None
    episodes: Sequence[Episode] = ()
    turns: Sequence[Turn] = ()
    context: Sequence[Turn] = ()
    before: str = ""
    unsupported: Sequence[SentenceSupport] = ()


@dataclass(frozen=True)
class PageRequest:
    """Input of `read_page`: turns with pictures laid out as one page (PNG; None where no picture opened), and what OCR read in them."""

    question: Question
    page: bytes | None
    turns: Sequence[Turn]
    ocr: str


class Policy(Protocol):
    """Who does the thinking. Every method has an async form with an `a` in front."""

    @property
    def name(self) -> str:
        """`extractive`, or the model's name; recorded as the describer of an entry."""
        ...

    @property
    def weighs_expectation(self) -> bool:
        """Whether it looks at the `expected` of its requests, which takes another search."""
        ...

    def describe(self, session: Session, form: MetadataForm) -> Reply[Episode]:
        """Extract the metadata entry of a session in one call."""
        ...

    def reason(self, request: ReasonRequest) -> Reply[Step]:
        """Reason, distil, choose the next action."""
        ...

    def judge(self, request: JudgeRequest) -> Reply[Judgement]:
        """Decide whether the memory answers the question, and evolve the query if not."""
        ...

    def answer(self, request: AnswerRequest) -> Reply[Draft]:
        """Answer from the memory, or abstain."""
        ...

    def read_page(self, request: PageRequest) -> Reply[str]:
        """Tell what the pictures of a page show; without eyes, the OCR text as it is."""
        ...

    async def adescribe(self, session: Session, form: MetadataForm) -> Reply[Episode]: ...
    async def areason(self, request: ReasonRequest) -> Reply[Step]: ...
    async def ajudge(self, request: JudgeRequest) -> Reply[Judgement]: ...
    async def aanswer(self, request: AnswerRequest) -> Reply[Draft]: ...
    async def aread_page(self, request: PageRequest) -> Reply[str]: ...
