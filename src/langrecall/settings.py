"""Every number and switch of a run: one frozen value, resolved once as preset < graph < run."""

from typing import Any, Literal

from pydantic import Field

from langrecall.choices import Choices
from langrecall.errors import SettingsError

Preset = Literal["t2mem", "memcot", "combined"]
MetadataForm = Literal["wiki", "summary", "graph", "wiki+graph"]


class Settings(Choices, title="langrecall settings"):
    """How the recall graph works. Unset fields take the preset's value; the defaults shown are those of `combined`."""

    preset: Preset = Field(
        default="combined", title="Preset", description="t2mem and memcot as published, or both combined."
    )
    namespace: str | None = Field(
        default=None,
        title="Namespace",
        description="Whose history is asked; required unless the graph is bound to one.",
    )
    model: str | None = Field(
        default=None, title="Model", description='"extractive" or "provider:model"; unset: the graph\'s own model.'
    )

    entry: Literal["retrieve", "zoom_in"] = Field(
        default="retrieve", title="Entry", description="Start from metadata entries or from raw turns."
    )
    walk: Literal["free", "cycle"] = Field(
        default="free",
        title="Walk",
        description="free: each reason step chooses the next action (T2Mem); cycle: zoom in, zoom out, view, judge, "
        "each where there is something for it (MemCoT).",
    )
    rollout: bool = Field(
        default=True, title="Rollout", description="Off: answer from the first observation, without the loop."
    )
    metadata: bool = Field(
        default=True, title="Metadata", description="Off: the loop runs over raw sessions and ranks by raw turns alone."
    )
    raw_data: bool = Field(default=True, title="Raw data", description="Off: metadata entries only, in ranking too.")
    zoom_in: bool = Field(default=True, title="Zoom-in", description="Search raw turns within the loop.")
    zoom_out: bool = Field(default=True, title="Zoom-out", description="Widen windows around kept turns.")
    view: bool = Field(default=True, title="View", description="Read image cues as one page, by a vision model or OCR.")

    k_first: int = Field(
        default=5, ge=1, le=100, title="First k", description="Metadata entries in the first observation (T2Mem k)."
    )
    k_search: int = Field(
        default=2, ge=1, le=100, title="Search k", description="Metadata entries each search_meta returns."
    )
    top_k_turns: int = Field(
        default=10,
        ge=1,
        le=200,
        title="Top-k turns",
        description="Turns each zoom_in returns (MemCoT K); under observation_tokens or evidence_tokens as many as these allow instead.",
    )
    window: int = Field(
        default=2,
        ge=0,
        le=100,
        title="Window",
        description="Chunks on each side of a kept turn that zoom_out shows (MemCoT W).",
    )
    page_pixels: int = Field(
        default=1_000_000,
        ge=100_000,
        le=16_000_000,
        title="Page pixels",
        description="Size of the page that view lays out (MemCoT).",
    )
    max_steps: int = Field(default=6, ge=1, le=100, title="Steps", description="Reason calls at most (T2Mem T_max).")
    max_rounds: int = Field(
        default=3, ge=0, le=50, title="Rounds", description="Judge rounds at most (MemCoT J); 0: no judge."
    )
    retriever: Literal["dense", "lexical", "hybrid", "graph"] = Field(
        default="hybrid",
        title="Retriever",
        description="How sessions and turns are ranked; graph: needs entries in the form graph or wiki+graph.",
    )
    search_query: Literal["original", "evolved"] = Field(
        default="evolved",
        title="Search query",
        description="What search_meta ranks by; original: the question as asked (T2Mem); evolved: what the latest step asks for.",
    )
    raw_policy: Literal["model", "auto"] = Field(
        default="auto",
        title="Raw policy",
        description="model: raw text is shown when an action asks for it; auto: the first entries also come with the best turns.",
    )
    raw_floor_tokens: int = Field(
        default=600,
        ge=0,
        le=100_000,
        title="Raw floor",
        description="Tokens of raw turns that come with the first entries under raw_policy auto.",
    )
    time_grounding: bool = Field(
        default=True, title="Time grounding", description="Show the days that relative expressions mean."
    )
    answer_sees: Literal["memory", "quoted"] = Field(
        default="quoted",
        title="Answer sees",
        description="memory: the memory alone (T2Mem Eq. 7); quoted: the quoted turns too.",
    )
    observation_tokens: int | None = Field(
        default=1000,
        ge=50,
        le=1_000_000,
        title="Observation cap",
        description="Tokens one observation may show; none: no cap.",
    )
    entry_tokens: int | None = Field(
        default=20,
        ge=1,
        le=100_000,
        title="Entry cap",
        description="Tokens a metadata entry may show beside the raw floor: its title, then what is nearest to the query; none: no cap.",
    )
    evidence_tokens: int | None = Field(
        default=3700,
        ge=50,
        le=10_000_000,
        title="Evidence budget",
        description="Tokens that all observations of a question may show together; none: no limit.",
    )
    max_tokens: int | None = Field(
        default=12_000,
        ge=1,
        title="Token budget",
        description="Prompt and completion tokens a question may cost; none: no limit.",
    )
    max_seconds: float | None = Field(
        default=None, gt=0, title="Time budget", description="Seconds a question may take; none: no limit."
    )

    temperature: float = Field(
        default=0.0, ge=0, le=2, title="Temperature", description="Decoding temperature (T2Mem A.3: 0)."
    )
    top_p: float | None = Field(
        default=0.95, gt=0, le=1, title="Top-p", description="Nucleus sampling (T2Mem A.3: 0.95)."
    )
    top_k: int | None = Field(
        default=None,
        ge=1,
        title="Top-k sampling",
        description="T2Mem A.3: 20. Not an OpenAI parameter: sent in extra_body, for servers that accept it.",
    )
    answer_max_tokens: int = Field(
        default=1024,
        ge=16,
        le=100_000,
        title="Answer length",
        description="Completion tokens of an answer at most (T2Mem A.3: 1,024).",
    )
    repair_answer: bool = Field(
        default=True,
        title="Repair",
        description="Ask once more for an answer that its citations do not bear out.",
    )
    reasoning_tokens: int | None = Field(
        default=None,
        ge=1,
        title="Reasoning tokens",
        description="N: a model is asked for at most N reasoning tokens, and a reply has N + 64 at most (T2Mem A.3); none: no such limit.",
    )


