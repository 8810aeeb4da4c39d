"""ModelPolicy reasons and judges through the real OpenAI client, against a server that plays back what servers have been seen to send."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from langrecall.policies.base import JudgeRequest, ReasonRequest, Reply, Step
from langrecall.policies.model.policy import ModelPolicy
from langrecall.testing import ScriptedChatModel, ScriptedServer, ServerReply

LINE = {
    "text": "Jonas signed the lease on 1 June 2022.",
    "sources": ["session_7:1"],
    "quote": "I signed the lease yesterday",
}
STEP = {"reasoning": "It says so.", "memory": [LINE], "missing": [], "action": "answer", "argument": ""}

MakeReason = Callable[..., ReasonRequest]
MakeJudge = Callable[..., JudgeRequest]


def dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def names(messages: list[dict[str, Any]]) -> list[str]:
    return [message["role"] for message in messages]


class TestReason:
    async def test_gives_the_models_step(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], reason_request: MakeReason
    ) -> None:
        server.enqueue(dumped(STEP))
        reply: Reply[Step] = await both(policy, "reason", reason_request())
        assert reply.source == "model"
        assert reply.value == Step.model_validate(STEP)
        assert names(server.requests[0].body["messages"]) == ["system", "user"]
        assert reply.spent.calls == 1

    @pytest.mark.parametrize(
        ("replies", "source", "calls"),
        [
            pytest.param([f"```json\n{dumped(STEP)}\n```\nDone."], "model", 1, id="B01 fence"),
            pytest.param([f'<think>{{"action": "zoom_in"}}</think>{dumped(STEP)}'], "model", 1, id="B03 thoughts"),
            pytest.param([dumped({"Step": STEP})], "repaired", 1, id="B05 class name"),
            pytest.param([dumped([{"session": "s1"}]), dumped(STEP)], "repaired", 2, id="B05 list, then asked again"),
            pytest.param(
                [dumped({"properties": {}}), dumped({"properties": {}})], "fallback", 2, id="B05 schema twice"
            ),
            pytest.param([ServerReply(None), dumped(STEP)], "repaired", 2, id="B07 null"),
            pytest.param([ServerReply(""), ServerReply("")], "fallback", 2, id="B07 empty twice"),
            pytest.param(
                [ServerReply('{"reasoning": "so', finish_reason="length"), dumped(STEP)], "repaired", 2, id="B09 cut"
            ),
            pytest.param([ServerReply('{"a": "', finish_reason="length")] * 2, "fallback", 2, id="B09 cut twice"),
            pytest.param([str(STEP)], "repaired", 1, id="B13 Python literal"),
            pytest.param([dumped(STEP) + " see [2] and {note}"], "model", 1, id="B13 brackets after"),
            pytest.param([dumped(STEP | {"action": "view"}), dumped(STEP)], "repaired", 2, id="closed action"),
            pytest.param([dumped(STEP | {"action": "view"})] * 2, "fallback", 2, id="closed action twice"),
        ],
    )
    async def test_bad_output_is_mended_asked_again_or_replaced(
        self,
        replies: list[ServerReply | str],
        source: str,
        calls: int,
        server: ScriptedServer,
        policy: ModelPolicy,
        both: Callable[..., Any],
        reason_request: MakeReason,
    ) -> None:
        server.enqueue(*replies)
        reply: Reply[Step] = await both(policy, "reason", reason_request())
        assert (reply.source, reply.spent.calls, len(server.requests)) == (source, calls, calls)
        if source == "fallback":
            assert reply.value == Step(action="search_meta")
            assert reply.note
        else:
            assert reply.value.memory[0].sources == ["session_7:1"]

    @pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
    async def test_joins_the_parts_of_a_content_list(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], reason_request: MakeReason
    ) -> None:
        half = dumped(STEP)
        parts = [{"type": "text", "text": half[:40]}, {"type": "text", "text": half[40:]}]
        server.enqueue(ServerReply(parts))
        reply: Reply[Step] = await both(policy, "reason", reason_request())
        assert (reply.source, reply.value.action) == ("model", "answer")

    @pytest.mark.parametrize(
        ("arguments", "source"),
        [
            pytest.param(dumped(STEP), "model", id="as it should be"),
            pytest.param(STEP, "model", id="B11 an object"),
            pytest.param(dumped(dumped(STEP)), "model", id="B11 doubly encoded"),
            pytest.param(None, "repaired", id="B11 null"),
            pytest.param("", "repaired", id="B11 empty"),
            pytest.param(str(STEP), "repaired", id="B13 Python literal"),
        ],
    )
    async def test_tool_arguments_come_in_any_form(
        self,
        arguments: object,
        source: str,
        server: ScriptedServer,
        policy: ModelPolicy,
        both: Callable[..., Any],
        reason_request: MakeReason,
    ) -> None:
        server.enqueue(ServerReply.error(400, "response_format is not supported"))
        server.enqueue(ServerReply.call("Step", arguments), ServerReply.call("Step", dumped(STEP)))
        reply: Reply[Step] = await both(policy, "reason", reason_request())
        assert reply.source == source
        assert reply.value.memory[0].text == LINE["text"]

    def test_a_reask_shows_the_bad_reply_and_its_fault(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason
    ) -> None:
        server.enqueue('{"action": "dance"}', dumped(STEP))
        policy.reason(reason_request())
        again = server.requests[1].body["messages"]
        assert names(again) == ["system", "user", "assistant", "user"]
        assert again[2]["content"] == '{"action": "dance"}'
        assert "action: input should be 'search_meta', 'zoom_in' or 'answer'" in again[3]["content"]

    def test_a_cut_reply_is_asked_again_with_more_room(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason
    ) -> None:
        server.enqueue(ServerReply('{"reasoning": "', finish_reason="length"), dumped(STEP))
        policy.reason(reason_request())
        first, second = (request.body["max_completion_tokens"] for request in server.requests)
        assert second == 2 * first

    @pytest.mark.parametrize(
        ("given", "sources", "quote"),
        [
            pytest.param(["[session_7:1]"], ["session_7:1"], "I signed the lease yesterday", id="brackets"),
            pytest.param(
                ["session_7:1, session_7:0"],
                ["session_7:1", "session_7:0"],
                "I signed the lease yesterday",
                id="joined",
            ),
            pytest.param([1], ["session_7:1"], "I signed the lease yesterday", id="B06 number"),
            pytest.param(["s7:1"], ["session_7:1"], "I signed the lease yesterday", id="B06 other spelling"),
            pytest.param(
                ["s9:12", None], ["session_7:1", "s9:12"], "I signed the lease yesterday", id="found by its quote"
            ),
            pytest.param(
                ["session_7:0"], ["session_7:1", "session_7:0"], "I signed the lease yesterday", id="wrong turn named"
            ),
        ],
    )
    def test_sources_are_put_right(
        self,
        given: list[object],
        sources: list[str],
        quote: str,
        server: ScriptedServer,
        policy: ModelPolicy,
        reason_request: MakeReason,
    ) -> None:
        server.enqueue(dumped(STEP | {"memory": [LINE | {"sources": given}]}))
        (line,) = policy.reason(reason_request()).value.memory
        assert (line.sources, line.quote) == (sources, quote)

    def test_a_quote_that_was_changed_becomes_the_words_that_stand_there(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason
    ) -> None:
        changed = "yes i SIGNED the lease yesterday 31 may 2022"
        server.enqueue(dumped(STEP | {"memory": [LINE | {"quote": changed}]}))
        assert policy.reason(reason_request()).value.memory[0].quote == "Yes! I signed the lease yesterday"

    def test_an_invented_quote_is_left_for_the_check_to_refuse(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason
    ) -> None:
        invented = {
            "text": "Petra has a car.",
            "sources": ["session_9:2"],
            "quote": "my car is a red convertible of 1999",
        }
        server.enqueue(dumped(STEP | {"memory": [invented]}))
        (line,) = policy.reason(reason_request()).value.memory
        assert (line.sources, line.quote) == (["session_9:2"], invented["quote"])


class TestJudge:
    async def test_gives_the_verdict(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], judge_request: MakeJudge
    ) -> None:
        server.enqueue('{"sufficient": false, "missing": ["day"], "queries": ["lease day"], "evolution": "pruned"}')
        reply = await both(policy, "judge", judge_request())
        assert reply.source == "model"
        assert (reply.value.sufficient, reply.value.queries, reply.value.evolution) == (False, ["lease day"], "pruned")

    async def test_bad_output_is_insufficient(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], judge_request: MakeJudge
    ) -> None:
        server.enqueue('{"sufficient": "perhaps"}', '{"sufficient": "perhaps"}')
        reply = await both(policy, "judge", judge_request())
        assert (reply.source, reply.value.sufficient, reply.value.queries) == ("fallback", False, [])

    def test_a_sufficient_verdict_asks_for_nothing(
        self, server: ScriptedServer, policy: ModelPolicy, judge_request: MakeJudge
    ) -> None:
        server.enqueue('{"sufficient": true, "missing": ["x"], "queries": ["more"]}')
        assert policy.judge(judge_request()).value.queries == []


def test_a_call_that_fails_leaves_the_request_as_it_was(reason_request: MakeReason) -> None:
    model = ScriptedChatModel(replies=[TypeError("broken body"), STEP])
    ModelPolicy(model).reason(reason_request())
    first, second = model.calls
    assert [message.text for message in first.messages] == [message.text for message in second.messages]


def test_a_length_stop_of_another_provider_is_known_too(reason_request: MakeReason) -> None:
    cut = AIMessage('{"action": "answer", "reasoning": "', response_metadata={"stop_reason": "max_tokens"})
    model = ScriptedChatModel(replies=[cut, STEP])
    reply = ModelPolicy(model).reason(reason_request())
    assert (reply.source, reply.note) == ("repaired", "asked again: it was cut off because it is too long")
