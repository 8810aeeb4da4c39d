"""ModelPolicy through the real OpenAI client against a server that plays back what servers have been seen to send."""

import json
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import StateGraph
from pydantic import SecretStr
from typing_extensions import TypedDict

from langrecall.errors import ModelConfigError, ModelError, ModelUnavailableError
from langrecall.policies.base import AnswerRequest, Draft, JudgeRequest, PageRequest, ReasonRequest, Reply, Step
from langrecall.policies.model import ModelPolicy
from langrecall.records import Session
from langrecall.state import MemoryLine
from langrecall.testing import ScriptedChatModel, ScriptedServer, ServerReply

LINE = {
    "text": "Jonas signed the lease on 1 June 2022.",
    "sources": ["session_7:1"],
    "quote": "I signed the lease yesterday",
}
STEP = {"reasoning": "It says so.", "memory": [LINE], "missing": [], "action": "answer", "argument": ""}
ENTRY = {
    "title": "The lease",
    "topics": ["flat"],
    "events": [{"text": "Jonas signed the lease", "turns": ["session_7:1", "[1]", 99], "time": "1 June 2022"}],
    "facts": [{"text": "The flat is on Mill Lane", "speaker": "Petra", "turns": [0]}],
    "entities": ["Jonas", "Jonas", "Mill Lane"],
}

MakeReason = Callable[..., ReasonRequest]
MakeJudge = Callable[..., JudgeRequest]
MakeAnswer = Callable[..., AnswerRequest]


def dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def policy(server: ScriptedServer) -> ModelPolicy:
    return policy_of(server)


def policy_of(server: ScriptedServer, retries: int = 0) -> ModelPolicy:
    return ModelPolicy(
        ChatOpenAI(model="small", base_url=server.url, api_key=SecretStr("sk-secret1234"), max_retries=retries)
    )


@pytest.fixture(params=["sync", "async"])
def both(request: pytest.FixtureRequest) -> Callable[..., Awaitable[Any]]:
    """Call a method of the policy by name, as it is or by its async form."""

    async def called(policy: ModelPolicy, name: str, *arguments: Any) -> Any:
        if request.param == "async":
            return await getattr(policy, f"a{name}")(*arguments)
        return getattr(policy, name)(*arguments)

    return called


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
            pytest.param(["s9:12", None], ["session_7:1"], "I signed the lease yesterday", id="found by its quote"),
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

    async def test_an_empty_answer_is_asked_again_once(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], answer_request: MakeAnswer
    ) -> None:
        server.enqueue(ServerReply(None), "On 1 June 2022 [1].")
        reply: Reply[Draft] = await both(policy, "answer", answer_request())
        assert (reply.value.text, reply.source, reply.spent.calls) == ("On 1 June 2022 [1].", "repaired", 2)

    async def test_empty_twice_is_an_abstention_that_says_so(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], answer_request: MakeAnswer
    ) -> None:
        server.enqueue("", "<think>still nothing</think>")
        reply: Reply[Draft] = await both(policy, "answer", answer_request())
        assert (reply.value.abstained, reply.source) == (True, "fallback")
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


class TestDescribe:
    async def test_gives_the_entry_with_turns_and_time_cues(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], session: Session
    ) -> None:
        server.enqueue(dumped(ENTRY))
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
        server.enqueue(dumped(ENTRY | {"summary": "Jonas signed."}))
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
    def page(self, reason_request: MakeReason, session: Session) -> PageRequest:
        return PageRequest(reason_request().question, b"PNG", session.turns, "Seat 61A")


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
        server.enqueue(body, dumped(STEP), body, "On 1 June [1].")
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
        self, server: ScriptedServer, both: Callable[..., Any], reason_request: MakeReason
    ) -> None:
        busy = ServerReply.error(429, "slow down", retry_after_ms="1")
        server.enqueue(busy, busy, busy, dumped(STEP))
        reply: Reply[Step] = await both(policy_of(server, retries=3), "reason", reason_request())
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

    async def test_no_server_is_said_with_its_address(
        self, server: ScriptedServer, both: Callable[..., Any], answer_request: MakeAnswer
    ) -> None:
        url = server.url.replace("http://", "http://user:pass@") + "?key=hidden"
        model = ChatOpenAI(
            model="small",
            base_url=url.replace(str(server.url.split(":")[2].split("/")[0]), "9"),
            api_key=SecretStr("k"),
            max_retries=0,
        )
        with pytest.raises(ModelUnavailableError, match=r"at http://127\.0\.0\.1:9/v1: ") as caught:
            await both(ModelPolicy(model), "answer", answer_request())
        assert "pass" not in str(caught.value)
        assert "hidden" not in str(caught.value)

    def test_an_error_of_nobodys_provider_is_raised_as_it_is(self, answer_request: MakeAnswer) -> None:
        with pytest.raises(ZeroDivisionError):
            ModelPolicy(ScriptedChatModel(replies=[ZeroDivisionError()])).answer(answer_request())


class TestContext:
    OVERFLOW = ServerReply.error(
        400, "This model's maximum context length is 4096 tokens, you requested 5000 (max_tokens 400)"
    )

    async def test_a_prompt_that_is_too_long_is_shrunk_once(
        self, server: ScriptedServer, policy: ModelPolicy, both: Callable[..., Any], reason_request: MakeReason
    ) -> None:
        server.enqueue(self.OVERFLOW, dumped(STEP))
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
        server.enqueue(ServerReply("{}", usage=usage), ServerReply(dumped(STEP), usage=usage))
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
        server.enqueue(dumped(STEP))
        policy.reason(reason_request())
        body = server.requests[0].body
        assert (body["temperature"], body["top_p"], body["max_completion_tokens"]) == (0, 0.95, 400)
        assert "top_k" not in body

    @pytest.mark.parametrize("name", ["top_k", "temperature", "top_p"])
    def test_an_option_that_is_refused_is_left_out_from_then_on(
        self, name: str, server: ScriptedServer, policy: ModelPolicy, answer_request: MakeAnswer
    ) -> None:
        server.enqueue(ServerReply.error(400, f"Unrecognized request argument supplied: {name}"), "a [1]", "b [1]")
        for _ in range(2):
            policy.answer(answer_request(top_k=20))
        assert [name in request.body for request in server.requests] == [True, False, False]

    def test_a_reasoning_budget_is_asked_for_and_bounds_the_whole_reply(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason
    ) -> None:
        server.enqueue(dumped(STEP))
        policy.reason(reason_request(reasoning_tokens=256))
        assert "at most 256 tokens" in server.requests[0].text
        assert server.requests[0].body["max_completion_tokens"] == 256 + 64


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
        server.enqueue(dumped(STEP), "On 1 June 2022 [1].")
        graph = graph_of(policy, reason_request(), answer_request())
        pieces = [message.text for message, _ in graph.stream({"answer": ""}, stream_mode="messages")]
        assert "".join(pieces) == "On 1 June 2022 [1]."
        assert len([piece for piece in pieces if piece]) == 5

    def test_a_streamed_reply_is_read_like_any_other(
        self, server: ScriptedServer, policy: ModelPolicy, reason_request: MakeReason, answer_request: MakeAnswer
    ) -> None:
        server.enqueue(ServerReply('{"reasoning": "', finish_reason="length"), dumped(STEP), "", "On 1 June 2022 [1].")
        graph = graph_of(policy, reason_request(), answer_request())
        (*_, last) = graph.stream({"answer": ""}, stream_mode=["messages", "values"])
        assert last == ("values", {"answer": "On 1 June 2022 [1]."})


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
