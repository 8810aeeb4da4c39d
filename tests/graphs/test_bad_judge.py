"""Judges, models and histories at their worst: every walk ends, says what happened, and raises nothing."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.policies.base import Judgement, JudgeRequest, Line, ReasonRequest, Reply, Step
from langrecall.policies.extractive.policy import ExtractivePolicy
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder

QUERY: Any = {"query": "What is Mia's dog called?"}
PRESETS = ["memcot", "combined"]


class Doubting(ExtractivePolicy):
    """A judge that always says no; its queries are counted up, always the same, none, or named by ids."""

    def __init__(self, *queries: str) -> None:
        self.queries = queries
        self.asked = 0
        self._count = count()

    def judge(self, request: JudgeRequest) -> Reply[Judgement]:
        self.asked += 1
        queries = [query.format(next(self._count)) for query in self.queries]
        return Reply(Judgement(missing=["everything"], queries=queries, evolution="decomposed"), "model")


class Pointing(ExtractivePolicy):
    """A reasoner that names what it was not shown: its memory, its action, or both."""

    def __init__(self, action: Any, argument: str) -> None:
        self.step = Step(
            reasoning="so",
            memory=[Line(text="Mia's dog is called Bolt.", sources=["s99:1", "nonsense"], quote="He is called Bolt.")],
            action=action,
            argument=argument,
        )

    def reason(self, request: ReasonRequest) -> Reply[Step]:
        return Reply(self.step, "model")


def notes(state: dict[str, Any], node: str) -> str:
    return " ".join(step["note"] for step in state["trajectory"] if step["node"] == node)


def asked(history: HistoryStore, policy: ExtractivePolicy, **settings: Any) -> dict[str, Any]:
    return last_state(create_recall_graph(history, policy, settings=settings))


def last_state(graph: Any) -> dict[str, Any]:
    state: dict[str, Any] = list(graph.stream(QUERY, stream_mode="values"))[-1]
    return state


@pytest.mark.parametrize("preset", PRESETS)
def test_a_judge_that_always_says_no_is_asked_a_bounded_number_of_times(history: HistoryStore, preset: str) -> None:
    policy = Doubting("Bolt {}", "beagle {}")
    state = asked(history, policy, preset=preset)
    assert 1 < policy.asked <= {"memcot": 8, "combined": 3}[preset]
    assert state["stop_reason"] in ("budget", "exhausted")
    assert state["answer"]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_judge_that_says_no_and_asks_nothing_ends_the_walk(history: HistoryStore, preset: str) -> None:
    policy = Doubting()
    state = asked(history, policy, preset=preset, k_first=7)
    assert policy.asked == 1
    assert (state["stop_reason"], bool(state["answer"])) == ("exhausted", True)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_query_that_is_proposed_for_ever_is_run_once(history: HistoryStore, preset: str) -> None:
    state = asked(history, Doubting("the beagle", "The beagle?"), preset=preset, k_first=1)
    run = [step["argument"] for step in state["trajectory"] if step["node"] == "zoom_in"]
    assert run.count("the beagle") == 1
    assert "The beagle?" not in run
    assert "dropped proposed queries: 1 repeated" in notes(state, "refine")
    assert state["stop_reason"] in ("budget", "exhausted")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_judge_that_names_ids_gets_a_search_for_those_words(history: HistoryStore, preset: str) -> None:
    state = asked(history, Doubting("s99:1", "[s2:0]"), preset=preset)
    assert state["answer"]
    shown = {turn for seen in state["observation"] for turn in seen["turns"]}
    assert all(turn.split(":")[0] in {f"s{number}" for number in range(1, 8)} for turn in shown)


@pytest.mark.parametrize(
    ("action", "argument"),
    [("zoom_out", "s99:1"), ("zoom_out", "nonsense"), ("view", "s99:1"), ("read_raw", "s99"), ("zoom_in", "")],
)
def test_ids_of_what_was_not_shown_are_dropped_and_reported(history: HistoryStore, action: str, argument: str) -> None:
    state = asked(history, Pointing(action, argument), k_first=1)
    assert "dropped unknown ids: s99:1, nonsense" in notes(state, "reason")
    assert not any(line["verified"] for line in state["memory"])
    assert state["citations"] == []
    if action == "read_raw":
        assert "Refused: 's99'" in notes(state, "read_raw")


@pytest.mark.parametrize("argument", ["s99:1", "nonsense"])
def test_a_window_around_what_was_not_shown_is_reported(history: HistoryStore, argument: str) -> None:
    lines = [Line(text="Mia's dog is called Bolt.", sources=["s1:2"], quote="He is called Bolt.")]
    policy = Pointing("zoom_out", argument)
    policy.step.memory[:] = lines
    state = asked(history, policy)
    assert f"dropped unknown ids: {argument}" in notes(state, "zoom_out")


@pytest.fixture
def edges() -> Iterator[HistoryStore]:
    """A session of one turn and one of three, whose first and last turns are what is asked for."""
    talks = {"alone": ["Bolt the dog ran."], "three": ["My dog is Bolt.", "Nice.", "Bolt, a dog, won."]}
    sessions = [
        {"session_id": name, "turns": [{"speaker": "Mia", "text": text} for text in texts]}
        for name, texts in talks.items()
    ]
    with ChromaHistory.open(None, embeddings=HashEmbedder()) as memory:
        create_ingest_graph(memory.at("mia")).invoke({"sessions": sessions})
        yield memory.at("mia")


class Keeping(ExtractivePolicy):
    """Keeps every turn it is shown, and widens around one of them."""

    def __init__(self, widened: str) -> None:
        self.widened = widened

    def reason(self, request: ReasonRequest) -> Reply[Step]:
        lines = [Line(text=turn.text, sources=[turn.id], quote=turn.text) for turn in request.turns]
        action: Any = "zoom_out" if request.observation["id"].endswith(":zoom_in") else "answer"
        return Reply(Step(memory=lines, action=action, argument=self.widened), "model")

    def judge(self, request: JudgeRequest) -> Reply[Judgement]:
        return Reply(Judgement(sufficient=True), "model")


@pytest.mark.parametrize(
    ("widened", "around"), [("alone:0", set()), ("three:0", {"three:1"}), ("three:2", {"three:1"})]
)
def test_a_window_ends_with_its_session(edges: HistoryStore, widened: str, around: set[str]) -> None:
    state = asked(edges, Keeping(widened), preset="memcot", walk="free", top_k_turns=3, retriever="lexical")
    (seen,) = [seen for seen in state["observation"] if seen["id"].split(":")[1] == "zoom_out"]
    assert set(seen["turns"]) == around
    assert seen["kind"] == ("turns" if around else "notice")


@pytest.mark.parametrize("preset", ["t2mem", "memcot", "combined"])
def test_a_history_of_one_turn_is_walked_to_its_end(preset: str) -> None:
    turns = [{"speaker": "Mia", "text": "My dog is called Bolt."}]
    with ChromaHistory.open(None, embeddings=HashEmbedder()) as memory:
        create_ingest_graph(memory.at("mia")).invoke({"sessions": [{"session_id": "only", "turns": turns}]})
        state = last_state(create_recall_graph(memory.at("mia"), settings={"preset": preset}))
    assert "Bolt" in state["answer"]
    assert [seen["turns"] for seen in state["observation"] if "only:0" in seen["turns"]]


@pytest.fixture
def bad_pictures(tmp_path: Path) -> dict[str, str]:
    """Pictures as they come: by name, where each is found."""
    pillow = pytest.importorskip("PIL.Image", reason="needs the extra `vision`")
    pytest.importorskip("rapidocr", reason="needs the extra `vision`")
    small = pillow.new("RGB", (60, 40), "white")
    small.convert("CMYK").save(tmp_path / "cmyk.jpg")
    small.save(tmp_path / "animated.gif", save_all=True, append_images=[pillow.new("RGB", (60, 40), "black")] * 3)
    pillow.new("1", (10_001, 10_000)).save(tmp_path / "huge.png")
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "broken.png").write_bytes((tmp_path / "huge.png").read_bytes()[:60])
    found = {path.stem: str(path) for path in tmp_path.iterdir()}
    return found | {"base64": "R0lGODlh" * 12, "dead": "http://dead.invalid/a.png"}


def test_bad_pictures_become_captions_and_notes(bad_pictures: dict[str, str]) -> None:
    told = [
        {"speaker": "Mia", "text": "My dog Bolt!", "images": [{"source": source, "caption": f"the {name} dog"}]}
        for name, source in bad_pictures.items()
    ]
    with ChromaHistory.open(None, embeddings=HashEmbedder()) as memory:
        create_ingest_graph(memory.at("mia")).invoke({"sessions": [{"session_id": "s", "turns": told}]})
        graph = create_recall_graph(memory.at("mia"), Pointing("view", ""), settings={"max_steps": 2})
        state = last_state(graph)
    (viewed,) = [step for step in state["trajectory"] if step["node"] == "view"]
    for name in ("huge", "empty", "broken", "base64", "dead"):
        assert f"the {name} dog: " in viewed["note"]
    assert state["answer"]