PRESETS: dict[Preset, dict[str, Any]] = {
    "t2mem": {
        "k_search": 1,
        "max_steps": 5,
        "max_rounds": 0,
        "retriever": "dense",
        "search_query": "original",
        "raw_policy": "model",
        "time_grounding": False,
        "answer_sees": "memory",
        "observation_tokens": None,
        "entry_tokens": None,
        "evidence_tokens": None,
        "max_tokens": None,
        "zoom_in": False,
        "zoom_out": False,
        "view": False,
        "repair_answer": False,
    },
    "memcot": {
        "entry": "zoom_in",
        "walk": "cycle",
        "top_k_turns": 10,
        "window": 4,
        "max_steps": 24,
        "max_rounds": 8,
        "retriever": "dense",
        "raw_policy": "model",
        "time_grounding": False,
        "answer_sees": "memory",
        "observation_tokens": None,
        "entry_tokens": None,
        "evidence_tokens": None,
        "max_tokens": None,
        "repair_answer": False,
    },
    "combined": {},
}
"""The two papers as published, and ours; a value not named here is the field's default."""


def resolve(base: Settings, context: object = None) -> Settings:
    """Merge preset < graph < run; `context` is what LangGraph hands over (see `Choices.from_context`).

    Raises `SettingsError` where the merged settings contradict each other.
    """
    chosen = base.chosen() | Settings.from_context(context)
    preset: Preset = chosen.get("preset", "combined")
    merged = Settings.of(PRESETS[preset] | chosen | {"preset": preset})
    if fault := _contradiction(merged):
        raise SettingsError(fault)
    return merged


def _contradiction(settings: Settings) -> str | None:
    if not settings.metadata and not settings.raw_data:
        return "metadata and raw_data are both false, which leaves nothing to look at: set one of them to true"
    if settings.entry == "zoom_in" and not settings.zoom_in:
        return "entry is 'zoom_in' and zoom_in is false: set entry to 'retrieve', or zoom_in to true"
    if settings.entry == "zoom_in" and not settings.rollout:
        return "rollout is false, which only entry 'retrieve' can do without a loop: set entry to 'retrieve' (with preset memcot too)"
    return None
