"""The messages of each role: instructions in the system message, recalled text quoted inside tags of the request."""

import base64
import json
import re
from collections.abc import Sequence
from datetime import datetime
from math import ceil
from typing import TYPE_CHECKING, Any

from langrecall.policies.base import AnswerRequest, JudgeRequest, PageRequest, Question, ReasonRequest
from langrecall.policies.model import prompts
from langrecall.records import Session, Turn
from langrecall.rendering import INDENT, day, indented, one_line, turn_line
from langrecall.settings import MetadataForm
from langrecall.state import MemoryLine, Observation, citable

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

TAG = re.compile(r"<(?=/?(?:memory|observation|failed|session|question|actions|progress|rules)\b)", re.IGNORECASE)


def reason_messages(request: ReasonRequest, share: float = 1.0) -> "list[BaseMessage]":
    """What `reason` is told, with `share` of the observation's text."""
    settings = request.question.settings
    system = prompts.REASON.format(
        reasoning=_reasoning(settings.reasoning_tokens, prompts.REASONING_LINES),
        line=prompts.REASON_EXAMPLE_LINE,
        question=prompts.REASON_EXAMPLE_QUESTION,
        example=prompts.REASON_EXAMPLE,
    )
    return _messages(
        system,
        prompts.REASON_REQUEST.format(
            memory=_listed([data(_with_sources(line)) for line in request.memory]),
            observation=data(shrunk(request.observation, share)),
            actions=_listed([f"{action}: {prompts.ACTIONS[action]}" for action in request.actions]),
            progress=prompts.PROGRESS.format(
                seen=len(request.seen), read=len(request.read), unseen=request.unseen, steps_left=request.steps_left
            ),
            question=_question(request.question),
        ),
    )


def judge_messages(request: JudgeRequest, share: float = 1.0) -> "list[BaseMessage]":
    """What `judge` is told; the quoted turns stand under the lines they support, where the settings show them."""
    settings = request.question.settings
    quoted = _newest(request.quoted, share) if settings.answer_sees == "quoted" else []
    lines = [f"- {indented(data(line['text']))}" for line in request.memory]
    system = prompts.JUDGE.format(
        reasoning=_reasoning(settings.reasoning_tokens, prompts.REASONING_SHORT),
        evolutions=", ".join(f'"{name}" ({meaning})' for name, meaning in prompts.EVOLUTIONS.items()),
        example=prompts.JUDGE_EXAMPLE,
    )
    return _messages(
        system,
        prompts.JUDGE_REQUEST.format(
            memory=_with_quotes(lines, request.memory, quoted, grounded=settings.time_grounding),
            failed=_listed([data(f"{query['text']}: {query['failed']}") for query in request.failed]),
            question=_question(request.question),
            search_query=data(request.search_query),
        ),
    )


def answer_messages(request: AnswerRequest, share: float = 1.0) -> "list[BaseMessage]":
    """What `answer` is told: verified lines are numbered from 1, the others are shown without a number and cannot be cited."""
    settings = request.question.settings
    budget = settings.reasoning_tokens
    reasoning = prompts.ANSWER_REASONING.format(tokens=budget, marker=prompts.ANSWER_MARKER) if budget else ""
    quoted = _newest(request.quoted, share) if settings.answer_sees == "quoted" else []
    observation = request.observation and prompts.ANSWER_OBSERVATION.format(
        observation=data(shrunk(request.observation, share))
    )
    messages = _messages(
        prompts.ANSWER.format(
            marker=prompts.ABSTAIN_MARKER,
            reasoning=reasoning,
            example=prompts.ANSWER_EXAMPLE.format(marker=prompts.ABSTAIN_MARKER),
        ),
        prompts.ANSWER_REQUEST.format(
            memory=_with_quotes(_numbered(request.memory), request.memory, quoted, grounded=settings.time_grounding),
            observation=observation or "",
            question=_question(request.question),
        ),
    )
    return [*messages, *_repair(request)] if request.unsupported else messages


def describe_messages(session: Session, form: MetadataForm, share: float = 1.0) -> "list[BaseMessage]":
    """What `describe` is told: the turns by index, with grounded dates, and the parts that the form wants."""
    fields = prompts.FORM_FIELDS[form]
    example = {field: prompts.DESCRIBE_EXAMPLES[field] for field in fields}
    system = prompts.DESCRIBE.format(
        fields=_listed([prompts.DESCRIBE_FIELDS[field] for field in fields]),
        example=json.dumps(example, ensure_ascii=False),
    )
    turns = [f"[{turn.index}] {indented(turn_line(turn))}" for turn in _newest(session.turns, share)]
    held = day(session.time) if session.time else session.time_text or day(None)
    return _messages(system, prompts.DESCRIBE_REQUEST.format(time=data(one_line(held)), session=data("\n".join(turns))))


