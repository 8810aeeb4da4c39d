"""Made-up histories of any size for measuring speed; their words mean nothing, their lengths and frequencies are those of talk."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from random import Random

from langrecall.records import Session, Turn

_SPEAKERS = ("Ilse", "Marek")
TURNS_PER_SESSION = 20

_ONSETS = ("b", "br", "d", "f", "g", "gl", "k", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "tr", "v", "w", "z")
_CODAS = ("ck", "l", "lm", "n", "nd", "r", "rn", "sh", "st", "t")
_LITTLE = (
    "I",
    "the",
    "and",
    "to",
    "a",
    "my",
    "was",
    "we",
    "it",
    "of",
    "in",
    "had",
    "so",
    "that",
    "with",
    "for",
    "really",
)
_TIMES = ("yesterday", "last Friday", "two weeks ago", "in March", "this weekend", "last month")
_FIRST_DAY = datetime(2023, 1, 2, 18, 30, tzinfo=UTC)
_WORDS = tuple("".join(parts) for parts in product(_ONSETS, ("a", "e", "i", "o", "u"), _CODAS))
# Zipf's law: the word of rank r is about 1 / r as frequent as the first.
_WEIGHTS = tuple(1 / (rank + 5) for rank in range(len(_WORDS)))


def synthetic_sessions(turns: int, *, seed: int) -> Iterator[Session]:
    """Sessions of twenty turns, two days apart, `turns` in all; one seed gives one history."""
    random = Random(seed)
    for number, start in enumerate(range(0, turns, TURNS_PER_SESSION)):
        yield _session(number, min(TURNS_PER_SESSION, turns - start), random)


def synthetic_questions(count: int, *, seed: int) -> list[str]:
    """Distinct questions about things that such histories talk of."""
    random = Random(seed)
    questions: dict[str, None] = {}
    while len(questions) < count:
        about = " ".join(random.choices(_WORDS, _WEIGHTS, k=3))
        questions[f"When did {random.choice(_SPEAKERS)} first talk about the {about}?"] = None
    return list(questions)


def _session(number: int, turns: int, random: Random) -> Session:
    name, time = f"session_{number + 1}", _FIRST_DAY + timedelta(days=2 * number)
    said = [
        Turn(session_id=name, index=at, speaker=_SPEAKERS[at % 2], role="speaker", text=_text(random), time=time)
        for at in range(turns)
    ]
    return Session(session_id=name, time=time, turns=tuple(said))


def _text(random: Random) -> str:
    """One to three sentences, about 120 characters; every fourth says when."""
    return " ".join(_sentence(random) for _ in range(random.randint(1, 3)))


def _sentence(random: Random) -> str:
    content = random.choices(_WORDS, _WEIGHTS, k=random.randint(3, 8))
    little = random.choices(_LITTLE, k=len(content))
    words = [word for pair in zip(little, content, strict=True) for word in pair]
    when = [random.choice(_TIMES)] if random.random() < 0.25 else []
    return " ".join([*words, *when]).capitalize() + "."
