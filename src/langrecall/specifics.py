"""What of a line can be checked word by word: its numbers, its dates and its proper names."""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from langrecall.intervals import MONTHS, Interval
from langrecall.tense import clause_tense

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
_WORD_AFTER = re.compile(r"\s+([^\W\d_]+)")

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH = rf"(?:{'|'.join(MONTHS)}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_DAYS = r"(?P<day{0}>\d{{1,2}})(?:st|nd|rd|th)?(?:\s?[-\u2013]\s?(?P<last{0}>\d{{1,2}})(?:st|nd|rd|th)?)?"
_YEAR = r"(?:19|20)\d\d"
_DATE = re.compile(
    rf"\b(?:(?P<year1>{_YEAR})-(?P<number>\d\d?)-(?P<day1>\d\d?)"
    rf"|{_DAYS.format(2)}\s+(?:of\s+)?(?P<month2>{_MONTH})(?:,?\s+(?P<year2>{_YEAR}))?"
    rf"|(?P<month3>{_MONTH})\s+{_DAYS.format(3)}(?:,?\s+(?P<year3>{_YEAR}))?"
    rf"|(?P<month4>{_MONTH})(?:,?\s+(?:of\s+)?(?P<year4>{_YEAR}))?"
    rf"|(?P<year5>{_YEAR})|(?P<weekday>{'|'.join(_WEEKDAYS)}))(?!\w)",
    re.IGNORECASE,
)

_TOKEN = re.compile(r"(?<!\w)[^\W\d_]\w*(?:['\u2019]\w+)*")
_NEW_SENTENCE = re.compile(r"(?:^|[.!?:;\n\u2022\u2013\u2014]|\s-)[\s\"'\u201c\u2018(\[*#-]*")
_SUFFIX = re.compile(r"['\u2019](?:s|m|re|ve|ll|d)?$", re.IGNORECASE)
_NEVER_NAMES = {"i", "am", "pm", "ok", "okay"}
_ORDINARY = {
    *("a", "an", "the", "this", "that", "these", "those", "there", "here", "such", "some", "any", "all", "both"),
    *("each", "every", "many", "most", "much", "few", "several", "other", "another", "no", "not", "none", "one"),
    *("it", "its", "he", "she", "they", "we", "you", "his", "her", "hers", "him", "their", "them", "our", "your"),
    *("my", "me", "us", "who", "what", "when", "where", "which", "why", "how", "while", "and", "but", "or", "nor"),
    *("so", "yet", "if", "then", "than", "though", "although", "because", "since", "until", "as", "at", "by", "for"),
    *("from", "in", "into", "of", "off", "on", "onto", "out", "over", "to", "under", "up", "with", "without"),
    *("within", "about", "above", "across", "after", "against", "along", "among", "around", "before", "behind"),
    *("below", "beside", "between", "during", "despite", "like", "near", "through", "throughout", "is", "are", "was"),
    *("were", "be", "been", "being", "do", "does", "did", "has", "have", "had", "can", "could", "may", "might"),
    *("must", "shall", "should", "will", "would", "let", "now", "later", "earlier", "soon", "today", "tonight"),
    *("yesterday", "tomorrow", "recently", "currently", "previously", "finally", "also", "still", "just", "only"),
    *("even", "again", "once", "last", "next", "never", "always", "often", "sometimes", "usually", "maybe"),
    *("perhaps", "yes", "well", "please", "thanks", "hi", "hey", "people", "someone", "everyone", "friends"),
    *("family", "user", "assistant", "speaker", "person", "nothing", "something"),
}
"""Words that may open a sentence without being a name. Kept small: a name taken for a word would let a false claim pass."""
_NOT_COUNTED = _ORDINARY | {
    *("day", "morning", "afternoon", "evening", "night", "time", "thing", "way", "point", "side", "hand"),
    *("more", "else", "too"),
}
"""What follows `one` where it counts nothing: `one day`, `one of`, `one more`."""
NAMES_AND_WORDS = {"will", "may"}
"""Ordinary words that are names as well."""
_SAID_OF_SOMEBODY = {"and", "is", "has", "does", "says", "will", "would", "can", "could", "should"}


class Number(NamedTuple):
    """A number of a line; `two` and `2` have one value, `second` is the ordinal of it."""

    text: str
    value: Decimal
    ordinal: bool


