"""ModelPolicy answers: plain text with markers, abstention, streaming."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from langgraph.graph import StateGraph
from typing_extensions import TypedDict

from langrecall.policies.base import AnswerRequest, Draft, ReasonRequest, Reply
from langrecall.policies.model.policy import ModelPolicy
from langrecall.testing import ScriptedServer, ServerReply

STEP = '{"action": "answer"}'

MakeReason = Callable[..., ReasonRequest]
MakeAnswer = Callable[..., AnswerRequest]

HELD = "Jonas signed the lease on 1 June 2022. [1]\nThe flat on Mill Lane costs 1,010 a month. [2]"
"""What the checked lines of the memory say."""


class TestAnswer:
    @pytest.mark.parametrize(
        ("said", "text", "abstained", "source"),
        [
            pytest.param("On 1 June 2022 [1].", "On 1 June 2022 [1].", False, "model", id="as it should be"),
            pytest.param("<think>hm [2]</think>On 1 June [1].", "On 1 June [1].", False, "model", id="B03 thoughts"),
            pytest.param("Answer: 1,010 [2]", "1,010 [2]", False, "model", id="led by a marker"),
            pytest.param("1 June [session_7:1].", "1 June [1].", False, "model", id="turn id for a number"),
            pytest.param(
                "He signed the lease on 1 June 2022.",
                "He signed the lease on 1 June 2022. [1]",
                False,
                "repaired",
                id="no number",
            ),
            pytest.param("[1].", "Jonas signed the lease on 1 June 2022. [1]", False, "repaired", id="a number alone"),
            pytest.param("[7]", HELD, False, "repaired", id="a number of no note alone"),
            pytest.param("Tuesday, perhaps.", "Tuesday, perhaps.", False, "model", id="no number and no such note"),
            pytest.param("NOT IN MEMORY", "The conversations do not say.", True, "model", id="abstention"),
            pytest.param(
                "**Not in memory**: the day.",
                "Not in the conversations: the day.",
                True,
                "model",
                id="abstention with a reason",
            ),
            pytest.param(
                "It is not in memory whether [1].",
                "It is not in memory whether [1].",
                False,
                "model",
                id="marker within a sentence",
            ),
            pytest.param('{"name": "read_session", "arguments": {"id": 7}}', HELD, False, "repaired", id="a tool call"),
            pytest.param("<tool_call>zoom_in(lease)</tool_call>", HELD, False, "repaired", id="a tool call in a tag"),
            pytest.param('```json\n{"answer": "1 June"}\n```', HELD, False, "repaired", id="fenced JSON"),
            pytest.param('read_raw("session_7")', HELD, False, "repaired", id="a call in words"),
            pytest.param("I'm sorry, but I can't help with that.", HELD, False, "repaired", id="a refusal"),
            pytest.param("As an AI language model I have no access.", HELD, False, "repaired", id="a disclaimer"),
            pytest.param("<thought>[2]?</thought>On 1 June [1].", "On 1 June [1].", False, "model", id="another tag"),
            pytest.param("so, 1 June</thinking> On 1 June [1].", "On 1 June [1].", False, "model", id="a lone end"),
            pytest.param("<answer>On 1 June [1].</answer>", "On 1 June [1].", False, "model", id="an envelope"),
            pytest.param("On 1 June [1][s9:1].", "On 1 June [1].", False, "model", id="a marker that leads nowhere"),
            pytest.param("On 1 June [s5:0, s7:2] [1].", "On 1 June  [1].", False, "model", id="two such markers"),
        ],
    )
    async def test_reads_text_markers_and_abstention(
        self,
        said: str,
        text: str,
        abstained: bool,
        source: str,
        server: ScriptedServer,
        policy: ModelPolicy,
        both: Callable[..., Any],
        answer_request: MakeAnswer,
    ) -> None:
        server.enqueue(said)
        reply: Reply[Draft] = await both(policy, "answer", answer_request())
        assert (reply.value.text, reply.value.abstained, reply.source) == (text, abstained, source)
        assert "response_format" not in server.requests[0].body

    async def test_reasoning_that_was_cut_is_no_answer(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], answer_request: MakeAnswer
    ) -> None:
        server.enqueue(
            ServerReply("He may have signed in May, or", finish_reason="length"), "So.\nAnswer: On 1 June [1]."
        )
        reply: Reply[Draft] = await both(policy, "answer", answer_request(reasoning_tokens=64))
        assert reply.value.text == "On 1 June [1]."

    async def test_an_answer_from_an_empty_memory_abstains(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], answer_request: MakeAnswer
    ) -> None:
        server.enqueue("He signed it on 5 May 2019.")
        request = replace(answer_request(), memory=[], quoted=[])
        reply: Reply[Draft] = await both(policy, "answer", request)
        assert (reply.value.abstained, reply.source) == (True, "fallback")
        assert "2019" not in reply.value.text

    async def test_an_empty_answer_is_asked_again_once(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], answer_request: MakeAnswer
    ) -> None:
        server.enqueue(ServerReply(None), "On 1 June 2022 [1].")
        reply: Reply[Draft] = await both(policy, "answer", answer_request())
        assert (reply.value.text, reply.source, reply.spent.calls) == ("On 1 June 2022 [1].", "repaired", 2)

    @pytest.mark.parametrize(
        ("verified", "text"),
        [
            (True, HELD),
            (False, "The model gave no answer, and nothing that was found could be checked."),
        ],
    )
    async def test_empty_twice_is_what_the_checked_lines_say_or_says_so(
        self,
        verified: bool,
        text: str,
        server: ScriptedServer,
        policy: ModelPolicy,
        both: Callable[..., Any],
        answer_request: MakeAnswer,
    ) -> None:
        server.enqueue("", "<think>still nothing</think>")
        request = answer_request()
        memory = [line | {"verified": verified and line["verified"]} for line in request.memory]
        reply: Reply[Draft] = await both(policy, "answer", answer_request({"memory": memory}))
        assert (reply.value.text, reply.value.abstained, reply.source) == (text, not verified, "fallback")
        assert "no answer produced" in reply.note

    async def test_a_cut_answer_is_kept_and_flagged(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], answer_request: MakeAnswer
    ) -> None:
        server.enqueue(ServerReply("On 1 June 2022 [1] and", finish_reason="length"))
        reply: Reply[Draft] = await both(policy, "answer", answer_request(answer_max_tokens=16))
        assert reply.value.text == "On 1 June 2022 [1] and"
        assert reply.note == "cut off at 16 tokens"

    def test_reasoning_within_a_budget_is_not_part_of_the_answer(
        self, server: ScriptedServer, policy: ModelPolicy, answer_request: MakeAnswer
    ) -> None:
        server.enqueue("Note [2] tells the price, note [1] the day.\nAnswer: On 1 June 2022 [1].")
        reply = policy.answer(answer_request(reasoning_tokens=100))
        assert reply.value.text == "On 1 June 2022 [1]."
        assert server.requests[0].body["max_completion_tokens"] == 164


class Thread(TypedDict):
    answer: str


def graph_of(policy: ModelPolicy, reason: ReasonRequest, answer: AnswerRequest) -> Any:
    def think(state: Thread) -> Thread:
        return {"answer": policy.reason(reason).value.action}

    def speak(state: Thread) -> Thread:
        return {"answer": policy.answer(answer).value.text}

    builder = StateGraph(Thread)
    builder.add_sequence([think, speak])
    builder.set_entry_point("think")
    return builder.compile()


class TestStreaming:
    def test_only_the_answer_streams_and_token_by_token(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason, answer_request: MakeAnswer
    ) -> None:
        server.enqueue(STEP, "On 1 June 2022 [1].")
        graph = graph_of(policy, reason_request(), answer_request())
        pieces = [message.text for message, _ in graph.stream({"answer": ""}, stream_mode="messages")]
        assert "".join(pieces) == "On 1 June 2022 [1]."
        assert len([piece for piece in pieces if piece]) == 5

    def test_a_streamed_reply_is_read_like_any_other(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason, answer_request: MakeAnswer
    ) -> None:
        server.enqueue(ServerReply('{"reasoning": "', finish_reason="length"), STEP, "", "On 1 June 2022 [1].")
        graph = graph_of(policy, reason_request(), answer_request())
        (*_, last) = graph.stream({"answer": ""}, stream_mode=["messages", "values"])
        assert last == ("values", {"answer": "On 1 June 2022 [1]."})
