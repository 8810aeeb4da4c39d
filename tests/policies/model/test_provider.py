"""What providers do wrong, and what people set up wrong, becomes one line with the mend."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from langrecall.errors import ModelConfigError, ModelError, ModelUnavailableError
from langrecall.policies.base import AnswerRequest, JudgeRequest, ReasonRequest, Reply, Step
from langrecall.policies.model.policy import ModelPolicy
from langrecall.testing import ScriptedChatModel, ScriptedServer, ServerReply

STEP = '{"action": "answer"}'

MakeReason = Callable[..., ReasonRequest]
MakeJudge = Callable[..., JudgeRequest]
MakeAnswer = Callable[..., AnswerRequest]


class TestProvider:
    """Errors of the provider, mapped in one place."""

    MALFORMED = (
        ServerReply(body={"error": {"message": "overloaded"}}),
        ServerReply(body={"choices": None}),
        ServerReply(body={"choices": []}),
        ServerReply(raw="<html>502 Bad gateway</html>"),
    )

    @pytest.mark.parametrize("body", MALFORMED, ids=["error", "null", "empty", "html"])
    async def test_a_body_that_is_no_completion_is_retried_once(
        self,
        body: ServerReply,
        server: ScriptedServer,
        policy: ModelPolicy,
        both: Callable[..., Any],
        reason_request: MakeReason,
        answer_request: MakeAnswer,
    ) -> None:
        server.enqueue(body, STEP, body, "On 1 June [1].")
        assert (await both(policy, "reason", reason_request())).source == "model"
        assert (await both(policy, "answer", answer_request())).value.text == "On 1 June [1]."

    @pytest.mark.parametrize("body", MALFORMED, ids=["error", "null", "empty", "html"])
    async def test_a_second_such_body_names_the_endpoint(
        self,
        body: ServerReply,
        server: ScriptedServer,
        policy: ModelPolicy,
        both: Callable[..., Any],
        reason_request: MakeReason,
    ) -> None:
        server.enqueue(body, body)
        with pytest.raises(ModelUnavailableError, match=f"'small' at {server.url}: twice sent something"):
            await both(policy, "reason", reason_request())
        assert len(server.requests) == 2

    async def test_a_rate_limit_is_waited_out_by_the_client(
        self,
        server: ScriptedServer,
        make_policy: Callable[..., ModelPolicy],
        both: Callable[..., Any],
        reason_request: MakeReason,
    ) -> None:
        busy = ServerReply.error(429, "slow down", retry_after_ms="1")
        server.enqueue(busy, busy, busy, STEP)
        reply: Reply[Step] = await both(make_policy(retries=3), "reason", reason_request())
        assert (reply.source, reply.spent.calls, len(server.requests)) == ("model", 1, 4)

    @pytest.mark.parametrize(
        ("status", "kind", "says"),
        [
            (401, ModelConfigError, "the API key is refused"),
            (403, ModelConfigError, "the API key is refused"),
            (404, ModelConfigError, "check the model's name"),
            (429, ModelUnavailableError, "slow"),
            (503, ModelUnavailableError, "slow"),
            (418, ModelConfigError, "slow"),
        ],
    )
    async def test_a_status_becomes_one_line_without_the_key(
        self,
        status: int,
        kind: type[ModelError],
        says: str,
        server: ScriptedServer,
        policy: ModelPolicy,
        both: Callable[..., Any],
        answer_request: MakeAnswer,
    ) -> None:
        server.enqueue(ServerReply.error(status, "slow sk-secret1234\nsecond line"))
        with pytest.raises(kind, match=says) as caught:
            await both(policy, "answer", answer_request())
        assert server.url in str(caught.value)
        assert "secret" not in str(caught.value)
        assert "\n" not in str(caught.value)

    async def test_no_server_is_said_with_its_address_and_nothing_secret_in_it(
        self, both: Callable[..., Any], answer_request: MakeAnswer
    ) -> None:
        url = "http://user:pass@127.0.0.1:9/v1?key=hidden"
        policy = ModelPolicy(ChatOpenAI(model="small", base_url=url, api_key=SecretStr("k"), max_retries=0))
        with pytest.raises(ModelUnavailableError) as caught:
            await both(policy, "answer", answer_request())
        assert str(caught.value).startswith("model 'small' at http://127.0.0.1:9/v1: no server answers there")

    def test_an_error_of_nobodys_provider_is_raised_as_it_is(self, answer_request: MakeAnswer) -> None:
        with pytest.raises(ZeroDivisionError):
            ModelPolicy(ScriptedChatModel(replies=[ZeroDivisionError()])).answer(answer_request())


class TestConfiguration:
    @pytest.mark.parametrize(
        ("model", "says"),
        [
            ("gpt-4o", 'names no provider: write "openai:gpt-4o"'),
            ("openai:", "names no provider"),
            ("", "names no provider"),
            ("qwen2.5:7b", "unknown provider 'qwen2.5' .* \"openai:qwen2.5:7b\" and set OPENAI_BASE_URL"),
            (
                "openai:gpt-4o",
                "no API key for model openai:gpt-4o: set OPENAI_API_KEY, to any value for a local server",
            ),
            ("anthropic:claude", "pip install langchain-anthropic"),
        ],
    )
    def test_a_model_that_cannot_be_set_up_is_said_at_once_with_the_mend(self, model: str, says: str) -> None:
        with pytest.raises(ModelConfigError, match=says) as caught:
            ModelPolicy(model)
        assert "\n" not in str(caught.value)

    def test_an_unknown_role_is_said_with_the_known_ones(self) -> None:
        with pytest.raises(
            ModelConfigError, match="unknown role 'think': the roles are describe, reason, judge, answer, view"
        ):
            ModelPolicy(ScriptedChatModel(), models={"think": ScriptedChatModel()})

    def test_a_local_server_is_reached_by_the_environment(
        self, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, answer_request: MakeAnswer
    ) -> None:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        server.enqueue("On 1 June 2022 [1].")
        policy = ModelPolicy("openai:qwen2.5:7b")
        assert policy.name == "qwen2.5:7b"
        assert policy.answer(answer_request()).value.text == "On 1 June 2022 [1]."

    def test_each_role_may_have_its_own_model(self, reason_request: MakeReason, judge_request: MakeJudge) -> None:
        every, judge = ScriptedChatModel(replies=[STEP]), ScriptedChatModel(replies=[{"sufficient": True}])
        policy = ModelPolicy(every, models={"judge": judge})
        policy.reason(reason_request())
        policy.judge(judge_request())
        assert (len(every.calls), len(judge.calls)) == (1, 1)


class TestPrivacy:
    def test_logs_hold_no_conversation_and_no_key(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason, caplog: pytest.LogCaptureFixture
    ) -> None:
        server.enqueue(ServerReply.error(400, "no response_format"), "prose about the lease", "{}", "{}")
        with caplog.at_level(logging.INFO, logger="langrecall"):
            reply = policy.reason(reason_request())
        logged = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("langrecall"))
        assert "rejects structured output as json_schema" in logged
        assert "ignores structured output as tools" in logged
        for private in ("lease", "Jonas", "secret"):
            assert private not in logged
            assert private not in reply.note
