"""A second look at the best turns, token by token: late interaction as ColBERT does it, on short vectors.

A turn's one vector says what it is about on the whole. Its tokens tell whether something in it is near each word of the question.
"""

from typing import Final

import numpy as np

from langrecall.stores.encoding.token_vectors import TokenIndex, TokenVectors
from langrecall.stores.ranking.corpus import Corpus, Floats, Ints
from langrecall.stores.ranking.weights import best_first, standardise

LOOKED_AT = 200
"""Turns looked at again, besides those left out of a search; the others count as one deviation worse than the worst of them."""

_FIRST_WEIGHT: Final = 0.85
_OWN_WEIGHT: Final = 0.25
_NEAR_WEIGHT: Final = 0.4
"""Of the first look, of a turn's own tokens and of those in the window around it: fitted as the weights of `weights` are, and rounded.

A second look tells in part what the first has told, so that this counts for less; the sum stays log-odds.
"""

_WINDOW = (-2, -1, 1, 2)


def look_again(
    corpus: Corpus, index: TokenIndex, asked: TokenVectors, at: Ints, scores: Floats, worths: Floats, *, count: int
) -> Floats:
    """The scores of the turns `at` with what their tokens tell; the `count` of most worth are looked at."""
    looked = np.array(sorted(best_first(worths, count)), dtype=np.int64)
    if not len(looked) or not len(asked):
        return scores
    turns = at[looked]
    similar = _by_turn(corpus, index, asked, turns)
    own, near = (best.mean(axis=0) for best in (similar, _in_windows(corpus, similar, turns)))
    told = np.float32(_OWN_WEIGHT) * standardise(own) + np.float32(_NEAR_WEIGHT) * standardise(near)
    unseen = np.float32(_OWN_WEIGHT * _worse(own) + _NEAR_WEIGHT * _worse(near))
    total: Floats = scores * np.float32(_FIRST_WEIGHT) + unseen
    total[looked] += told - unseen
    return total


def _worse(values: Floats) -> float:
    """One deviation below the worst that is there, as `standardise` counts what is missing."""
    standard = standardise(values)
    return float(standard.min(where=values > -1, initial=standard.max()) - 1)


def _by_turn(corpus: Corpus, index: TokenIndex, asked: TokenVectors, turns: Ints) -> Floats:
    """For each token asked for (rows), its similarity to the most similar token of each turn (columns), whose parts count as one."""
    rows, places = corpus.links["turn"].standing_for(turns)
    found = np.full((len(turns), len(asked)), -1.0, dtype=np.float32)
    np.maximum.at(found, places, index.best(asked, rows).T)
    return found.T


def _in_windows(corpus: Corpus, similar: Floats, turns: Ints) -> Floats:
    """The best in each window, as far as its turns are looked at."""
    found = similar.copy()
    for distance in _WINDOW:
        beside = np.searchsorted(turns, turns + distance).clip(max=len(turns) - 1)
        near = (turns[beside] == turns + distance) & (corpus.turn_session[turns[beside]] == corpus.turn_session[turns])
        found[:, near] = np.maximum(found[:, near], similar[:, beside[near]])
    return found
