"""The limits of a model: its context, its tokens, the options it takes."""

from collections.abc import Callable
from typing import Any

import pytest

from langrecall.errors import ModelError
from langrecall.policies.base import AnswerRequest, ReasonRequest, Reply, Step
from langrecall.policies.model.policy import ModelPolicy
from langrecall.state import MemoryLine
from langrecall.testing import ScriptedServer, ServerReply

STEP = '{"action": "answer"}'

MakeReason = Callable[..., ReasonRequest]
MakeAnswer = Callable[..., AnswerRequest]


class TestContext:
    OVERFLOW = ServerReply.error(
        400, "This model's maximum context length is 4096 tokens, you requested 5000 (max_tokens 400)"
    )

    async def test_a_prompt_that_is_too_long_is_shrunk_once(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], reason_request: MakeReason
    ) -> None:
        server.enqueue(self.OVERFLOW, STEP)
        reply: Reply[Step] = await both(policy, "reason", reason_request())
        assert (reply.source, reply.note) == ("model", "recalled text was cut to fit the model's context")
        whole, shrunk = (request.text for request in server.requests)
        assert len(shrunk) < len(whole)
        assert "When did Jonas sign the lease?" in shrunk

    async def test_one_that_is_still_too_long_is_said(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], answer_request: MakeAnswer
    ) -> None:
        server.enqueue(self.OVERFLOW, self.OVERFLOW)
        with pytest.raises(ModelError, match="does not fit its context; lower observation_tokens"):
            await both(policy, "answer", answer_request())

    def test_a_reask_that_no_longer_fits_is_the_fallback(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason
    ) -> None:
        server.enqueue("{}", self.OVERFLOW)
        assert policy.reason(reason_request()).source == "fallback"

    def test_a_prompt_that_was_cut_silently_is_warned_of_once(
        self,
        server: ScriptedServer,
        policy: ModelPolicy,
        memory: list[MemoryLine],
        answer_request: MakeAnswer,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        long = answer_request({"memory": [memory[0] | {"text": "word " * 2000}]})
        cut = ServerReply("On 1 June [1].", usage={"prompt_tokens": 1024, "completion_tokens": 5, "total_tokens": 1029})
        server.enqueue(cut, cut)
        policy.answer(long)
        policy.answer(long)
        (warning,) = [record for record in caplog.records if "prompt tokens" in record.message]
        assert "1024" in warning.message
        assert "num_ctx" in warning.message


class TestUsage:
    def test_is_what_the_provider_reports_over_all_calls(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason
    ) -> None:
        usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
        server.enqueue(ServerReply("{}", usage=usage), ServerReply(STEP, usage=usage))
        spent = policy.reason(reason_request()).spent
        assert (spent.calls, spent.prompt_tokens, spent.completion_tokens) == (2, 200, 14)

    def test_is_estimated_where_the_report_is_zero(
        self, server: ScriptedServer, policy: ModelPolicy, answer_request: MakeAnswer
    ) -> None:
        server.enqueue(
            ServerReply("On 1 June [1].", usage={"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0})
        )
        spent = policy.answer(answer_request()).spent
        assert spent.prompt_tokens == pytest.approx(len(server.requests[0].text) / 4, abs=2)
        assert spent.completion_tokens == 4


class TestDecoding:
    def test_goes_by_the_settings(
        self, server: ScriptedServer, policy: ModelPolicy, answer_request: MakeAnswer
    ) -> None:
        server.enqueue("On 1 June [1].")
        policy.answer(answer_request(temperature=0.5, top_p=0.9, top_k=20, answer_max_tokens=99))
        body = server.requests[0].body
        assert (body["temperature"], body["top_p"], body["top_k"], body["max_completion_tokens"]) == (0.5, 0.9, 20, 99)

    def test_the_published_defaults_send_no_top_k(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason
    ) -> None:
        server.enqueue(STEP)
        policy.reason(reason_request())
        body = server.requests[0].body
        assert (body["temperature"], body["top_p"], body["max_completion_tokens"]) == (0, 0.95, 400)
        assert "top_k" not in body

    @pytest.mark.parametrize("name", ["top_k", "temperature", "top_p"])
    def test_an_option_that_is_refused_is_left_out_from_then_on(
        self,
        name: str,
        server: ScriptedServer,
        policy: ModelPolicy,
        answer_request: MakeAnswer,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        server.enqueue(ServerReply.error(400, f"Unrecognized request argument supplied: {name}"), "a [1]", "b [1]")
        for _ in range(2):
            policy.answer(answer_request(top_k=20))
        assert [name in request.body for request in server.requests] == [True, False, False]
        assert len([record for record in caplog.records if "left out from now on" in record.message]) == 1

    def test_a_reasoning_budget_is_asked_for_and_bounds_the_whole_reply(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason
    ) -> None:
        server.enqueue(STEP)
        policy.reason(reason_request(reasoning_tokens=256))
        assert "at most 256 tokens" in server.requests[0].text
        assert server.requests[0].body["max_completion_tokens"] == 256 + 64
