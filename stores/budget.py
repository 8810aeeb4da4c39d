"""Choose the turns that are shown when a token budget, and not a number, limits them."""

from langrecall.rendering import header_tokens, turn_tokens
from langrecall.stores.corpus import Corpus, Ints


def within_budget(corpus: Corpus, order: Ints, tokens: int) -> list[int]:
    """The best turns, in `order`, that can be shown within `tokens`, one header a session counted; what does not fit is passed over."""
    chosen: list[int] = []
    opened: set[str] = set()
    left = tokens
    for position in order.tolist():
        if left <= LEAST_TURN:
            break
        turn = corpus.turns[position]
        heading = 0 if turn.session_id in opened else header_tokens(turn.session_id, turn.time)
        cost = turn_tokens(turn) + heading
        if cost <= left:
            chosen.append(position)
            opened.add(turn.session_id)
            left -= cost
    return chosen


LEAST_TURN = 8
"""No turn costs less: six tokens on top of at least one word and its speaker."""