class PartialDate(NamedTuple):
    """A date of a line as far as it is given: `May`, `7 May`, `May 2023`, `Friday`."""

    start: int
    end: int
    text: str
    year: int | None = None
    month: int | None = None
    days: tuple[int, int] | None = None
    weekday: int | None = None

    def holds(self, when: Interval) -> bool:
        """Whether all of an interval is what the date says, as `May 2023` says of 7 May 2023."""
        first, last = when.first, when.last
        return (
            self.year in (None, first.year)
            and self.year in (None, last.year)
            and (self.month is None or (first.year == last.year and first.month == last.month == self.month))
            and (self.days is None or self.days[0] <= first.day <= last.day <= self.days[1])
            and (self.weekday is None or (first == last and first.weekday() == self.weekday))
        )

    def is_part_of(self, fuller: "PartialDate") -> bool:
        """Whether `fuller` says all that this date says."""
        return all(mine in (None, theirs) for mine, theirs in zip(self[3:], fuller[3:], strict=True))


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


def partial_dates(text: str) -> Iterator[PartialDate]:
    """The dates of a text. `may` and `march` are taken for months where a year is with them or a capital, though not the sentence's."""
    starts = _sentence_starts(text)
    for found in _DATE.finditer(text):
        parts = {name.rstrip("12345"): value for name, value in found.groupdict().items() if value}
        month = parts.get("month", "")
        alone = parts.keys() == {"month"}
        verb = month in ("may", "march") or (alone and month in ("May", "March") and found.start() in starts)
        if "year" in parts or not (verb or (alone and month.islower())):
            yield PartialDate(found.start(), found.end(), found[0], *_fields(parts))


def names(text: str) -> list[str]:
    """Runs of capitalised words, without a possessive ending; a sentence's first word only if it is no ordinary one.

    Scripts without capitals have no names that could be told so.
    """
    runs: list[tuple[int, list[str]]] = []
    for found in _capitalised(text):
        word = _SUFFIX.sub("", found[0])
        if runs and text[runs[-1][0] : found.start()].strip(" -&") == "" and runs[-1][0] < found.start():
            runs[-1][1].append(word)
            runs[-1] = (found.end(), runs[-1][1])
        else:
            runs.append((found.end(), [word]))
    return [" ".join(words) for _, words in runs]


def words(text: str) -> list[str]:
    """The words of a text in lower case, without a possessive ending."""
    straight = text.replace("\u2019", "'")
    return [_SUFFIX.sub("", found[0]).casefold() for found in re.finditer(r"\w+(?:'\w+)*", straight)]


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
    following = _WORD_AFTER.match(text, one.end())
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


def _fields(parts: dict[str, str]) -> tuple[int | None, int | None, tuple[int, int] | None, int | None]:
    year = int(parts["year"]) if "year" in parts else None
    month = int(parts["number"]) if "number" in parts else None
    if "month" in parts:
        month = next(number for number, name in enumerate(MONTHS, 1) if name[:3].lower() == parts["month"][:3].lower())
    first = int(parts["day"]) if "day" in parts else None
    days = (first, int(parts.get("last", first))) if first is not None else None
    return year, month, days, _WEEKDAYS.index(parts["weekday"].lower()) if "weekday" in parts else None


def _capitalised(text: str) -> Iterator[re.Match[str]]:
    found = [
        one
        for one in _TOKEN.finditer(text)
        if one[0] != one[0].lower() and _SUFFIX.sub("", one[0]).lower() not in _NEVER_NAMES
    ]
    starts = _sentence_starts(text)
    inside = {one[0].lower() for one in found if one.start() not in starts}
    for one in found:
        word = _SUFFIX.sub("", one[0].lower())
        ordinary = word in _ORDINARY or word.endswith(("n't", "n\u2019t"))
        opens = one.start() in starts and one[0].lower() not in inside
        if not (ordinary and opens) or _is_somebody(word, text, one):
            yield one


def _is_somebody(word: str, text: str, found: re.Match[str]) -> bool:
    """Whether a `Will` or `May` owns something or does what no question could go on with: `Will's dog`, `May adopted`."""
    if word not in NAMES_AND_WORDS:
        return False
    following = _WORD_AFTER.match(text, found.end())
    does = following[1] if following else ""
    if word == "may" and does in ("is", "was"):  # which can be said of the month
        return False
    return found[0].lower() != word or does in _SAID_OF_SOMEBODY or clause_tense(does, 0, len(does)) == "past"


def _sentence_starts(text: str) -> set[int]:
    return {opening.end() for opening in _NEW_SENTENCE.finditer(text)}
