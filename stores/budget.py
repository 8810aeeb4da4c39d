"""Choose the turns that are shown when a token budget, and not a number, limits them."""

import numpy as np

from langrecall.stores.corpus import Corpus, Floats, Ints
from langrecall.stores.fusion import best_first

LENGTH_PENALTY = 0.7
"""Log-odds that a turn must make up for each e-fold of tokens: between ranking by score (0) and by score per token (1)."""

PASSAGE = 200
"""Tokens of a passage, which is what can be shown of a turn that is too long by itself: MemCoT's minimal chunk."""

_LEAST_COST = 8  # tokens: six of overhead, and at least a speaker and a word
_SPARE = 50  # turns looked at beyond those that could fit


def worth(costs: Floats, scores: Floats) -> Floats:
    """Scores as log-odds, less what the length of the turn costs."""
    penalty: Floats = np.log(costs) * np.float32(LENGTH_PENALTY)
    return scores - penalty


def shown_at_least(costs: Floats, tokens: int, *, passages: bool) -> Floats:
    """What each turn costs to show, one that `tokens` cannot hold as a passage where `passages` are shown."""
    least: Floats = np.where(costs > tokens, np.float32(PASSAGE), costs) if passages else costs
    return least


def within_budget(corpus: Corpus, at: Ints, worths: Floats, tokens: int, *, passages: bool = False) -> list[int]:
    """Places in `at` of the turns of most worth that can be shown for `tokens`, one header a session counted.

    A turn that does not fit is passed over for the next one; with `passages` one that never could counts as a passage. Turns
    worth minus infinity are never chosen.
    """
    chosen: list[int] = []
    opened: set[int] = set()
    left = tokens
    for place in best_first(worths, tokens // _LEAST_COST + _SPARE):
        position = int(at[place])
        session = int(corpus.turn_session[position])
        room = left if session in opened else left - corpus.header_tokens[session]
        cost = _cost(corpus, position, room, whole=tokens - corpus.header_tokens[session], passages=passages)
        if cost <= room:
            chosen.append(place)
            opened.add(session)
            left = room - cost
        if left < _LEAST_COST:
            break
    return chosen


def _cost(corpus: Corpus, position: int, room: int, *, whole: int, passages: bool) -> int:
    """What showing a turn costs; more than `room` where it does not fit, `whole` being what there was room for at first."""
    if passages and corpus.traits.tokens[position] > whole:
        return min(PASSAGE, whole)
    # Grounded dates only add to the cost, and take longer to find than everything else here.
    return corpus.shown_tokens(position) if corpus.traits.tokens[position] <= room else room + 1
