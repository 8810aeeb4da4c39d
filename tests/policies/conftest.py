"""A small invented history, and requests about it as the nodes make them."""

from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from langrecall.policies.base import AnswerRequest, JudgeRequest, Question, ReasonRequest
from langrecall.policies.model.policy import ModelPolicy
from langrecall.records import Session, Turn
from langrecall.rendering import render_session
from langrecall.settings import Settings, resolve
from langrecall.state import MemoryLine, Observation
from langrecall.testing import ScriptedServer

SPOKEN = (
    ("Petra", "Did you get the flat on Mill Lane, Jonas?"),
    ("Jonas", "Yes! I signed the lease yesterday, 1,010 a month."),
    ("Petra", "Zoë says congratulations 🐝"),
)


@pytest.fixture
def session() -> Session:
    held = datetime(2022, 6, 2, 9, 5)
    turns = [
        Turn(session_id="session_7", index=index, speaker=speaker, role="speaker", text=text, time=held)
        for index, (speaker, text) in enumerate(SPOKEN)
    ]
    return Session(session_id="session_7", time=held, turns=tuple(turns))


@pytest.fixture
def memory() -> list[MemoryLine]:
    return [
        MemoryLine(
            id="1.1",
            text="Jonas signed the lease on 1 June 2022.",
            sources=["session_7:1"],
            quote="I signed the lease yesterday",
            verified=True,
        ),
        MemoryLine(id="1.2", text="Jonas owns a boat.", sources=[], quote="", verified=False),
        MemoryLine(
            id="2.1",
            text="The flat on Mill Lane costs 1,010 a month.",
            sources=["session_7:1", "session_7:0"],
            quote="1,010 a month",
            verified=True,
        ),
    ]


@pytest.fixture
def observation(session: Session) -> Observation:
    text = render_session(session)
    return Observation(
        id="1:read_raw",
        step=1,
        node="read_raw",
        kind="session",
        episodes=[],
        turns=[turn.id for turn in session.turns],
        clipped=[],
        text=text,
        tokens=len(text) // 4,
        hidden=0,
    )


def question(text: str = "When did Jonas sign the lease?", at: str | None = None, **settings: object) -> Question:
    return Question(text, at, resolve(Settings.of(settings)))


@pytest.fixture
def reason_request(session: Session, observation: Observation) -> Callable[..., ReasonRequest]:
    """Make a reason request; settings by name, anything else of the request in `changes`."""

    def make(changes: dict[str, Any] | None = None, **settings: Any) -> ReasonRequest:
        values: dict[str, Any] = {
            "question": question(**settings),
            "search_query": "lease",
            "memory": [],
            "observation": observation,
            "episodes": [],
            "turns": session.turns,
            "actions": ["search_meta", "zoom_in", "answer"],
            "seen": ["session_7"],
            "read": ["session_7"],
            "unseen": 3,
            "steps_left": 4,
        }
        return ReasonRequest(**values | (changes or {}))

    return make


@pytest.fixture
def judge_request(session: Session, memory: list[MemoryLine]) -> Callable[..., JudgeRequest]:
    def make(**settings: Any) -> JudgeRequest:
        failed = [{"id": "q0", "text": "lease date", "failed": "no date is said"}]
        return JudgeRequest(question(**settings), "signing the lease", memory, session.turns, failed)  # type: ignore[arg-type]

    return make


@pytest.fixture
def answer_request(session: Session, memory: list[MemoryLine]) -> Callable[..., AnswerRequest]:
    def make(changes: dict[str, Any] | None = None, **settings: Any) -> AnswerRequest:
        values: dict[str, Any] = {"question": question(**settings), "memory": memory, "quoted": session.turns[:2]}
        return AnswerRequest(**values | (changes or {}))

    return make


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def make_policy(server: ScriptedServer) -> Callable[..., ModelPolicy]:
    """A policy that reaches `server` through the real OpenAI client."""

    def make(*, retries: int) -> ModelPolicy:
        key = SecretStr("sk-secret1234")
        return ModelPolicy(ChatOpenAI(model="small", base_url=server.url, api_key=key, max_retries=retries))

    return make


@pytest.fixture
def policy(make_policy: Callable[..., ModelPolicy]) -> ModelPolicy:
    return make_policy(retries=0)


@pytest.fixture(params=["sync", "async"])
def both(request: pytest.FixtureRequest) -> Callable[..., Awaitable[Any]]:
    """Call a method of the policy by name, as it is or by its async form."""

    async def called(policy: ModelPolicy, name: str, *arguments: Any) -> Any:
        if request.param == "async":
            return await getattr(policy, f"a{name}")(*arguments)
        return getattr(policy, name)(*arguments)

    return called
