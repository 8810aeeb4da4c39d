"""Choose the turns that are shown when a token budget, and not a number, limits them."""

import numpy as np

from langrecall.rendering import header_tokens
from langrecall.stores.corpus import Corpus, Floats
from langrecall.stores.fusion import best_first

LENGTH_PENALTY = 0.7
"""Log-odds that a turn must make up for each e-fold of tokens: between ranking by score (0) and by score per token (1)."""

_LEAST_COST = 8  # tokens: six of overhead, and at least a speaker and a word
_SPARE = 50  # turns looked at beyond those that could fit


def worth(corpus: Corpus, scores: Floats) -> Floats:
    """Scores as log-odds, less what the length of the turn costs."""
    penalty: Floats = np.log(corpus.traits.tokens) * np.float32(LENGTH_PENALTY)
    return scores - penalty


def within_budget(corpus: Corpus, worths: Floats, tokens: int) -> list[int]:
    """Positions of the turns of most worth that can be shown for `tokens`, one header a session counted.

    A turn that does not fit is passed over for the next one. Turns worth minus infinity are never chosen.
    """
    chosen: list[int] = []
    opened: set[str] = set()
    left = tokens
    for position in best_first(worths, tokens // _LEAST_COST + _SPARE):
        turn = corpus.turns[position]
        cost = corpus.shown_tokens(position)
        if turn.session_id not in opened:
            cost += header_tokens(turn.session_id, turn.time)
        if cost <= left:
            chosen.append(position)
            opened.add(turn.session_id)
            left -= cost
        if left < _LEAST_COST:
            break
    return chosen
