"""The numbers that a text states, in digits, signs or words, by their values."""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from langrecall.language.ordinary_words import ORDINARY_WORDS

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_CARDINALS = {word: value for value, word in enumerate(_SMALL)} | {
    word: 10 * tens for tens, word in enumerate(_TENS, 2)
}
_POWERS = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_SCALES = {"dozen": 12} | {word: 10**power for word, power in _POWERS.items()}
_ORDINALS = (
    {f"{word}th": value for word, value in _CARDINALS.items()}
    | {f"{word[:-1]}ieth": 10 * tens for tens, word in enumerate(_TENS, 2)}
    | {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}
)
_TIMES = {"twice": 2, "thrice": 3}
_ENDINGS = {"k": 3, "m": 6, "mn": 6, "bn": 9, "tn": 12} | _POWERS
_VULGAR = "\u00bc-\u00be\u2150-\u215e\u2189"
# Super- and subscripts, and numbers in circles.
_SIGNS = f"{_VULGAR}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u249b\u24ea-\u24ff\u2776-\u2793"
_HAN_DIGITS = {sign: str(value % 10) for value, sign in enumerate("零一二三四五六七八九〇")} | {"两": "2", "兩": "2"}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "萬": 10_000, "亿": 10**8, "億": 10**8}
_HAN = "".join([*_HAN_DIGITS, *_HAN_SCALES])
# What Chinese and Japanese count beings, things, times, years of age and money with; dates apart.
_COUNTERS = "只隻个個名位口条匹头頭本张張台辆輛件双雙杯瓶家所座次天岁歲歳块塊元円人册冊枚つ"
_SCALE_WORD = "|".join(_SCALES)
_NUMBER_WORD = "|".join(sorted([*_CARDINALS, *_SCALES, *_ORDINALS, *_TIMES], key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?P<currency>[$€£])?(?P<digits>\d+(?:,\d{{3}})*(?:\.\d+)?)(?P<part>[{_VULGAR}]?)"
    rf"(?:(?P<ending>st|nd|rd|th|(?:k|m|mn|bn|tn)\b)|[\s-]?(?P<scale>{_SCALE_WORD})\b)?"
    rf"|(?<![^\W_])(?P<sign>[{_SIGNS}])"
    rf"|\bhalf\s+(?:an?\s+)?(?P<halved>{_SCALE_WORD})\b"
    rf"|\b(?P<words>(?:{_NUMBER_WORD})(?:(?:(?<=hundred)\s+and\s+|(?<=thousand)\s+and\s+|[\s-]+)(?:{_NUMBER_WORD}))*)\b"
    rf"|(?P<nth>第)?(?P<han>(?!一[{_COUNTERS}])[{_HAN}]{{1,16}})(?=[{_COUNTERS}])",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"(?:\b(?:the|this|that|no|any|every|each|some|which|what|other|another|last|next|first)\s+|-)\Z", re.IGNORECASE
)
WORD_AFTER = re.compile(r"\s+([^\W\d_]+)")

_NOT_COUNTED = ORDINARY_WORDS | {
    *("day", "morning", "afternoon", "evening", "night", "time", "thing", "way", "point", "side", "hand"),
    *("more", "else", "too"),
}
"""What follows `one` where it counts nothing: `one day`, `one of`, `one more`."""


class Number(NamedTuple):
    """A number of a line; `two` and `2` have one value, `second` is the ordinal of it."""

    text: str
    value: Decimal
    ordinal: bool


def numbers(text: str) -> Iterator[Number]:
    """The numbers of a text in digits, signs or words; `one` only where it counts things: it is mostly a pronoun."""
    for found in _NUMBER.finditer(text):
        if found["digits"]:
            yield _in_digits(found)
        elif sign := found["sign"]:
            yield Number(sign, _of_sign(sign), ordinal=False)
        elif found["halved"]:
            yield Number(found[0], Decimal(_SCALES.get(found["halved"].lower(), 1)) / 2, ordinal=False)
        elif found["han"]:
            yield Number(found[0], _of_han(found["han"]), ordinal=bool(found["nth"]))
        elif found[0].lower() != "one" or _counts(text, found):
            yield _spelled(found[0])


def _in_digits(found: re.Match[str]) -> Number:
    digits, ending = found["digits"].replace(",", ""), (found["ending"] or found["scale"] or "").lower()
    power = 0 if found["ending"] == "m" and not found["currency"] else _ENDINGS.get(ending, 0)
    value = Decimal(f"{digits}E{power}")  # a product would be rounded
    if ending == "dozen":
        value *= _SCALES[ending]
    if found["part"]:
        value += _of_sign(found["part"])
    return Number(found[0].lstrip("$\u20ac\u00a3"), value, ordinal=ending in ("st", "nd", "rd", "th"))


def _of_sign(sign: str) -> Decimal:
    return Decimal(str(unicodedata.numeric(sign)))


def _of_han(text: str) -> Decimal:
    if _HAN_SCALES.keys().isdisjoint(text):
        return Decimal("".join(_HAN_DIGITS[sign] for sign in text))
    total = section = digit = 0
    for sign in text:
        scale = _HAN_SCALES.get(sign, 0)
        if scale >= 10_000:
            total, section, digit = (total + section + digit) * scale, 0, 0
        elif scale:
            section, digit = section + max(digit, 1) * scale, 0
        else:
            digit = int(_HAN_DIGITS[sign])
    return Decimal(total + section + digit)


def _counts(text: str, one: re.Match[str]) -> bool:
    """Whether a lone `one` stands before a thing, and is no pronoun as in `the one`, `one of` or `one is`."""
    following = WORD_AFTER.match(text, one.end())
    pointed_at = _POINTING.search(text[max(0, one.start() - 12) : one.start()])
    return following is not None and following[1].lower() not in _NOT_COUNTED and pointed_at is None


def _spelled(text: str) -> Number:
    parts = [part for part in re.split(r"[\s-]+", text.lower()) if part != "and"]
    total = current = 0
    for part in parts:
        if part in _SCALES:
            current = max(current, 1) * _SCALES[part]
            total, current = (total, current) if part in ("dozen", "hundred") else (total + current, 0)
        else:
            current += _CARDINALS.get(part) or _ORDINALS.get(part) or _TIMES.get(part, 0)
    return Number(text, Decimal(total + current), ordinal=parts[-1] in _ORDINALS)
