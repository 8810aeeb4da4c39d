"""The policy of a chat model: one call a role, each reply checked, repaired or replaced by a defined fallback."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

from langrecall.effects import both_ways
from langrecall.errors import ModelConfigError, ModelError
from langrecall.policies.base import (
    AnswerRequest,
    Draft,
    Judgement,
    JudgeRequest,
    PageRequest,
    ReasonRequest,
    Reply,
    Step,
)
from langrecall.policies.model.chat import Chat
from langrecall.policies.model.decoding import Decoding
from langrecall.policies.model.dialogue import ask, ask_text, joined
from langrecall.policies.model.messages import (
    answer_messages,
    describe_messages,
    judge_messages,
    page_messages,
    reason_messages,
)
from langrecall.policies.model.prompts import ANSWER_MARKER
from langrecall.policies.model.provider import load_model
from langrecall.policies.model.reading import draft_of, episode_of, held, judgement_of, step_of
from langrecall.policies.model.wire import entry_shape, judgement_shape, step_shape
from langrecall.records import Episode, Session
from langrecall.settings import MetadataForm, Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

Role = Literal["describe", "reason", "judge", "answer", "view"]
ROLES: tuple[Role, ...] = get_args(Role)

LONGEST: Mapping[Role, int] = {"describe": 1000, "reason": 400, "judge": 300, "view": 400}
"""Completion tokens of a reply at most, so that small models cannot ramble; an answer's length is a setting."""


class ModelPolicy:
    """Thinks with a chat model: any LangChain chat model, or `"provider:model"`; `models` gives single roles their own.

    A model server that speaks OpenAI's protocol (vLLM, Ollama, llama.cpp) is reached by `"openai:<name>"` and OPENAI_BASE_URL.
    Replies say whether they are the model's own, `repaired`, or the `fallback`: no new memory and `search_meta` for `reason`,
    insufficient for `judge`, an abstention for `answer`. Raises `ModelConfigError` at once for a model that cannot be set up,
    and `ModelError` from `describe` when there is no usable entry, for a fallback must not become one.

    Example:
        >>> from langrecall.testing import ScriptedChatModel
        >>> policy = ModelPolicy(ScriptedChatModel(replies=["On 7 May 2023 [1]."]), models={"judge": ScriptedChatModel()})
        >>> policy.name
        'scripted'

    """

    weighs_expectation = False

    def __init__(
        self, model: "str | BaseChatModel", *, models: "Mapping[str, str | BaseChatModel] | None" = None
    ) -> None:
        self._chats = _chats(model, models or {})

    @property
    def name(self) -> str:
        """The name of the model that describes sessions."""
        return self._chats["describe"].endpoint.model

    async def _describe(self, session: Session, form: MetadataForm) -> Reply[Episode]:
        """Extract the metadata entry of a session in one call; time cues are resolved without the model."""
        chat = self._chats["describe"]
        prompt = partial(describe_messages, session, form)
        decoding = Decoding.of(Settings.of({}), max_tokens=LONGEST["describe"])
        heard = await ask(chat, prompt, decoding, entry_shape(form))
        if heard.value is None:
            raise ModelError(f"{chat.endpoint}: no entry for session {session.session_id!r}: {heard.note}")
        return Reply(episode_of(heard.value, session, form), heard.source, heard.spent, heard.note)

    async def _reason(self, request: ReasonRequest) -> Reply[Step]:
        """Reason, distil, choose the next action among those open."""
        decoding = Decoding.of(request.question.settings, max_tokens=LONGEST["reason"])
        shape = step_shape(tuple(request.actions))
        heard = await ask(self._chats["reason"], partial(reason_messages, request), decoding, shape)
        step = Step(action="search_meta") if heard.value is None else step_of(heard.value, request)
        return Reply(step, heard.source, heard.spent, heard.note)

    async def _judge(self, request: JudgeRequest) -> Reply[Judgement]:
        """Decide whether the memory answers the question, and evolve the query if not."""
        decoding = Decoding.of(request.question.settings, max_tokens=LONGEST["judge"])
        prompt = partial(judge_messages, request)
        heard = await ask(self._chats["judge"], prompt, decoding, judgement_shape())
        verdict = Judgement() if heard.value is None else judgement_of(heard.value)
        return Reply(verdict, heard.source, heard.spent, heard.note)

    async def _answer(self, request: AnswerRequest) -> Reply[Draft]:
        """Answer in plain text from the memory, or abstain; the one call whose tokens LangGraph streams."""
        settings = request.question.settings
        decoding = Decoding.of(settings, max_tokens=settings.answer_max_tokens)
        after = ANSWER_MARKER if settings.reasoning_tokens else ""
        prompt, silent = partial(answer_messages, request), bool(request.unsupported)
        heard = await ask_text(self._chats["answer"], prompt, decoding, after=after, silent=silent)
        if heard.value is None:
            return Reply(held(request.memory), heard.source, heard.spent, heard.note)
        draft, mended = draft_of(heard.value, request.memory)
        if not request.memory and request.observation is None and not draft.abstained:
            return Reply(held([]), "fallback", heard.spent, joined(heard.note, "it answered from an empty memory"))
        return Reply(draft, "repaired" if mended else heard.source, heard.spent, joined(heard.note, mended))

    async def _read_page(self, request: PageRequest) -> Reply[str]:
        """Tell what the pictures of a page show; the OCR text as it is where the model has no eyes, or there is nothing to see."""
        if request.page is None:
            return Reply(request.ocr, "fallback", note="no picture opened")
        decoding = Decoding.of(request.question.settings, max_tokens=LONGEST["view"])
        try:
            heard = await ask_text(self._chats["view"], lambda _: page_messages(request), decoding, silent=True)
        except ModelError as error:
            return Reply(request.ocr, "fallback", note=str(error))
        return Reply(heard.value or request.ocr, heard.source, heard.spent, heard.note)

    describe, adescribe = both_ways(_describe)
    reason, areason = both_ways(_reason)
    judge, ajudge = both_ways(_judge)
    answer, aanswer = both_ways(_answer)
    read_page, aread_page = both_ways(_read_page)


def _chats(model: "str | BaseChatModel", models: "Mapping[str, str | BaseChatModel]") -> dict[Role, Chat]:
    """One chat a role; roles of the same model share one, and with it what is learned of the model."""
    if unknown := sorted(set(models) - set(ROLES)):
        raise ModelConfigError(f"unknown role {unknown[0]!r}: the roles are {', '.join(ROLES)}")
    chosen = {role: models.get(role, model) for role in ROLES}
    made: dict[int | str, Chat] = {}
    for each in chosen.values():
        key = each if isinstance(each, str) else id(each)
        if key not in made:
            made[key] = Chat(load_model(each))
    return {role: made[each if isinstance(each, str) else id(each)] for role, each in chosen.items()}
