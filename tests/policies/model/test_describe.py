"""ModelPolicy describes sessions and reads pages."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from langrecall.errors import ModelError
from langrecall.policies.base import PageRequest, ReasonRequest
from langrecall.policies.model.policy import ModelPolicy
from langrecall.records import Session
from langrecall.testing import ScriptedChatModel, ScriptedServer, ServerReply

ENTRY = {
    "title": "The lease",
    "topics": ["flat"],
    "events": [{"text": "Jonas signed the lease", "turns": ["session_7:1", "[1]", 99], "time": "1 June 2022"}],
    "facts": [{"text": "The flat is on Mill Lane", "speaker": "Petra", "turns": [0]}],
    "entities": ["Jonas", "Jonas", "Mill Lane"],
}


class TestDescribe:
    async def test_gives_the_entry_with_turns_and_time_cues(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], session: Session
    ) -> None:
        server.enqueue(json.dumps(ENTRY))
        reply = await both(policy, "describe", session, "wiki")
        episode = reply.value
        assert (episode.session_id, episode.time, episode.participants) == (
            "session_7",
            session.time,
            ("Petra", "Jonas"),
        )
        assert (episode.events[0].turns, episode.events[0].time) == ((1,), "1 June 2022")
        assert (episode.facts[0].turns, episode.facts[0].speaker) == ((0,), "Petra")
        assert episode.entities == ("Jonas", "Mill Lane")
        assert [(cue.text, cue.start.isoformat()) for cue in episode.time_cues] == [("yesterday", "2022-06-01")]

    def test_keeps_only_the_parts_of_its_form(
        self, server: ScriptedServer, policy: ModelPolicy, session: Session
    ) -> None:
        server.enqueue(json.dumps(ENTRY | {"summary": "Jonas signed."}))
        episode = policy.describe(session, "summary").value
        assert (episode.summary, episode.facts, episode.entities) == ("Jonas signed.", (), ())

    async def test_never_makes_up_an_entry(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], session: Session
    ) -> None:
        server.enqueue("{}", "{}")
        with pytest.raises(
            ModelError, match="no entry for session 'session_7': no usable reply: title: field required"
        ):
            await both(policy, "describe", session, "wiki")

    def test_is_named_after_the_model_that_describes(self) -> None:
        policy = ModelPolicy(ScriptedChatModel(), models={"describe": ScriptedChatModel(name="scribe")})
        assert policy.name == "scribe"


class TestReadPage:
    async def test_asks_the_vision_model(
        self, server: ScriptedServer, both: Callable[..., Any], page: PageRequest
    ) -> None:
        eyes = ChatOpenAI(model="eyes", base_url=server.url, api_key=SecretStr("k"))
        server.enqueue("The ticket says seat 61A.")
        reply = await both(ModelPolicy(ScriptedChatModel(), models={"view": eyes}), "read_page", page)
        assert (reply.value, reply.source) == ("The ticket says seat 61A.", "model")
        assert server.requests[0].body["messages"][1]["content"][1]["type"] == "image_url"

    async def test_a_model_without_eyes_leaves_the_ocr_text(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], page: PageRequest
    ) -> None:
        server.enqueue(ServerReply.error(400, "image input is not supported"))
        reply = await both(policy, "read_page", page)
        assert (reply.value, reply.source) == ("Seat 61A", "fallback")
        assert "image input is not supported" in reply.note

    def test_without_a_picture_nothing_is_asked(
        self, server: ScriptedServer, policy: ModelPolicy, page: PageRequest
    ) -> None:
        blank = PageRequest(page.question, None, page.turns, page.ocr)
        assert policy.read_page(blank).value == "Seat 61A"
        assert server.requests == []

    @pytest.fixture
    def page(self, reason_request: Callable[..., ReasonRequest], session: Session) -> PageRequest:
        return PageRequest(reason_request().question, b"PNG", session.turns, "Seat 61A")
