"""What a model thinks is not what it says: cut out of a whole reply, and held back while one is streamed."""

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import RunnableConfig

from langrecall.policies.model.said import THOUGHTS_KEY, was_cut

_THINKING = r"(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflect(?:ion)?|analysis|scratch_?pad|(?:inner_)?monologue|plan(?:ning)?)"
_THOUGHTS = re.compile(
    rf"\s*(?:<(?P<tag>{_THINKING})\b[^>]*>.*?(?:</(?P=tag)\s*>|\Z)|\[(?P<mark>{_THINKING})\].*?(?:\[/(?P=mark)\]|\Z)"
    r"|\u25c1think\u25b7.*?(?:\u25c1/think\u25b7|\Z))",
    re.DOTALL | re.IGNORECASE,
)
_THOUGHTS_END = re.compile(rf"</{_THINKING}\s*>|\[/{_THINKING}\]|\u25c1/think\u25b7", re.IGNORECASE)
_ENVELOPE = re.compile(r"\s*</?(?:answer|final|final_answer|response|output)\s*>\s*", re.IGNORECASE)
_OPENING = re.compile(rf"<{_THINKING}\b[^>]*>|\[{_THINKING}\]|\u25c1think\u25b7", re.IGNORECASE)
_UNSURE = re.compile(r"[<\[\u25c1][^>\]\u25b7]{0,40}\Z|\Z")
"""The start of a reply that may yet become an opening tag."""
_UNHEARD: RunnableConfig = {"callbacks": []}


def without_thoughts(text: str) -> str:
    """The text after its think blocks; their opening tag may be missing, and one that never closes is all thoughts."""
    while thoughts := _THOUGHTS.match(text):
        text = text[thoughts.end() :]
    closings = list(_THOUGHTS_END.finditer(text))
    return _ENVELOPE.sub(" ", text[closings[-1].end() if closings else 0 :]).strip()


def ends_thoughts(text: str) -> bool:
    """Whether a reply closes thoughts that it never opened, as models do whose prompt opens them."""
    return _THOUGHTS.match(text) is None and _THOUGHTS_END.search(text) is not None


class Spoken:
    """Lets through what is said of a reply that comes in pieces, and holds back what is thought before it.

    Thoughts stand within tags, or before the marker `after`; `opened`: the prompt has opened them, and only their end will be seen.
    """

    def __init__(self, *, after: str = "", opened: bool = False) -> None:
        self.thoughts = ""
        self._held = ""
        self._after = after
        self._opened = opened
        self._tagged = False
        self._speaks = False

    def heard(self, piece: str) -> str:
        """What of the reply can be passed on after its next piece."""
        if self._speaks:
            return piece
        self._held += piece
        if self._after:
            return self._from(self._held.find(self._after), len(self._after))
        start = self._held.lstrip()
        self._tagged = self._tagged or _OPENING.match(start) is not None
        if self._tagged or self._opened:
            return self._past_the_end()
        return "" if _UNSURE.match(start) else self._from(0, 0)

    def rest(self, *, cut: bool) -> str:
        """What is still to be passed on at the end: thoughts that never end are no answer, nor is what was cut before `after`."""
        held, self._held = self._held, ""
        if self._speaks or self._tagged or (self._after and cut):
            self.thoughts += held
            return ""
        return without_thoughts(held)

    def _past_the_end(self) -> str:
        end = _THOUGHTS_END.search(self._held)
        if end is None:
            return ""
        self.thoughts += self._held[: end.end()]
        self._held = self._held[end.end() :]
        self._tagged = self._opened = False
        return self.heard("")

    def _from(self, start: int, length: int) -> str:
        if start < 0:
            return ""
        self._speaks = True
        self.thoughts += self._held[: start + length]
        said, self._held = self._held[start + length :].lstrip(), ""
        return said


class Aloud(BaseChatModel):
    """A chat model whose streamed tokens are what it says and not what it thinks: that comes with the last of them, as reasoning."""

    model: BaseChatModel
    after: str = ""
    opened: bool = False

    @property
    def _llm_type(self) -> str:
        return self.model._llm_type

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> Any:  # noqa: ANN401 - LangChain's signature
        return self.model._get_ls_params(stop, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - LangChain's signature
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> ChatResult:
        message = self.model.invoke(messages, _UNHEARD, stop=stop, **kwargs)
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002 - LangChain's signature
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> ChatResult:
        message = await self.model.ainvoke(messages, _UNHEARD, stop=stop, **kwargs)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - LangChain's signature
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> Iterator[ChatGenerationChunk]:
        spoken, cut = Spoken(after=self.after, opened=self.opened), False
        for chunk in self.model.stream(messages, _UNHEARD, stop=stop, **kwargs):
            cut = cut or was_cut(chunk)
            yield ChatGenerationChunk(message=_heard(chunk, spoken))
        yield ChatGenerationChunk(message=_last(spoken, cut=cut))

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002 - LangChain's signature
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> AsyncIterator[ChatGenerationChunk]:
        spoken, cut = Spoken(after=self.after, opened=self.opened), False
        async for chunk in self.model.astream(messages, _UNHEARD, stop=stop, **kwargs):
            cut = cut or was_cut(chunk)
            yield ChatGenerationChunk(message=_heard(chunk, spoken))
        yield ChatGenerationChunk(message=_last(spoken, cut=cut))


def _heard(chunk: AIMessageChunk, spoken: Spoken) -> AIMessageChunk:
    """The chunk with what of its text can be passed on; blocks say themselves which of them are thoughts."""
    if not isinstance(chunk.content, str):
        return chunk
    return chunk.model_copy(update={"content": spoken.heard(chunk.content)})


def _last(spoken: Spoken, *, cut: bool) -> AIMessageChunk:
    said = spoken.rest(cut=cut)
    return AIMessageChunk(content=said, additional_kwargs={THOUGHTS_KEY: spoken.thoughts} if spoken.thoughts else {})
