"""The directions in which the tokens of the built-in model differ most: `python -m langrecall.evals.token_directions FILE OUT`.

What `stores/minilm_directions.npy` holds was made so, of a LongMemEval file; no question is looked at.
"""

from pathlib import Path
from random import Random
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from langrecall.loaders import load
from langrecall.stores.encoding.minilm import load_model

Floats = NDArray[np.float32]

TURNS = 1_500
_CHARACTERS = 500
"""Of one turn: a long one must not outweigh the others."""
DIRECTIONS = 64
_BATCH = 32


def fitted(states: Floats) -> Floats:
    """The mean of token states of length 1, then the principal directions around it: `DIRECTIONS` + 1 rows."""
    unit = states / np.linalg.norm(states, axis=1, keepdims=True)
    mean = unit.mean(axis=0)
    spread = unit - mean
    _, vectors = np.linalg.eigh(spread.T @ spread)
    return np.vstack([mean, vectors[:, ::-1].T[:DIRECTIONS]]).astype(np.float32)


def _token_states(texts: list[str]) -> Floats:
    """The model's last state of each token, those that mark the beginning and the end of a text left out."""
    model = load_model()
    states: list[Any] = []
    for start in range(0, len(texts), _BATCH):
        found: Any = model.encode(
            texts[start : start + _BATCH], output_value="token_embeddings", show_progress_bar=False
        )
        states += [each[1:-1].cpu().numpy() for each in found]
    return np.concatenate(states).astype(np.float32)


def main(
    file: Annotated[Path, typer.Argument(help="A file of histories.")],
    out: Annotated[Path, typer.Argument(help="The array to write.")],
) -> None:
    """Fit the directions on some turns of a file."""
    turns = (turn.text for history in load(file).histories for session in history.sessions for turn in session.turns)
    texts = sorted({turn[:_CHARACTERS] for turn in turns if turn.strip()})
    Random(0).shuffle(texts)
    np.save(out, fitted(_token_states(texts[:TURNS])).astype(np.float16))


if __name__ == "__main__":
    typer.run(main)