def page_messages(request: PageRequest) -> "list[BaseMessage]":
    """Instructions, then the page as an image block under the question.

    With it goes as text what OCR read, for small print and digits, and each turn whose letters the page's font may lack.
    """
    from langchain_core.messages import HumanMessage, SystemMessage

    text = prompts.VIEW_REQUEST.format(observation=_page_text(request), question=data(request.question.query))
    parts: list[str | dict[Any, Any]] = [{"type": "text", "text": text}]
    if request.page is not None:
        page = base64.b64encode(request.page).decode()
        parts.append({"type": "image", "base64": page, "mime_type": "image/png"})
    return [SystemMessage(prompts.VIEW), HumanMessage(content=parts)]


def data(text: str) -> str:
    """Recalled text, unable to open or close a tag of the prompt."""
    return TAG.sub("(", text)


def shrunk(observation: Observation, share: float) -> str:
    """The observation's text, or `share` of its lines: of one session the newest, otherwise the best ranked, which come first."""
    lines = observation["text"].splitlines()
    kept = ceil(len(lines) * share)
    if kept == len(lines):
        return observation["text"]
    if observation["kind"] == "session":
        return "\n".join([lines[0], prompts.LEFT_OUT, *lines[max(len(lines) - kept, 1) :]])
    return "\n".join([*lines[:kept], prompts.LEFT_OUT])


def _page_text(request: PageRequest) -> str:
    lines = [f"[{one_line(turn.id)}] {indented(f'{one_line(turn.speaker)}: {turn.text}')}" for turn in request.turns]
    undrawn = [line for line in lines if not line.isascii()]
    blocks = [(prompts.BY_PROGRAM, request.ocr.strip()), (prompts.UNDRAWN, "\n".join(undrawn))]
    return "\n\n".join(f"{heading}\n{data(body)}" for heading, body in blocks if body) or prompts.NONE_YET


def _messages(system: str, request: str) -> "list[BaseMessage]":
    from langchain_core.messages import HumanMessage, SystemMessage

    return [SystemMessage(system), HumanMessage(request)]


def _repair(request: AnswerRequest) -> "list[BaseMessage]":
    """The answer before, and what of it is not borne out."""
    from langchain_core.messages import AIMessage, HumanMessage

    faults = _listed([f"{data(each['text'])} ({each['reason']})" for each in request.unsupported])
    return [
        AIMessage(request.before),
        HumanMessage(prompts.REPAIR.format(faults=faults, marker=prompts.ABSTAIN_MARKER)),
    ]


def _reasoning(tokens: int | None, short: str) -> str:
    return prompts.REASONING_BUDGET.format(tokens=tokens) if tokens else short


def _question(question: Question) -> str:
    when = question.query_time and f"\n(asked on {day(datetime.fromisoformat(question.query_time))})"
    return data(question.query) + (when or "")


def _listed(items: Sequence[str]) -> str:
    return "\n".join(f"- {indented(item)}" for item in items) or prompts.NONE_YET


def _with_sources(line: MemoryLine) -> str:
    return f"{line['text']} ({', '.join(line['sources'])})" if line["sources"] else line["text"]


def _numbered(memory: Sequence[MemoryLine]) -> list[str]:
    numbers = {line["id"]: f"[{number}]" for number, line in enumerate(citable(memory), start=1)}
    return [f"{numbers.get(line['id'], prompts.UNVERIFIED)} {indented(data(line['text']))}" for line in memory]


def _with_quotes(lines: Sequence[str], memory: Sequence[MemoryLine], quoted: Sequence[Turn], *, grounded: bool) -> str:
    """Each line, and under it the turns it rests on that no earlier line has shown."""
    left = {turn.id: turn for turn in quoted}
    shown: list[str] = []
    for text, line in zip(lines, memory, strict=True):
        under = [left.pop(source) for source in line["sources"] if source in left]
        shown += [text, *(_quoted(turn, grounded=grounded) for turn in under)]
    return "\n".join(shown) or prompts.NONE_YET


def _quoted(turn: Turn, *, grounded: bool) -> str:
    said = f"> {day(turn.time)}, {data(turn_line(turn, grounded=grounded))}"
    return INDENT + indented(said, 2 * INDENT)


def _newest(turns: Sequence[Turn], share: float) -> Sequence[Turn]:
    return turns[len(turns) - ceil(len(turns) * share) :]
