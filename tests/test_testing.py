"""The doubles are real implementations: these tests hold them to what tests elsewhere rely on."""

import json
from functools import reduce
from operator import add
from time import monotonic
from typing import Any

import pytest
from langchain_core.exceptions import ModelInvalidRequestError
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from openai import RateLimitError
from pydantic import BaseModel, SecretStr

from langrecall.testing import HashEmbedder, ScriptedChatModel, ScriptedServer, ScriptExhaustedError, ServerReply
from langrecall.testing.chat import Feature


class Colour(BaseModel):
    """A colour."""

    name: str


def client(server: ScriptedServer, retries: int = 0) -> ChatOpenAI:
    return ChatOpenAI(model="scripted", base_url=server.url, api_key=SecretStr("unused"), max_retries=retries)


def similarity(embedder: HashEmbedder, one: str, other: str) -> float:
    return sum(a * b for a, b in zip(embedder.embed_query(one), embedder.embed_query(other), strict=True))


class TestScriptedChatModel:
    def test_replays_each_kind_of_reply_in_order(self) -> None:
        model = ScriptedChatModel(replies=["text", {"name": "ß"}, AIMessage("as it is", id="7")])
        assert [model.invoke("x").text for _ in range(2)] == ["text", '{"name": "ß"}']
        assert model.invoke("x").id == "7"

    def test_raises_a_scripted_error_and_goes_on(self) -> None:
        model = ScriptedChatModel(replies=[TimeoutError("late"), "there"])
        with pytest.raises(TimeoutError, match="late"):
            model.invoke("x")
        assert model.invoke("x").text == "there"

    def test_says_when_the_script_has_run_out(self) -> None:
        model = ScriptedChatModel(replies=["one"])
        model.invoke("x")
        with pytest.raises(ScriptExhaustedError, match="after 1 calls"):
            model.invoke("x")

    def test_a_mapping_is_the_tool_call_that_was_asked_for(self) -> None:
        model = ScriptedChatModel(replies=[{"name": "blue"}])
        reply = model.bind_tools([Colour], tool_choice="Colour").invoke("which?")
        assert [(call["name"], call["args"]) for call in reply.tool_calls] == [("Colour", {"name": "blue"})]

    def test_records_messages_tools_and_arguments(self) -> None:
        model = ScriptedChatModel(replies=["a", "b"])
        model.bind_tools([Colour], tool_choice="Colour").invoke([HumanMessage("one"), HumanMessage("two")])
        model.invoke("three", temperature=0.5, stop=["."])
        first, second = model.calls
        assert first.text == "one\n\ntwo"
        assert first.tools[0]["function"]["name"] == "Colour"
        assert first.kwargs == {"tool_choice": "Colour"}
        assert (second.tools, second.kwargs) == ([], {"temperature": 0.5, "stop": ["."]})

    @pytest.mark.parametrize(
        ("feature", "arguments"),
        [
            ("json_schema", {"response_format": {"type": "json_schema"}}),
            ("json_mode", {"response_format": {"type": "json_object"}}),
            ("tools", {"tools": [{"type": "function"}]}),
        ],
    )
    def test_rejects_a_feature_without_using_up_a_reply(self, feature: Feature, arguments: dict[str, Any]) -> None:
        model = ScriptedChatModel(replies=["left"], rejects=frozenset([feature]))
        with pytest.raises(ModelInvalidRequestError, match=feature):
            model.invoke("x", **arguments)
        assert model.invoke("x").text == "left"

    def test_streams_word_by_word_and_loses_nothing(self) -> None:
        model = ScriptedChatModel(replies=["On 7 May,\n I think. "])
        pieces = [chunk.text for chunk in model.stream("when?")]
        assert "".join(pieces) == "On 7 May,\n I think. "
        assert len(pieces) >= 5

    async def test_works_asynchronously(self) -> None:
        model = ScriptedChatModel(replies=["one", "two words"])
        assert (await model.ainvoke("x")).text == "one"
        assert [chunk.text async for chunk in model.astream("x")][:2] == ["two", " words"]


class TestHashEmbedder:
    def test_texts_that_share_words_are_nearer(self) -> None:
        embedder = HashEmbedder()
        near = similarity(embedder, "Mia walked the dog", "the dog was walked by MIA")
        assert near > 0.6 > 0.2 > similarity(embedder, "Mia walked the dog", "quarterly tax forms")

    def test_vectors_are_unit_length_deterministic_and_of_the_asked_dimension(self) -> None:
        one, other = HashEmbedder(32), HashEmbedder(32)
        for text in ("Zoë 🐝", "한국어 문장", "", "   ", "a a a b"):
            vector = one.embed_query(text)
            assert vector == other.embed_documents([text])[0]
            assert len(vector) == 32
            assert sum(value * value for value in vector) == pytest.approx(1.0)

    def test_refuses_no_dimension(self) -> None:
        with pytest.raises(ValueError, match="at least 1"):
            HashEmbedder(0)


