from collections.abc import Callable
from typing import Any, get_args

import pytest
from langchain_core.language_models import FakeListChatModel

from langrecall.policies.base import ReasonRequest
from langrecall.policies.model.ladder import RUNGS, asking, below
from langrecall.policies.model.policy import ModelPolicy
from langrecall.policies.model.wire import entry_shape, judgement_shape, step_shape
from langrecall.settings import MetadataForm
from langrecall.testing import ScriptedChatModel
from langrecall.testing.chat import Feature

STEP = {"action": "answer"}


def way_asked(kwargs: dict[str, Any], tools: list[dict[str, Any]]) -> str:
    form: dict[str, Any] = kwargs.get("response_format") or {}
    return {"json_schema": "json_schema", "json_object": "json_mode"}.get(
        str(form.get("type")), "tools" if tools else "plain"
    )


def ways_asked(model: ScriptedChatModel) -> list[str]:
    return [way_asked(call.kwargs, call.tools) for call in model.calls]


def test_the_ladder_goes_from_strict_to_plain() -> None:
    assert RUNGS == ("json_schema", "tools", "json_mode", "plain")
    assert [below(rung) for rung in RUNGS] == ["tools", "json_mode", "plain", None]


def test_each_rung_asks_in_its_own_way() -> None:
    model = ScriptedChatModel(replies=["{}"] * 4)
    for rung in RUNGS:
        asked = asking(model, rung, judgement_shape())
        asked.runnable.invoke("x", **asked.arguments)
    assert ways_asked(model) == list(RUNGS)
    assert model.calls[1].kwargs["tool_choice"] == "Judgement"


@pytest.mark.parametrize(
    ("rejected", "rung"),
    [
        ([], "json_schema"),
        (["json_schema"], "tools"),
        (["json_schema", "tools"], "json_mode"),
        (["json_schema", "tools", "json_mode"], "plain"),
    ],
)
def test_moves_down_past_what_is_rejected_and_remembers(
    rejected: list[Feature], rung: str, reason_request: Callable[..., ReasonRequest]
) -> None:
    model = ScriptedChatModel(replies=[STEP, STEP], rejects=frozenset(rejected))
    policy = ModelPolicy(model)
    first, second = policy.reason(reason_request()), policy.reason(reason_request())
    assert (first.source, second.source) == ("model", "model")
    assert ways_asked(model) == [*rejected, rung, rung]
    assert first.spent.calls == 1


def test_moves_down_while_the_form_is_ignored(reason_request: Callable[..., ReasonRequest]) -> None:
    model = ScriptedChatModel(replies=["I would answer.", "Answer now.", STEP, STEP])
    policy = ModelPolicy(model)
    reply = policy.reason(reason_request())
    policy.reason(reason_request())
    assert (reply.source, reply.value.action, reply.spent.calls) == ("model", "answer", 3)
    assert ways_asked(model) == ["json_schema", "tools", "json_mode", "json_mode"]


def test_prose_on_every_rung_ends_in_the_fallback(reason_request: Callable[..., ReasonRequest]) -> None:
    model = ScriptedChatModel(replies=["I would answer."] * 5)
    reply = ModelPolicy(model).reason(reason_request())
    assert (reply.source, reply.value.action, reply.value.memory) == ("fallback", "search_meta", [])
    assert ways_asked(model) == [*RUNGS, "plain"]


def test_roles_of_one_model_share_what_is_learned(
    reason_request: Callable[..., ReasonRequest], judge_request: Callable[..., Any]
) -> None:
    model = ScriptedChatModel(replies=[STEP, {"sufficient": True}], rejects=frozenset(["json_schema"]))
    policy = ModelPolicy(model)
    policy.reason(reason_request())
    policy.judge(judge_request())
    assert ways_asked(model) == ["json_schema", "tools", "tools"]


def test_a_model_class_without_tools_is_asked_by_the_next_rung(reason_request: Callable[..., ReasonRequest]) -> None:
    class Bare(FakeListChatModel):
        def _call(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> str:
            if kwargs.get("response_format", {}).get("type") == "json_schema":
                raise TypeError("create() got an unexpected keyword argument 'response_format'")
            return super()._call(messages, stop, run_manager, **kwargs)

    reply = ModelPolicy(Bare(responses=['{"action": "answer"}'])).reason(reason_request())
    assert (reply.source, reply.value.action) == ("model", "answer")


@pytest.mark.parametrize("form", get_args(MetadataForm))
def test_schemas_are_strict_at_every_level(form: MetadataForm) -> None:
    def objects(schema: Any) -> Any:
        if isinstance(schema, dict):
            yield from ([schema] if schema.get("type") == "object" else [])
            for inner in schema.values():
                yield from objects(inner)

    for shape in (entry_shape(form), judgement_shape(), step_shape(("answer",))):
        for found in objects(shape.schema):
            assert found["additionalProperties"] is False
            assert found["required"] == list(found["properties"])
        assert "default" not in str(shape.schema)


def test_a_step_may_only_choose_open_actions() -> None:
    assert step_shape(("read_raw", "answer")).schema["properties"]["action"]["enum"] == ["read_raw", "answer"]


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("wiki", ["title", "topics", "events", "facts", "entities"]),
        ("summary", ["title", "summary"]),
        ("graph", ["title", "entities", "relations"]),
        ("wiki+graph", ["title", "topics", "events", "facts", "entities", "relations"]),
    ],
)
def test_an_entry_is_asked_for_the_parts_of_its_form(form: MetadataForm, fields: list[str]) -> None:
    assert list(entry_shape(form).schema["properties"]) == fields
