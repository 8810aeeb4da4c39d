r"""English time expressions: a table of patterns, each with its reading, tried from the top at every word of a text.

In a pattern a blank stands for any white space and `'` for either apostrophe. Case is ignored, but for words that are common
in lower case (may, march, sun, sat). A pattern without a reading keeps those below it from what only looks like a time.
"""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from langrecall.grounding import dates, relative
from langrecall.grounding.mentions import COUNTS, SHIFTS, Reading


class Expression(NamedTuple):
    """A pattern and how it is read; without a reading it stays unresolved."""

    pattern: str
    reading: Reading | None = None


def _any(words: Iterable[str]) -> str:
    """Alternatives, the longest first, so that `christmas eve` is not cut to `christmas`."""
    return "|".join(sorted(words, key=len, reverse=True))


_CLEAR_MONTH = (
    r"january|february|april|june|july|august|september|october|november|december"
    r"|(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
)
_MONTH = rf"(?:{_CLEAR_MONTH}|(?-i:March|May|Mar\b\.?))"
_ANY_MONTH = rf"(?:{_CLEAR_MONTH}|march|may)"
_SEASON = r"(?:spring|summer|fall|autumn|winter)"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SHORT_WEEKDAY = rf"(?:{_WEEKDAY}|tues?|thu(?:rs?)?|fri|(?-i:Mon|Wed|Sat|Sun))"
_HOURS = r"(?: (?:morning|afternoon|evening|night))?"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_NTH_DAY = rf"{_DAY}(?:st|nd|rd|th)"

_COUNT = rf"(?P<count>(?<!\d[.,:/])(?<![$€£])\d{{1,3}}|{_any(COUNTS)})"
_UNIT = r"(?P<unit>days?|nights?|weekends?|weeks?|months?|years?|yrs?|wks?)"
_SHIFT = rf"(?P<shift>{_any(SHIFTS.keys() - {'the past'})})"
_YEAR = r"(?P<year>(?:19|20)\d\d)"


def _date(month: str, day: str) -> str:
    """`May 5-7, 2021`, `the 5th of May`."""
    return (
        rf"(?:(?P<month>{month}) (?P<day>{day})(?:\s?[-\u2013]\s?(?P<to>{_DAY})(?:st|nd|rd|th)?)?"
        rf"|(?P<day2>{day}) (?:of )?(?P<month2>{month}))"
        rf"(?:,?\s?{_YEAR})?(?![-/\d]|,\d)"
    )


_DATE = _date(_MONTH, rf"(?:{_NTH_DAY}|{_DAY})")
_HOLIDAY = rf"(?P<holiday>{_any(dates.HOLIDAYS)})"
_ORNAMENT = (
    r"(?!'s| (?:tree|present|gift|card|carol|song|movie|film|music|magic|decoration|light|cookie|dinner|party|partie|market|spirit"
    r"|break|costume|candy|tradition|season|shopping|sweater|wish|stocking|story|storie|special)(?:s|es)?\b)"
)
_SENTENCE_GOES_ON = (
    r"(?=[.,!?;:)]|$"
    r"| (?:after|at|with|and|for|but|when|we|i|so|because|to|from|in|it|this|next|last|my|if|as|then|until|is|was)\b)"
)
_MEASURE = r"(?:words|people|dollars|bucks|euros|pounds|meters|metres|miles|feet|steps|calories|pieces|points|hours|minutes|days)\b"