class TestScriptedServer:
    def test_replies_in_order_and_records_the_requests(self) -> None:
        with ScriptedServer() as server:
            server.enqueue(
                "Rome.", ServerReply("Paris.", usage={"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9})
            )
            assert client(server).invoke("capital of Italy?").text == "Rome."
            reply = client(server).invoke("of France?")
        assert reply.text == "Paris."
        assert reply.usage_metadata is not None
        assert reply.usage_metadata["input_tokens"] == 7
        assert [request.text for request in server.requests] == ["capital of Italy?", "of France?"]
        assert server.requests[0].path == "/v1/chat/completions"
        assert server.requests[0].headers["authorization"] == "Bearer unused"

    def test_counts_tokens_itself_without_a_usage(self) -> None:
        with ScriptedServer(lambda _: "12345") as server:
            reply = client(server).invoke("x" * 41)
        assert reply.usage_metadata is not None
        assert (reply.usage_metadata["input_tokens"], reply.usage_metadata["output_tokens"]) == (11, 2)

    def test_a_function_of_the_request_answers_what_no_script_does(self) -> None:
        with ScriptedServer(lambda request: request.text.upper()) as server:
            server.enqueue("scripted")
            assert [client(server).invoke(text).text for text in ("a", "b")] == ["scripted", "B"]

    def test_streams_word_by_word_with_usage_when_asked(self) -> None:
        with ScriptedServer(lambda _: "On 7 May 2023 [1].") as server:
            chunks = list(client(server).stream("when?", stream_usage=True))
        assert "".join(chunk.text for chunk in chunks) == "On 7 May 2023 [1]."
        assert len([chunk for chunk in chunks if chunk.text]) == 5
        assert any(chunk.usage_metadata for chunk in chunks)

    def test_streams_tool_calls(self) -> None:
        with ScriptedServer(lambda _: ServerReply.call("Colour", '{"name": "blue"}')) as server:
            chunks = list(client(server).bind_tools([Colour]).stream("which?"))
        whole = reduce(add, chunks)
        assert isinstance(whole, AIMessageChunk)
        assert whole.tool_calls[0]["args"] == {"name": "blue"}

    def test_plays_back_errors_headers_and_raw_bodies(self) -> None:
        with ScriptedServer() as server:
            server.enqueue(
                ServerReply.error(429, "slow down", retry_after="0"), ServerReply(raw="<html>bad gateway</html>")
            )
            with pytest.raises(RateLimitError, match="slow down") as caught:
                client(server).invoke("x")
            with pytest.raises(ValueError, match="bad gateway"):
                client(server).invoke("x")
        assert caught.value.response.headers["retry-after"] == "0"

    def test_an_exhausted_script_is_an_error_of_the_server(self) -> None:
        with ScriptedServer() as server, pytest.raises(Exception, match="run out after 0 requests"):
            client(server).invoke("x")

    def test_waits_as_told_but_not_past_its_own_end(self) -> None:
        started = monotonic()
        with ScriptedServer() as server:
            server.enqueue(ServerReply("slow", delay=0.2))
            assert client(server).invoke("x").text == "slow"
            assert monotonic() - started >= 0.2
            server.enqueue(ServerReply("never", delay=60))
            with pytest.raises(Exception, match="timed out"):
                ChatOpenAI(model="m", base_url=server.url, api_key=SecretStr("k"), max_retries=0, timeout=0.1).invoke(
                    "x"
                )
        assert monotonic() - started < 60

    @pytest.mark.parametrize("options", [{"encoding_format": "float"}, {}], ids=["float", "client's own: base64"])
    def test_embeds_as_the_hash_embedder_does(self, options: dict[str, str]) -> None:
        with ScriptedServer(dimension=16) as server:
            embeddings = OpenAIEmbeddings(
                model="m",
                base_url=server.url,
                api_key=SecretStr("k"),
                check_embedding_ctx_length=False,
                model_kwargs=options,
            )
            got = embeddings.embed_documents(["red fox", "blue whale"])
        assert got[0] == pytest.approx(HashEmbedder(16).embed_query("red fox"), abs=1e-6)
        assert got[1] == pytest.approx(HashEmbedder(16).embed_query("blue whale"), abs=1e-6)

    async def test_serves_async_clients(self) -> None:
        with ScriptedServer(lambda request: json.dumps({"asked": request.text}, ensure_ascii=False)) as server:
            reply = await client(server).ainvoke("où?")
        assert json.loads(reply.text) == {"asked": "où?"}
