"""A record leads the graph the same way again, or says at which step it cannot."""

import re
from pathlib import Path
from typing import Any

import pytest
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage

from langrecall.errors import InputError, NamespaceError, SettingsError
from langrecall.runs.files import dump_run, load_run
from langrecall.runs.replay import check_history, differences, forked, replayed
from langrecall.runs.saved import SavedRun
from langrecall.runs.walk import Stretch
from langrecall.settings import PRESETS, Settings
from langrecall.stores.base import HistoryStore
from langrecall.testing import ScriptedChatModel

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "replay.md"
NODES = ["retrieve", "reason", "read_raw", "reason", "judge", "refine", "zoom_in", "reason", "judge", "answer"]
DOG = {"text": "Mia's dog is called Bolt.", "sources": ["s1:2"], "quote": "He is called Bolt."}
ENOUGH = {"reasoning": "", "sufficient": True, "missing": [], "queries": [], "evolution": "none"}
ANSWER = "He is called Bolt [1]."


def step(action: str, argument: str = "", *memory: dict[str, Any]) -> dict[str, Any]:
    return {"reasoning": "so", "memory": list(memory), "missing": [], "action": action, "argument": argument}


def course(run: SavedRun) -> list[tuple[object, ...]]:
    """Every step with the memory after it, but for the seconds it took."""
    return [(step.event | {"usage": step.event["usage"] | {"seconds": 0}}, step.memory) for step in run.steps]


async def again(run: SavedRun, follow: Any, history: HistoryStore) -> SavedRun:
    recorder = await follow(replayed(run))
    assert differences(run, recorder.state) == []
    made: SavedRun = recorder.saved(history, run.legs)
    return made


class TestRecord:
    async def test_holds_every_step_call_and_turn(self, take: Any) -> None:
        run = await take()
        assert [step.event["node"] for step in run.steps] == NODES
        assert [call.node for call in run.calls] == [node for node in NODES if node in ("reason", "judge", "answer")]
        assert [len(step.memory) for step in run.steps] == [0, 1, 1, 1, 1, 1, 1, 2, 2, 2]
        assert {"s1:2", "s3:0"} <= {turn.id for turn in run.turns}
        assert (run.output["answer"], run.read, run.namespace) == (ANSWER, ("s3",), "mia")
        assert run.legs[0].settings["max_steps"] == 6
        assert run.legs[0].chosen == ("k_first", "raw_floor_tokens")

    async def test_survives_being_written_and_read(self, take: Any) -> None:
        run = await take()
        assert SavedRun.model_validate_json(dump_run(run)) == run

    async def test_keeps_no_key_and_no_place_of_a_picture(self, take: Any) -> None:
        refusal = ValueError("Bearer abcdefgh and sk-1234567890 at https://me:word@host/v1 gave no JSON")
        script = [refusal, step("read_raw", "s3"), step("answer", "", DOG), ENOUGH, ANSWER]
        text = dump_run(await take(ScriptedChatModel(replies=script)))
        assert "a shoe" in text
        assert not [secret for secret in ("abcdefgh", "1234567890", "me:word", "secret.png") if secret in text]

    async def test_half_a_character_is_replaced(self, take: Any) -> None:
        run = await take(ScriptedChatModel(replies=[step("answer", "", DOG), ENOUGH, "Bolt \ud83d [1]"]))
        assert "Bolt \ufffd" in dump_run(run)


class TestReplay:
    async def test_a_model_run_goes_the_same_way(self, take: Any, follow: Any, history: HistoryStore) -> None:
        run = await take()
        second = await again(run, follow, history)
        assert course(second) == course(run)
        assert (second.calls, second.output["citations"]) == (run.calls, run.output["citations"])

    async def test_an_extractive_run_goes_the_same_way(self, take: Any, follow: Any, history: HistoryStore) -> None:
        run = await take("extractive")
        assert run.calls == ()
        assert course(await again(run, follow, history)) == course(run)

    @pytest.mark.parametrize(
        ("first", "rejects", "source"),
        [
            ([], {"json_schema"}, "model"),
            ([], {"json_schema", "tools", "json_mode"}, "model"),
            (["No JSON from me."] * 2, {"json_schema", "tools"}, "repaired"),
            (["No JSON from me."] * 5, set(), "fallback"),
            ([ContextOverflowError("too long")], set(), "model"),
            ([TypeError("unexpected keyword top_p")], set(), "model"),
            ([KeyError("choices")], set(), "model"),
            ([AIMessage("{", response_metadata={"finish_reason": "length"})], set(), "repaired"),
        ],
    )
    async def test_what_the_model_got_wrong_is_got_wrong_again(
        self, take: Any, follow: Any, history: HistoryStore, first: list[Any], rejects: Any, source: str
    ) -> None:
        script = [*first, step("answer", "", DOG), ENOUGH, ANSWER]
        run = await take(ScriptedChatModel(replies=script, rejects=rejects))
        assert run.steps[1].event["source"] == source
        assert course(await again(run, follow, history)) == course(run)

    async def test_a_request_that_was_not_recorded_names_the_step(self, take: Any, follow: Any) -> None:
        run = await take()
        calls = [call for call in run.calls if call.node != "judge"]
        with pytest.raises(InputError, match=r"^step 2: judge asks its model something that the run did not record"):
            await follow(replayed(run.model_copy(update={"calls": tuple(calls)})))

    async def test_a_departure_is_told(self, take: Any) -> None:
        run = await take("extractive")
        output = run.output | {"answer": "Rex", "citations": []}
        other = run.model_copy(update={"output": output, "steps": run.steps[:-1]})
        state: Any = dict(run.output) | {"trajectory": [step.event for step in run.steps]}
        place, answer, citations = differences(other, state)
        assert place == f"place {len(run.steps)} of the walk: the end then, answer now"
        assert answer.startswith("answer: 'Rex' then, ")
        assert citations == f"citations: none then, {', '.join(cited['turn'] for cited in run.output['citations'])} now"

    async def test_a_run_that_the_clock_stopped_is_refused(self, take: Any) -> None:
        run = await take("extractive", max_seconds=0.000001)
        with pytest.raises(InputError, match="the clock stopped this run at step 1"):
            replayed(run)

    async def test_a_time_budget_that_did_not_stop_the_run_does_not_stop_its_replay(
        self, take: Any, follow: Any, history: HistoryStore
    ) -> None:
        run = await take("extractive", max_seconds=100)
        slow = run.legs[0].model_copy(update={"settings": run.legs[0].settings | {"max_seconds": 0.000001}})
        made = await again(run.model_copy(update={"legs": (slow,)}), follow, history)
        assert (made.output["answer"], made.output["stop_reason"]) == (run.output["answer"], run.output["stop_reason"])