_LOOKALIKES = (
    rf"(?:every|each|most|any|all|these|those|that|some|another|one|other|alternate|an?) {_WEEKDAY}(?:,? (?:and|or) {_WEEKDAY})*",
    rf"(?:black|good|ash|cyber|casual|ruby|freaky) {_WEEKDAY}",
    rf"{_WEEKDAY} (?:(?:to|through|thru|or) {_WEEKDAY}|school|roast|night (?:live|fever|lights))",
    rf"{_COUNT}(?:\s?[-\u2013]\s?| or | to ){_COUNT} {_UNIT} (?:ago|back|from now)",
    rf"(?:over|more than|at least|less than|under|nearly|almost|close to|up to|half) {_COUNT} {_UNIT} (?:ago|back|now)",
    rf"(?:the|one|that|my|your|his|her|its|our|their) (?:very )?(?:last|next|first|previous|following)"
    rf" (?:day|week|weekend|month|year|{_SEASON}|{_WEEKDAY}|{_ANY_MONTH})",
    r"(?:the|this) past (?:month|year)|the past week",
    rf"(?:first time|once) in {_COUNT} {_UNIT}",
    r"(?:like|born) (?:it was )?(?:just |only )?yesterday",
    rf"(?:last|first) (?:day|week|weekend|month|{_WEEKDAY}) of",
    rf"{_SHIFT} {_SEASON} (?:rolls?|water|onions?|mattress)",
    r"in today's|today's (?:world|society|age|youth|generation|market|economy)",
    r"(?<=[a-z]\s)(?-i:Yesterday|Today|Tomorrow|Tonight)",
)
_DATES: dict[str, Reading | None] = {
    r"(?:september|sept?\.?) 11(?:th)? (?:terrorist )?attacks": None,
    rf"{_YEAR}[-/.](?P<one>\d\d?)[-/.](?P<other>\d\d?)(?![-/\d]|\.\d)": dates.numeric,
    rf"(?P<one>\d\d?)[-/.](?P<other>\d\d?)[-/.]{_YEAR}(?![-/\d]|\.\d)": dates.numeric,
    rf"(?:the )?(?P<unit>week|weekend) of (?:the )?{_DATE}": dates.unit_of_date,
    rf"(?:the )?(?P<nth>{_any(dates.NTH)}) (?P<unit>week|weekend) (?:of|in) (?P<month>{_MONTH})(?:,? {_YEAR})?": dates.nth_in_month,
    _date(_ANY_MONTH, _NTH_DAY): dates.dated,
    _DATE: dates.dated,
    rf"the (?P<day>{_NTH_DAY}) of {_SHIFT} month": relative.nth_of_shifted_month,
    rf"(?P<month>{_ANY_MONTH}),? (?:of )?{_YEAR}(?![-/\d]|,\d)": dates.month_of_year,
    rf"(?P<season>{_SEASON}),? (?:of )?{_YEAR}": dates.season_of_year,
    rf"(?:back in|in|since|during|until|till|by) (?:the year )?{_YEAR}(?![-/%\d]|[,.]\d| {_MEASURE})": dates.year_named,
}
_COUNTED: dict[str, Reading] = {
    rf"{_COUNT} weeks? ago today": relative.weeks_ago_today,
    rf"{_COUNT} weeks? ago,? (?:on )?(?P<weekday>{_WEEKDAY})": relative.weekday_of_week,
    rf"{_COUNT} {_UNIT} (?:ago|back(?! (?:to|from|in|at|home|and|on)\b))": partial(relative.counted, sign=-1),
    rf"{_COUNT} {_UNIT} from (?:now|today)": partial(relative.counted, sign=1),
    rf"in {_COUNT} {_UNIT}(?:' time)?": relative.counted_ahead,
    rf"(?P<count>\d{{1,2}}|{_any(COUNTS)}) (?P<weekday>{_WEEKDAY})s? ago": relative.weekdays_ago,
    rf"(?:the )?(?P<weekday>{_WEEKDAY}) before last": relative.weekdays_ago,
    rf"(?:the )?{_UNIT} before last": partial(relative.twice, sign=-1),
    rf"(?:the )?{_UNIT} after next": partial(relative.twice, sign=1),
    rf"(?:for )?{_COUNT} {_UNIT} (?P<now>now)": relative.lasting,
    rf"for (?:about |around |roughly )?{_COUNT} {_UNIT}(?: (?P<now>now))?": relative.lasting,
}
_SHIFTED: dict[str, Reading] = {
    rf"(?P<day_word>{_any(relative.DAYS)}){_HOURS}": relative.named_day,
    r"(?:this|the same|same) time (?P<shift>last|next) year": relative.this_time,
    rf"(?:on )?(?P<weekday>{_WEEKDAY}) (?:of )?(?P<shift>last|this|next) week": relative.weekday_of_week,
    rf"(?P<shift>last|this|next) week,? (?:on )?(?P<weekday>{_WEEKDAY})": relative.weekday_of_week,
    rf"{_SHIFT} (?P<unit>week|month|year)": relative.shifted_unit,
    rf"(?P<shift>{_any(SHIFTS)}) (?P<unit>weekend)": relative.shifted_weekend,
    rf"{_SHIFT} (?P<weekday>{_SHORT_WEEKDAY}){_HOURS}": relative.shifted_weekday,
    rf"{_SHIFT} (?P<season>{_SEASON})": dates.season_named,
    rf"{_SHIFT} (?P<month>{_MONTH})(?!'s)": dates.month_named,
    r"(?P<shift>last|next) (?P<month>march|may)(?!'s)": dates.month_named,
    rf"{_SHIFT} {_HOLIDAY}": dates.holiday,
}
_TENSED: dict[str, Reading] = {
    r"(?:over|on|at|during) the weekend": relative.the_weekend,
    r"(?:end|rest) of the (?P<unit>week|month|year)": relative.unit_end,
    rf"on the (?P<day>{_NTH_DAY}){_SENTENCE_GOES_ON}": dates.nth_of_month,
    rf"(?P<since>since) (?P<weekday>{_SHORT_WEEKDAY}){_HOURS}": relative.weekday_by_tense,
    rf"on (?P<weekday>{_SHORT_WEEKDAY}){_HOURS}": relative.weekday_by_tense,
    rf"(?P<weekday>{_WEEKDAY}){_HOURS}(?=[.,!?;)]|$| (?:i|we|he|she|they|was|were|is|will|works)\b)": relative.weekday_by_tense,
    rf"(?P<since>since) (?P<month>{_MONTH})(?! \d|'s)": dates.month_named,
    rf"(?:back in|in|during|until|till|by|throughout|(?:beginning|start|middle|end|rest) of) (?:early |mid-?|late )?(?P<month>{_MONTH})"
    r"(?! \d|'s)": dates.month_named,
    rf"(?:on|at|for|since|by|around|during|over|before|after|until) (?:the )?{_HOLIDAY}{_ORNAMENT}": dates.holiday,
}
EXPRESSIONS = (
    *(Expression(*row) for row in _DATES.items()),
    *map(Expression, _LOOKALIKES),
    *(Expression(*row) for part in (_COUNTED, _SHIFTED, _TENSED) for row in part.items()),
)

