"""The state of one question: small, public, plain JSON; histories stay in the store.

Lists are unions by id, so that parallel branches and parent graphs never duplicate an item, and `Overwrite` starts them anew.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, TypeVar

from langgraph.channels import EphemeralValue
from typing_extensions import TypedDict

VERSION = 2
"""Of the state's shape; a question that was begun under another cannot be resumed."""

Action = Literal["search_meta", "read_raw", "zoom_in", "zoom_out", "view", "answer"]
Node = Literal[
    "retrieve", "reason", "search_meta", "read_raw", "zoom_in", "zoom_out", "view", "judge", "refine", "answer"
]
StopReason = Literal["sufficient", "exhausted", "budget"]
Support = Literal["supported", "unsupported", "not_checkable"]
Source = Literal["model", "repaired", "fallback", "extractive", "store"]
"""Where a step's output came from: the model as it was, repaired, the defined fallback, the extractive policy, or the store."""


class MemoryLine(TypedDict):
    """One distilled line of M_t."""

    id: str
    text: str
    sources: list[str]
    quote: str
    verified: bool


class Observation(TypedDict):
    """What one action brought back: the ids and the text that `reason` is shown."""

    id: str
    step: int
    node: Node
    """Which one brought it back."""
    kind: Literal["episodes", "session", "turns", "page", "notice"]
    episodes: list[str]
    """Session ids of the metadata entries shown, best first."""
    turns: list[str]
    """Ids of the turns shown whole, best first."""
    clipped: list[str]
    """Ids of turns of which only a part fitted."""
    text: str
    tokens: int
    hidden: int
    """How many turns the cap left out."""
    readings: NotRequired[dict[str, list[str]]]
    """Of `view`, by turn: the text read in each picture, which the history does not hold; none where it was looked at in vain."""


class Usage(TypedDict):
    """What a call, a node or a question cost."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float


class TrajectoryStep(TypedDict):
    """One node's doing."""

    id: str
    step: int
    node: Node
    action: str
    argument: str
    reasoning: str
    observed: list[str]
    """Ids of what came back; of a reason step, the turns its new memory rests on."""
    tokens: int
    source: Source
    note: str
    """What was dropped, refused or repaired, if anything."""
    usage: Usage


class Query(TypedDict):
    """A query that was tried or is to be tried: why it failed is the episodic half of short-term memory."""

    id: str
    text: str
    failed: str


class Verdict(TypedDict):
    """What the judge said last."""

    sufficient: bool
    missing: list[str]
    queries: list[str]
    evolution: Literal["decomposed", "pruned", "none"]


class Citation(TypedDict):
    """A checked pointer from an answer's `[n]` to a turn."""

    turn: str
    source_id: str | None
    session_id: str
    speaker: str
    time: str | None
    quote: str
    verified: bool


class SentenceSupport(TypedDict):
    """One sentence of an answer, held against what it cites."""

    text: str
    citations: list[int]
    """The numbers of its markers."""
    support: Support
    reason: str
    """What is not borne out, or what was reckoned to bear it out."""


class Coverage(TypedDict):
    """How much of the history the answer rests on, in sessions."""

    sessions: int
    ranked: int
    seen: int
    read: int
    unseen: int


class TotalUsage(Usage):
    """What the whole question cost, and each node's share."""

    by_node: dict[str, Usage]


class RecallInput(TypedDict):
    """What a caller gives."""

    query: str
    query_time: NotRequired[Annotated[str | None, EphemeralValue]]


class RecallOutput(TypedDict):
    """What a caller gets."""

    answer: str
    abstained: bool
    citations: list[Citation]
    answer_support: list[SentenceSupport]
    supported: bool
    memory: list[MemoryLine]
    coverage: Coverage
    usage: TotalUsage
    stop_reason: StopReason


T = TypeVar("T", bound=Mapping[str, Any])
H = TypeVar("H", bound=Hashable)


def union_by_id(old: Sequence[T], new: Sequence[T]) -> list[T]:
    """Old items in their places, each replaced by a newer one of its id; then the new ones, in order."""
    merged = {item["id"]: item for item in old}
    merged.update({item["id"]: item for item in new})
    return list(merged.values())


def union(old: Sequence[H], new: Sequence[H]) -> list[H]:
    """Each item once, in order of first appearance."""
    return list(dict.fromkeys([*old, *new]))


def sources_of(memory: Iterable[MemoryLine]) -> list[str]:
    """Ids of the turns that memory lines rest on, each once."""
    return list(dict.fromkeys(source for line in memory for source in line["sources"]))


def citable(memory: Sequence[MemoryLine]) -> list[MemoryLine]:
    """The lines an answer may cite, in the order that its `[n]` count."""
    return [line for line in memory if line["verified"]]


class RecallState(TypedDict):
    """Everything the graph knows about the question at hand."""

    query: str
    """The question as asked. Written by the caller."""
    query_time: NotRequired[Annotated[str | None, EphemeralValue]]
    """ISO time of asking. Written by the caller; gone after the entry node, so that a thread's next question has its own or none."""
    asked: NotRequired[str | None]
    """The time of asking of this question: later sessions are left out. Written by the entry node."""
    version: int
    """Written by the entry node, so that a checkpoint of another version is refused and not misread."""
    started: float
    """Epoch seconds at which the question began. Written by the entry node, read for the time budget."""
    queries: Annotated[list[Query], union_by_id]
    """Queries tried so far, oldest first, and why they failed. Written by the entry node, judge and refine."""
    pending: list[Query]
    """Queries to try next. Written by refine, read by the actions."""
    memory: Annotated[list[MemoryLine], union_by_id]
    """M_t. Written by reason, read by reason, judge and answer."""
    seen: Annotated[list[str], union]
    """Session ids whose metadata entry was observed (I_seen). Written by retrieve and search_meta."""
    read: Annotated[list[str], union]
    """Session ids whose raw session was opened, if only in part. Written by read_raw, and by what shows raw sessions without metadata."""
    ranked: int
    """How many sessions were eligible. Written by the entry node."""
    observation: Annotated[list[Observation], union_by_id]
    """What each action brought back, oldest first. Written by the entry node and the actions, read by reason."""
    trajectory: Annotated[list[TrajectoryStep], union_by_id]
    """What each node did. Written by every node."""
    step: int
    """Reason calls made. Written by reason."""
    round: int
    """Judge rounds made. Written by judge."""
    argument: str
    """The argument of the next action. Written by reason and refine."""
    next: Node
    """Where the run goes. Written by retrieve, reason, judge and refine; read by the routers alone."""
    verdict: Verdict
    """What the judge said last. Written by judge, read by refine."""
    stop_reason: StopReason
    """Why the loop ended. Written by retrieve, for the case that no step is allowed, and by reason and judge."""
    answer: str
    """Plain text with `[n]` markers. Written by answer, like everything below."""
    abstained: bool
    citations: list[Citation]
    answer_support: list[SentenceSupport]
    """Each sentence of the answer, held against the turns it cites; none of an abstention."""
    supported: bool
    """Whether some sentence is borne out, and none is not."""
    coverage: Coverage
    usage: TotalUsage
