"""Choose the turns that are shown when a token budget, and not a number, limits them."""

import numpy as np

from langrecall.stores.ranking.corpus import Corpus, Floats, Ints
from langrecall.stores.ranking.weights import best_first

_LENGTH_PENALTY = 0.7
"""Log-odds that a turn must make up for each e-fold of tokens: between ranking by score (0) and by score per token (1)."""

PASSAGE = 200
"""Tokens of a passage, which is what can be shown of a turn that is too long by itself: MemCoT's minimal chunk."""

_LEAST_COST = 8  # tokens: six of overhead, and at least a speaker and a word
_SPARE = 50  # turns looked at beyond those that could fit


def worth(costs: Floats, scores: Floats) -> Floats:
    """Scores as log-odds, less what the length of the turn costs."""
    penalty: Floats = np.log(costs) * np.float32(_LENGTH_PENALTY)
    return scores - penalty


def costs_within(corpus: Corpus, at: Ints, tokens: int) -> Floats:
    """What the turns `at` cost to show, without grounded dates; one that `tokens` cannot hold under its header counts as a passage."""
    whole = tokens - np.array(corpus.header_tokens, dtype=np.float32)[corpus.turn_session[at]]
    costs = corpus.traits.tokens[at]
    least: Floats = np.where(costs > whole, np.minimum(whole, np.float32(PASSAGE)), costs)
    return least


def within_budget(corpus: Corpus, at: Ints, worths: Floats, costs: Floats, tokens: int) -> list[int]:
    """Places in `at` of the turns of most worth that can be shown for `tokens`, one header a session counted.

    `costs` are those of the turns, or where they are less, of a passage. A turn that does not fit is passed over for the next one.
    Turns worth minus infinity are never chosen.
    """
    chosen: list[int] = []
    opened: set[int] = set()
    left = tokens
    for place in best_first(worths, tokens // _LEAST_COST + _SPARE):
        position = int(at[place])
        session = int(corpus.turn_session[position])
        room = left if session in opened else left - corpus.header_tokens[session]
        cost = int(costs[place])
        # Grounded dates only add to the cost, and take longer to find than everything else here.
        if cost == corpus.traits.tokens[position] and cost <= room:
            cost = corpus.shown_tokens(position)
        if cost <= room:
            chosen.append(place)
            opened.add(session)
            left = room - cost
        if left < _LEAST_COST:
            break
    return chosen