class TestHistory:
    async def test_the_same_is_accepted_and_a_session_that_is_gone_is_told(
        self, take: Any, history: HistoryStore
    ) -> None:
        run = await take("extractive")
        check_history(run, history)
        history.delete("s2")
        with pytest.raises(InputError, match="the history has changed since: 3 sessions then, 2 now"):
            check_history(run, history)

    async def test_a_turn_that_reads_differently_is_told(self, take: Any, history: HistoryStore) -> None:
        run = await take()
        turns = [
            turn.model_copy(update={"text": "He is called Rex."}) if turn.id == "s1:2" else turn for turn in run.turns
        ]
        with pytest.raises(InputError, match="turn 's1:2' reads differently now"):
            check_history(run.model_copy(update={"turns": tuple(turns)}), history)


class TestFork:
    async def test_runs_from_the_record_before_the_step_and_live_after_it(
        self, take: Any, follow: Any, history: HistoryStore
    ) -> None:
        run = await take()
        legs, stretches = forked(run, 2, {"max_rounds": 0})
        live = ScriptedChatModel(replies=[step("answer", "", DOG), ANSWER])
        recorder = await follow([*stretches[:-1], Stretch(stretches[-1].settings, live, from_step=2)])
        fork = recorder.saved(history, legs)
        assert [step.event["node"] for step in fork.steps] == [*NODES[:4], "answer"]
        assert course(fork)[:3] == course(run)[:3]
        assert fork.calls[0] == run.calls[0]
        assert [call.node for call in fork.calls] == ["reason", "reason", "answer"]
        assert not live.replies
        assert course(await again(fork, follow, history)) == course(fork)

    async def test_another_preset_keeps_what_was_set_by_hand(self, take: Any) -> None:
        run = await take("extractive", window=7, max_steps=3)
        (_, leg), (before, after) = forked(run, 1, {"preset": "memcot", "max_steps": 4})
        expected = Settings.of(PRESETS["memcot"] | {"preset": "memcot", "window": 7, "max_steps": 4})
        assert {name: leg.settings[name] for name in ("walk", "window", "max_steps", "max_rounds")} == {
            "walk": expected.walk,
            "window": 7,
            "max_steps": 4,
            "max_rounds": expected.max_rounds,
        }
        assert leg.chosen == ("k_first", "max_steps", "raw_floor_tokens", "window")
        assert (before.settings.window, after.settings.preset, after.from_step) == (7, "memcot", 1)

    async def test_the_model_is_the_runs_own_unless_another_is_named(self, take: Any) -> None:
        run = await take()
        assert forked(run, 1, {})[1][-1].model == "openai:scripted"
        assert forked(run, 1, {"model": "extractive"})[1][-1].model == "extractive"
        assert forked(run, 1, {}, model="extractive")[0][-1].model == "extractive"

    @pytest.mark.parametrize("at", [0, 4])
    async def test_a_step_the_run_never_came_to_is_refused(self, take: Any, at: int) -> None:
        run = await take()
        with pytest.raises(InputError, match=f"cannot be forked at step {at}: its steps are 1 to 3"):
            forked(run, at, {})

    async def test_a_run_without_reason_steps_has_no_fork(self, take: Any) -> None:
        run = await take("extractive", rollout=False)
        with pytest.raises(InputError, match="it has no reason steps"):
            forked(run, 1, {})

    async def test_a_bad_change_is_refused(self, take: Any, follow: Any) -> None:
        run = await take("extractive")
        with pytest.raises(SettingsError, match="unknown setting 'depth'"):
            forked(run, 1, {"depth": 3})
        with pytest.raises(NamespaceError, match="bound to namespace 'mia'"):
            await follow(forked(run, 1, {"namespace": "tom"})[1])

    async def test_the_clock_may_have_stopped_the_run_at_the_step(self, take: Any, follow: Any) -> None:
        run = await take("extractive", max_seconds=0.000001)
        recorder = await follow(forked(run, 1, {"max_seconds": None})[1])
        assert (run.output["stop_reason"], run.steps[1].event["action"]) == ("budget", "answer")
        assert recorder.state["stop_reason"] != "budget"
        assert recorder.state["memory"]


def test_the_example_of_the_documentation_runs(
    history: HistoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.DOTALL)
    exec(example.replace("openai:gpt-4o-mini", "extractive"), {"history": history})
    assert {path.name for path in tmp_path.iterdir()} == {"run.json", "run.html"}
    assert load_run(tmp_path / "run.json").question == "When did Mira move?"
