"""How much of a question's gold evidence is in what was shown."""

from collections.abc import Collection, Sequence


def turn_recall(gold: Collection[str], shown: Collection[str]) -> float:
    """The share of the gold turns that are shown; a turn is shown whole or not at all."""
    wanted = set(gold)
    return len(wanted & set(shown)) / len(wanted)


def session_recall(gold: Collection[str], ranked: Sequence[str], k: int) -> float:
    """Of the gold sessions that k places have room for, the share that the first k hold."""
    wanted = set(gold)
    return len(wanted & set(ranked[:k])) / min(k, len(wanted))


def shown_share(shown: float, whole: float) -> float:
    """What part of a history a system was allowed to show: k of its sessions, or a budget of its tokens."""
    return min(1.0, shown / whole) if whole else 1.0