_FIRST_WORDS = (
    *("the", "this", "that", "these", "those", "same", "one", "last", "next", "first", "second", "third", "fourth"),
    *("other", "another", "in", "on", "at", "for", "since", "by", "until", "till", "back", "over", "during", "after"),
    *("before", "around", "throughout", "beginning", "start", "middle", "end", "rest", "day", "night", "week"),
    *("weekend", "month", "year", "more", "less", "under", "nearly", "almost", "close", "up", "half", "every"),
    *("each", "most", "any", "all", "some", "alternate", "very", "black", "good", "ash", "cyber", "casual", "ruby"),
    *("freaky", "my", "your", "his", "her", "its", "our", "their", "yesterday", "today", "tonight", "tomorrow"),
    *("like", "born", "once"),
)
OPENING = rf"(?=\d|(?:{_any([*_FIRST_WORDS, *COUNTS])}|{_WEEKDAY}|{_ANY_MONTH}|{_SEASON})\b)"
"""What every pattern begins with: no other word of a text need be tried."""

SIGNS = (
    *"0123456789",
    *("day", "night", "week", "month", "year", "yr", "wk", "morning", "afternoon", "evening", "tomorrow", "jan"),
    *("feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "fourth", "christmas"),
    *("halloween", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "spring", "summer", "fall", "autumn", "winter"),
)
"""One of these is part of every expression: a text without any, as most are, need not be searched."""
