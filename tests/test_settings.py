"""Settings merge as preset < graph < run, and refuse what they do not know."""

from dataclasses import dataclass
from typing import Any

import pytest

from langrecall.engine.inputs import of_parent, one_namespace
from langrecall.errors import NamespaceError, SettingsError
from langrecall.settings import PRESETS, Settings, resolve


@dataclass
class ParentContext:
    namespace: str = "parent"
    model: str = "the parent's own"


def test_defaults_are_those_of_combined() -> None:
    settings = resolve(Settings())
    assert (settings.preset, settings.k_first, settings.k_search, settings.max_steps, settings.max_rounds) == (
        "combined",
        5,
        2,
        6,
        3,
    )
    assert (settings.observation_tokens, settings.max_tokens, settings.raw_floor_tokens, settings.window) == (
        1000,
        12_000,
        600,
        2,
    )


def test_t2mem_is_as_published() -> None:
    settings = resolve(Settings(preset="t2mem"))
    assert (settings.k_first, settings.k_search, settings.max_steps, settings.max_rounds) == (5, 1, 5, 0)
    assert (settings.retriever, settings.search_query, settings.raw_policy) == ("dense", "original", "model")
    assert (settings.observation_tokens, settings.max_tokens, settings.answer_sees) == (None, None, "memory")
    assert (settings.temperature, settings.top_p, settings.answer_max_tokens) == (0.0, 0.95, 1024)


def test_memcot_is_as_published() -> None:
    settings = resolve(Settings(preset="memcot"))
    assert (settings.entry, settings.top_k_turns, settings.window, settings.max_rounds) == ("zoom_in", 10, 4, 8)


def test_run_wins_over_graph_and_graph_over_preset() -> None:
    base = Settings(preset="t2mem", k_first=7)
    assert resolve(base).k_first == 7
    assert resolve(base, {"k_first": 3}).k_first == 3
    assert resolve(base, {"max_steps": 2}).k_first == 7


def test_passing_the_default_explicitly_wins() -> None:
    assert resolve(Settings(preset="t2mem"), {"max_steps": 6}).max_steps == 6


def test_a_run_may_choose_another_preset() -> None:
    assert resolve(Settings(preset="t2mem"), Settings(preset="memcot")).entry == "zoom_in"


def test_of_a_foreign_context_only_the_namespace_is_read() -> None:
    settings = resolve(Settings(), ParentContext())
    assert (settings.namespace, settings.model) == ("parent", None)


@pytest.mark.parametrize(
    ("context", "namespace"),
    [({"namespace": "parent", "model": "the parent's own"}, "parent"), ({"user": "Mia"}, None), (None, None)],
)
def test_of_a_parents_mapping_only_the_namespace_is_read(context: object, namespace: str | None) -> None:
    settings = resolve(Settings(), of_parent(context))
    assert (settings.namespace, settings.model) == (namespace, None)


def test_settings_that_reach_a_node_are_read_whole() -> None:
    assert resolve(Settings(), of_parent(Settings(k_first=3))).k_first == 3


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"k_frist": 3}, r"unknown setting 'k_frist': did you mean 'k_first'\? the settings are preset, namespace"),
        ({"k_first": 0}, "setting 'k_first' is 0: input should be greater than or equal to 1"),
        ({"preset": "t3mem"}, "setting 'preset' is 't3mem': input should be 't2mem', 'memcot' or 'combined'"),
    ],
)
def test_bad_settings_name_the_fault(values: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match="^" + message):
        resolve(Settings(), values)
    with pytest.raises(SettingsError, match="^" + message):
        Settings(**values)  # type: ignore[arg-type]


def test_every_setting_has_a_title_and_a_description() -> None:
    assert all(field.title and field.description for field in Settings.model_fields.values())


def test_presets_name_only_settings() -> None:
    assert {name for values in PRESETS.values() for name in values} <= set(Settings.model_fields)


@pytest.mark.parametrize(
    ("bound", "asked", "message"),
    [
        (None, None, "no namespace"),
        (None, "", "no namespace"),
        ("alice", "bob", "bound to namespace 'alice', and the context asks for 'bob'"),
    ],
)
def test_namespace_faults(bound: str | None, asked: str | None, message: str) -> None:
    with pytest.raises(NamespaceError, match=message):
        one_namespace(bound, asked)


@pytest.mark.parametrize(("bound", "asked"), [("alice", None), ("alice", "alice"), (None, "alice")])
def test_namespace_found(bound: str | None, asked: str | None) -> None:
    assert one_namespace(bound, asked) == "alice"


@pytest.mark.parametrize(
    ("chosen", "fault"),
    [
        (
            {"metadata": False, "raw_data": False},
            "metadata and raw_data are both false, which leaves nothing to look at",
        ),
        ({"entry": "zoom_in", "zoom_in": False}, "entry is 'zoom_in' and zoom_in is false"),
        ({"preset": "memcot", "rollout": False}, "rollout is false, which only entry 'retrieve' can do without a loop"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(chosen: dict[str, Any], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        resolve(Settings.of(chosen))
    with pytest.raises(SettingsError, match=fault):
        resolve(Settings(), chosen)
