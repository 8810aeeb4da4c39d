"""The JSON shapes that models reply in: read leniently, asked for strictly."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args

from langchain_core.utils.function_calling import convert_to_openai_function
from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, create_model, field_validator

from langrecall.policies.model.prompts import FORM_FIELDS
from langrecall.settings import MetadataForm
from langrecall.state import Action

M = TypeVar("M", bound=BaseModel)


def _text(value: object) -> object:
    return "" if value is None else str(value) if isinstance(value, int | float) else value


def _listed(value: object) -> object:
    items = value if isinstance(value, list) else [value]
    return [item for item in items if item not in (None, "")]


def _lines(value: object) -> object:
    items = _listed(value)
    return [{"text": item} if isinstance(item, str) else item for item in items] if isinstance(items, list) else items


def _turns(value: object) -> object:
    """Turn indices out of `3`, `"3"`, `"[3]"` or `"session_1:3"`; what holds no number is dropped."""
    items = _listed(value)
    numbers = [re.search(r"(?<!\d)(\d{1,9})\W*$", str(item)) for item in items] if isinstance(items, list) else []
    return [int(found[1]) for found in numbers if found]


Text = Annotated[str, BeforeValidator(_text)]
Texts = Annotated[list[Text], BeforeValidator(_listed)]
Turns = Annotated[list[int], BeforeValidator(_turns)]


class LineReply(BaseModel):
    """One new memory line; asked for in this order, because what was copied first grounds what is written then."""

    sources: Texts = Field(default_factory=list, validation_alias=AliasChoices("sources", "source", "ids"))
    quote: Text = Field(default_factory=str)
    text: Text = Field(validation_alias=AliasChoices("text", "fact", "content"))


class StepReply(BaseModel):
    """What to keep and what to do next."""

    reasoning: Text = Field(default_factory=str)
    memory: Annotated[list[LineReply], BeforeValidator(_lines)] = Field(
        default_factory=list, validation_alias=AliasChoices("memory", "new_memory", "facts")
    )
    missing: Texts = Field(default_factory=list)
    action: str = Field(validation_alias=AliasChoices("action", "next_action"))
    argument: Text = Field(default_factory=str, validation_alias=AliasChoices("argument", "action_argument"))

    @field_validator("action", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        """`ReadRaw`, `read raw` and `READ_RAW` all mean `read_raw`."""
        known = {name.replace("_", ""): name for name in get_args(Action)}
        return known.get(re.sub(r"[\W_]", "", value).lower(), value) if isinstance(value, str) else value


class JudgementReply(BaseModel):
    """Whether the memory answers the question, and what to search next if not."""

    reasoning: Text = Field(default_factory=str)
    sufficient: bool = Field(validation_alias=AliasChoices("sufficient", "is_sufficient", "is_enough"))
    missing: Texts = Field(default_factory=list)
    queries: Texts = Field(default_factory=list)
    evolution: Literal["decomposed", "pruned", "none"] = Field(default_factory=lambda: "none")

    @field_validator("evolution", mode="before")
    @classmethod
    def _stemmed(cls, value: object) -> object:
        verbs = {"": "none", "decompose": "decomposed", "prune": "pruned"}
        return verbs.get(str(value or "").strip().lower(), value)


class EventReply(BaseModel):
    """Something that happened or is planned."""

    text: Text
    turns: Turns = Field(default_factory=list)
    time: Text = Field(default_factory=str)


class FactReply(BaseModel):
    """Something lasting about a person."""

    text: Text
    speaker: Text = Field(default_factory=str)
    turns: Turns = Field(default_factory=list)


class RelationReply(BaseModel):
    """Two entities and how they are related."""

    subject: Text
    predicate: Text
    object: Text
    turns: Turns = Field(default_factory=list)


class EntryReply(BaseModel):
    """The index entry of a session; a form asks for some of these parts."""

    title: Text
    summary: Text = Field(default_factory=str)
    topics: Texts = Field(default_factory=list)
    events: Annotated[list[EventReply], BeforeValidator(_lines)] = Field(default_factory=list)
    facts: Annotated[list[FactReply], BeforeValidator(_lines)] = Field(default_factory=list)
    entities: Texts = Field(default_factory=list)
    relations: Annotated[list[RelationReply], BeforeValidator(_listed)] = Field(default_factory=list)


@dataclass(frozen=True)
class Shape(Generic[M]):
    """A form of reply: the strict schema that servers are given, and the lenient reader of what comes back."""

    name: str
    schema: Mapping[str, Any]
    read: Callable[[object], M]

    @property
    def tool(self) -> dict[str, Any]:
        """The same as an OpenAI tool."""
        description = "Give the reply in this form."
        return {
            "type": "function",
            "function": {"name": self.name, "description": description, "parameters": dict(self.schema)},
        }


@lru_cache
def step_shape(actions: tuple[Action, ...]) -> Shape[StepReply]:
    """A reason step that may choose only among the actions open now."""
    choice = Field(validation_alias=AliasChoices("action", "next_action"))
    fields: dict[str, Any] = {"action": (Literal.__getitem__(actions), choice)}
    return _shape("Step", create_model("Step", __base__=StepReply, **fields))


@lru_cache
def judgement_shape() -> Shape[JudgementReply]:
    """The judge's verdict."""
    return _shape("Judgement", JudgementReply)


@lru_cache
def entry_shape(form: MetadataForm) -> Shape[EntryReply]:
    """The parts of an entry that the form wants; others are not asked for and not kept."""
    return _shape("Entry", EntryReply, keep=FORM_FIELDS[form])


def _shape(name: str, model: type[M], *, keep: Sequence[str] = ()) -> Shape[M]:
    schema = convert_to_openai_function(model, strict=True)["parameters"]
    if keep:
        parts = {field: schema["properties"][field] for field in keep}
        schema = {**schema, "properties": parts, "required": list(keep)}
    return Shape(name, schema, model.model_validate)
