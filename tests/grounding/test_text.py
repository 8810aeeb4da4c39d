"""Expressions are read as people mean them, ordinary words are left alone, and a raw text is never changed."""

import re
import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langrecall.grounding import expressions
from langrecall.grounding.text import Grounded, annotate, ground, strip, time_cues
from langrecall.records import TimeCue, Turn

WEDNESDAY = datetime(2023, 5, 10, 13, 56)
SATURDAY = datetime(2023, 7, 15, 13, 51)
SUNDAY = datetime(2023, 7, 23, 18, 46)
MONDAY = datetime(2023, 7, 17, 14, 31)
FRIDAY = datetime(2024, 1, 5, 9, 0)
DECEMBER = datetime(2023, 12, 26, 15, 35)

# The sentence, the expression in it, the first and last day it means, and the unit.
ON_A_WEDNESDAY = [
    ("I went to a support group yesterday and it was powerful.", "yesterday", "2023-05-09", "2023-05-09", "day"),
    ("Yesterday I took the kids to the museum.", "Yesterday", "2023-05-09", "2023-05-09", "day"),
    ("Yesterday's concert was loud.", "Yesterday's", "2023-05-09", "2023-05-09", "day"),
    ("I saw her the day before yesterday.", "the day before yesterday", "2023-05-08", "2023-05-08", "day"),
    ("We leave the day after tomorrow.", "the day after tomorrow", "2023-05-12", "2023-05-12", "day"),
    ("The opening is tomorrow!", "tomorrow", "2023-05-11", "2023-05-11", "day"),
    ("See you tomorrow night.", "tomorrow night", "2023-05-11", "2023-05-11", "day"),
    ("I signed the lease today.", "today", "2023-05-10", "2023-05-10", "day"),
    ("Are you free tonight?", "tonight", "2023-05-10", "2023-05-10", "day"),
    ("I ran ten miles this morning.", "this morning", "2023-05-10", "2023-05-10", "day"),
    ("He called this afternoon.", "this afternoon", "2023-05-10", "2023-05-10", "day"),
    ("Dinner is at my place this evening.", "this evening", "2023-05-10", "2023-05-10", "day"),
    ("Last night was amazing!", "Last night", "2023-05-09", "2023-05-09", "day"),
    ("We talked last evening.", "last evening", "2023-05-09", "2023-05-09", "day"),
    ("It rained the night before last.", "the night before last", "2023-05-08", "2023-05-08", "day"),
    ("I bought it two days ago.", "two days ago", "2023-05-08", "2023-05-08", "day"),
    ("I bought it 3 days ago.", "3 days ago", "2023-05-07", "2023-05-07", "day"),
    ("A day ago I would have said no.", "A day ago", "2023-05-09", "2023-05-09", "day"),
    ("We met two nights ago.", "two nights ago", "2023-05-08", "2023-05-08", "day"),
    ("I got 12 packets about 10 days ago.", "10 days ago", "2023-04-30", "2023-04-30", "day"),
    ("A couple of days ago I fell.", "A couple of days ago", "2023-05-07", "2023-05-08", "day"),
    ("We spoke a few days ago.", "a few days ago", "2023-05-05", "2023-05-08", "day"),
    ("I started a week ago.", "a week ago", "2023-05-01", "2023-05-07", "week"),
    ("I got a puppy two weeks ago!", "two weeks ago", "2023-04-24", "2023-04-30", "week"),
    ("It was 6 weeks ago.", "6 weeks ago", "2023-03-27", "2023-04-02", "week"),
    ("They left three weeks back.", "three weeks back", "2023-04-17", "2023-04-23", "week"),
    ("We moved a couple weeks ago.", "a couple weeks ago", "2023-04-17", "2023-04-30", "week"),
    ("We went camping a few weeks ago.", "a few weeks ago", "2023-04-03", "2023-04-30", "week"),
    ("We married a week ago today.", "a week ago today", "2023-05-03", "2023-05-03", "day"),
    ("We married two weeks ago on Friday.", "two weeks ago on Friday", "2023-04-28", "2023-04-28", "day"),
    ("The store opened a month ago.", "a month ago", "2023-04-01", "2023-04-30", "month"),
    ("The store opened about two months ago.", "two months ago", "2023-03-01", "2023-03-31", "month"),
    ("It closed 8 months ago.", "8 months ago", "2022-09-01", "2022-09-30", "month"),
    ("I saw them a few months ago.", "a few months ago", "2022-12-01", "2023-03-31", "month"),
    ("We started a year ago.", "a year ago", "2022-01-01", "2022-12-31", "year"),
    ("I first watched it around 3 years ago.", "3 years ago", "2020-01-01", "2020-12-31", "year"),
    ("A friend made it ten years ago.", "ten years ago", "2013-01-01", "2013-12-31", "year"),
    ("I learnt it twenty years ago.", "twenty years ago", "2003-01-01", "2003-12-31", "year"),
    ("Got the tattoo a few years ago.", "a few years ago", "2018-01-01", "2021-12-31", "years"),
    ("We split a couple of years ago.", "a couple of years ago", "2020-01-01", "2021-12-31", "years"),
    ("It was several years ago.", "several years ago", "2016-01-01", "2020-12-31", "years"),
    ("We went camping two weekends ago.", "two weekends ago", "2023-04-29", "2023-04-30", "weekend"),
    ("I danced two Fridays ago.", "two Fridays ago", "2023-04-28", "2023-04-28", "day"),
    ("He came three Sundays ago.", "three Sundays ago", "2023-04-23", "2023-04-23", "day"),
    ("It broke the week before last.", "the week before last", "2023-04-24", "2023-04-30", "week"),
    ("She sang the weekend before last.", "the weekend before last", "2023-04-29", "2023-04-30", "weekend"),
    ("She sang the Friday before last.", "the Friday before last", "2023-04-28", "2023-04-28", "day"),
    ("We sold it the month before last.", "the month before last", "2023-03-01", "2023-03-31", "month"),
    ("We sold it the year before last.", "the year before last", "2021-01-01", "2021-12-31", "year"),
    ("They arrive the week after next.", "the week after next", "2023-05-22", "2023-05-28", "week"),
    ("I won a tournament last week.", "last week", "2023-05-01", "2023-05-07", "week"),
    ("Guess what I did this week?", "this week", "2023-05-08", "2023-05-14", "week"),
    ("I moved in earlier this week.", "this week", "2023-05-08", "2023-05-14", "week"),
    ("There is a fundraiser next week.", "next week", "2023-05-15", "2023-05-21", "week"),
    ("I start this coming week.", "this coming week", "2023-05-15", "2023-05-21", "week"),
    ("This past week I read a lot.", "This past week", "2023-05-03", "2023-05-09", "week"),
    ("I missed it on Tuesday last week.", "on Tuesday last week", "2023-05-02", "2023-05-02", "day"),
    ("I missed it last week on Tuesday.", "last week on Tuesday", "2023-05-02", "2023-05-02", "day"),
    ("The exam is on Monday next week.", "on Monday next week", "2023-05-15", "2023-05-15", "day"),
    ("Last month I got hurt.", "Last month", "2023-04-01", "2023-04-30", "month"),
    ("It was at the end of last month.", "last month", "2023-04-01", "2023-04-30", "month"),
    ("I lost my job this month.", "this month", "2023-05-01", "2023-05-31", "month"),
    ("A tournament comes later this month.", "this month", "2023-05-01", "2023-05-31", "month"),
    ("We perform next month.", "next month", "2023-06-01", "2023-06-30", "month"),
    ("I got it on the 15th of last month.", "the 15th of last month", "2023-04-15", "2023-04-15", "day"),
    ("We need it by the end of the month.", "end of the month", "2023-05-01", "2023-05-31", "month"),
    ("This book I read last year.", "last year", "2022-01-01", "2022-12-31", "year"),
    ("We moved earlier this year.", "this year", "2023-01-01", "2023-12-31", "year"),
    ("I graduate next year.", "next year", "2024-01-01", "2024-12-31", "year"),
    ("This time last year we were broke.", "This time last year", "2022-05-01", "2022-05-31", "month"),
    ("I joined a programme last weekend.", "last weekend", "2023-05-06", "2023-05-07", "weekend"),
    ("That trip this past weekend was insane!", "this past weekend", "2023-05-06", "2023-05-07", "weekend"),
    ("I'm hiking with some buddies this weekend.", "this weekend", "2023-05-13", "2023-05-14", "weekend"),
    ("Next weekend we visit a lake.", "Next weekend", "2023-05-20", "2023-05-21", "weekend"),
    ("I slept over the weekend.", "over the weekend", "2023-05-06", "2023-05-07", "weekend"),
    ("We'll paint over the weekend.", "over the weekend", "2023-05-13", "2023-05-14", "weekend"),
    ("I finished it last Friday.", "last Friday", "2023-05-05", "2023-05-05", "day"),
    ("I joined a group last Tues.", "last Tues", "2023-05-09", "2023-05-09", "day"),
    ("Last Sat we danced.", "Last Sat", "2023-05-06", "2023-05-06", "day"),
    ("This past Sunday we ran.", "This past Sunday", "2023-05-07", "2023-05-07", "day"),
    ("Last Wednesday was calm.", "Last Wednesday", "2023-05-03", "2023-05-03", "day"),
    ("The gala is this Friday.", "this Friday", "2023-05-12", "2023-05-12", "day"),
    ("This Monday I quit; I told them so.", "This Monday", "2023-05-15", "2023-05-15", "day"),
    ("We met this Monday.", "this Monday", "2023-05-08", "2023-05-08", "day"),
    ("This coming Saturday is the day.", "This coming Saturday", "2023-05-13", "2023-05-13", "day"),
    ("Let's talk next Monday.", "next Monday", "2023-05-15", "2023-05-15", "day"),
    ("I won the tournament on Friday!", "on Friday", "2023-05-05", "2023-05-05", "day"),
    ("We're meeting on Thursday.", "on Thursday", "2023-05-11", "2023-05-11", "day"),
    ("I have an appointment on Monday.", "on Monday", "2023-05-15", "2023-05-15", "day"),
    ("I haven't slept since Sunday.", "since Sunday", "2023-05-07", "2023-05-07", "day"),
    ("Friday night we went bowling.", "Friday night", "2023-05-05", "2023-05-05", "day"),
    ("See you Saturday!", "Saturday", "2023-05-13", "2023-05-13", "day"),
    ("I met my team on the 5th after my trip.", "on the 5th", "2023-05-05", "2023-05-05", "day"),
    ("We're flying on the 3rd.", "on the 3rd", "2023-06-03", "2023-06-03", "day"),
    ("We were married on the 5th of May.", "5th of May", "2023-05-05", "2023-05-05", "day"),
    ("It happened on May 5.", "May 5", "2023-05-05", "2023-05-05", "day"),
    ("Our first date was May 5th, 2021.", "May 5th, 2021", "2021-05-05", "2021-05-05", "day"),
    ("We met on 5 May 2021.", "5 May 2021", "2021-05-05", "2021-05-05", "day"),
    ("The fair ran May 5-7, 2021.", "May 5-7, 2021", "2021-05-05", "2021-05-07", "day"),
    ("I attended a lecture on March 3rd.", "March 3rd", "2023-03-03", "2023-03-03", "day"),
    ("I met her on may 5th.", "may 5th", "2023-05-05", "2023-05-05", "day"),
    ("We'll move on June 1.", "June 1", "2023-06-01", "2023-06-01", "day"),
    ("We moved on Sept. 3, 2020.", "Sept. 3, 2020", "2020-09-03", "2020-09-03", "day"),
    ("Filed 2021-03-04.", "2021-03-04", "2021-03-04", "2021-03-04", "day"),
    ("Filed 2021/3/4.", "2021/3/4", "2021-03-04", "2021-03-04", "day"),
    ("Paid on 5/17/2021.", "5/17/2021", "2021-05-17", "2021-05-17", "day"),
    ("Paid on 17/5/2021.", "17/5/2021", "2021-05-17", "2021-05-17", "day"),
    ("I'm swamped the week of May 22.", "the week of May 22", "2023-05-22", "2023-05-28", "week"),
    ("It was the weekend of April 1.", "the weekend of April 1", "2023-04-01", "2023-04-02", "weekend"),
    ("It took place the first week of April 2022.", "the first week of April 2022", "2022-04-01", "2022-04-07", "week"),
    ("It was the last weekend of March 2022.", "the last weekend of March 2022", "2022-03-26", "2022-03-27", "weekend"),
    ("I went to Rome in March.", "in March", "2023-03-01", "2023-03-31", "month"),
    ("We're going to Rome in September.", "in September", "2023-09-01", "2023-09-30", "month"),
    ("I bought it back in October.", "back in October", "2022-10-01", "2022-10-31", "month"),
    ("I haven't had one since February.", "since February", "2023-02-01", "2023-02-28", "month"),
    ("It ended in late January.", "in late January", "2023-01-01", "2023-01-31", "month"),
    ("We closed at the end of February.", "end of February", "2023-02-01", "2023-02-28", "month"),
    ("Any plans in May?", "in May", "2023-05-01", "2023-05-31", "month"),
    ("We ski in March 2021.", "March 2021", "2021-03-01", "2021-03-31", "month"),
    ("Last March was cold.", "Last March", "2023-03-01", "2023-03-31", "month"),
    ("Last August we met.", "Last August", "2022-08-01", "2022-08-31", "month"),
    ("Last May I was ill.", "Last May", "2022-05-01", "2022-05-31", "month"),
    ("We closed last may.", "last may", "2022-05-01", "2022-05-31", "month"),
    ("I retire next March.", "next March", "2024-03-01", "2024-03-31", "month"),
    ("The move is next december.", "next december", "2023-12-01", "2023-12-31", "month"),
    ("This March I was promoted.", "This March", "2023-03-01", "2023-03-31", "month"),
    ("We camped last summer.", "last summer", "2022-06-01", "2022-08-31", "season"),
    ("Last winter I skied.", "Last winter", "2022-12-01", "2023-02-28", "season"),
    ("We'll surf this summer.", "this summer", "2023-06-01", "2023-08-31", "season"),
    ("School starts again next fall.", "next fall", "2023-09-01", "2023-11-30", "season"),
    ("We met in summer 2019.", "summer 2019", "2019-06-01", "2019-08-31", "season"),
    ("We met in the autumn of 2019.", "autumn of 2019", "2019-09-01", "2019-11-30", "season"),
    ("I moved here in 2019.", "in 2019", "2019-01-01", "2019-12-31", "year"),
    ("Back in 2008 we had no phones.", "Back in 2008", "2008-01-01", "2008-12-31", "year"),
    ("I've painted since 2016.", "since 2016", "2016-01-01", "2016-12-31", "year"),
    ("Seven years now, and I still love it.", "Seven years now", "2016-01-01", "2023-05-10", "years"),
    ("I've known them for 4 years.", "for 4 years", "2019-01-01", "2023-05-10", "years"),
    ("I've been playing for about four months now.", "for about four months now", "2023-01-01", "2023-05-10", "month"),
    ("The show will open in two weeks.", "in two weeks", "2023-05-22", "2023-05-28", "week"),
    ("I'm leaving in 3 days.", "in 3 days", "2023-05-13", "2023-05-13", "day"),
    ("It is due two weeks from now.", "two weeks from now", "2023-05-22", "2023-05-28", "week"),
    ("I proposed last Christmas.", "last Christmas", "2022-12-25", "2022-12-25", "day"),
    ("I proposed on New Year's Eve.", "on New Year's Eve", "2022-12-31", "2022-12-31", "day"),
    ("We'll meet on the Fourth of July.", "on the Fourth of July", "2023-07-04", "2023-07-04", "day"),
    ("We'll be home for Christmas.", "for Christmas", "2023-12-25", "2023-12-25", "day"),
    ("We met on Valentine\u2019s Day.", "on Valentine\u2019s Day", "2023-02-14", "2023-02-14", "day"),
]  # fmt: skip
ON_OTHER_DAYS = [
    (SATURDAY, "I went last Friday.", "last Friday", "2023-07-14", "2023-07-14", "day"),
    (SATURDAY, "We hiked last weekend.", "last weekend", "2023-07-08", "2023-07-09", "weekend"),
    (SATURDAY, "We're hiking this weekend.", "this weekend", "2023-07-15", "2023-07-16", "weekend"),
    (SATURDAY, "We start this coming weekend.", "this coming weekend", "2023-07-22", "2023-07-23", "weekend"),
    (SUNDAY, "At class last Friday I felt it.", "last Friday", "2023-07-21", "2023-07-21", "day"),
    (SUNDAY, "I ran last Sunday.", "last Sunday", "2023-07-16", "2023-07-16", "day"),
    (SUNDAY, "We ate last week.", "last week", "2023-07-10", "2023-07-16", "week"),
    (MONDAY, "We camped two weekends ago.", "two weekends ago", "2023-07-08", "2023-07-09", "weekend"),
    (MONDAY, "We went to the sea this weekend.", "this weekend", "2023-07-15", "2023-07-16", "weekend"),
    (MONDAY, "I'm resting this weekend.", "this weekend", "2023-07-22", "2023-07-23", "weekend"),
    (FRIDAY, "See my moves next Friday?", "next Friday", "2024-01-12", "2024-01-12", "day"),
    (FRIDAY, "I moved last month.", "last month", "2023-12-01", "2023-12-31", "month"),
    (FRIDAY, "It was cold in December.", "in December", "2023-12-01", "2023-12-31", "month"),
    (FRIDAY, "This winter is mild.", "This winter", "2023-12-01", "2024-02-29", "season"),
    (FRIDAY, "We kissed on New Year's Eve.", "on New Year's Eve", "2023-12-31", "2023-12-31", "day"),
    (DECEMBER, "I ran a camp last summer.", "last summer", "2023-06-01", "2023-08-31", "season"),
    (DECEMBER, "We ate at Christmas and laughed.", "at Christmas", "2023-12-25", "2023-12-25", "day"),
    (DECEMBER, "It opens next March.", "next March", "2024-03-01", "2024-03-31", "month"),
]  # fmt: skip
EXPRESSIONS = [(WEDNESDAY, *row) for row in ON_A_WEDNESDAY] + ON_OTHER_DAYS

ORDINARY = [
    "You may want to sit down for a second.",
    "May I ask you something?",
    "The sun was out and I sat there.",
    "They march on Washington, and we march on.",
    "I fall down a lot when I skate.",
    "We ate a spring roll, then another spring roll.",
    "April and June are my cousins.",
    "August is a good name for a boy.",
    "Give me a second, I will be back in a minute.",
    "That was the last straw, and my last day at work.",
    "The next day we drove on.",
    "The following week was worse.",
    "One day I will own a boat.",
    "It feels like it was only yesterday.",
    "I'm going for the first time in ten years.",
    "These days I read more.",
    "My yoga class is every Tuesday and Thursday.",
    "I work Monday to Friday.",
    "I bought it on Black Friday.",
    "Sunday school starts at ten.",
    "We always rest on Sundays.",
    "She turned 18 and finished 2nd in the 5k.",
    "My 18th birthday was the best.",
    "They live on the 5th floor.",
    "It cost 2000 dollars, or 1,999 on sale.",
    "Call me at 555-2023.",
    "I ran 3 miles in 20 minutes.",
    "I read the whole book in two days.",
    "Rome wasn't built in a day.",
    "He was with us for ten years.",
    'We played the song "Yesterday" at the party.',
    "So much has happened in the last month.",
    "I have been busy over the past year.",
    "The week had its ups and downs, and the month too.",
    "I saw it the other day.",
    "I haven't been well lately.",
    "It happened more than two years ago, or half a year ago.",
    "It took one or two weeks.",
    "I saw it two or three years ago.",
    "It was 1.5 years ago.",
    "In today's world everyone is busy.",
    "Let us put up the Christmas tree.",
    "Our favourite Thanksgiving tradition is pie.",
    "We usually meet in July.",
    "My birthday is in November.",
    "He wrote 12/10/2021 on the form.",
    "Version 2.3.2021-4 of the tool.",
    "I will be 30 soon, ask me again next time.",
    "The last week of school drags on.",
    "Last week of school, at last!",
    "I had never tried this spring roll before.",
    "We saw the film Edge of Tomorrow.",
    "They spoke of the September 11 attacks.",
    "See you Wednesday!",
    "What about Friday?",
    "Shall we say next Friday?",
    "We're painting next summer.",
    "I searched for flights in July.",
    "",
]


def _grounded(text: str, said: datetime | None) -> Grounded:
    (only,) = ground(text, said)
    return only


@pytest.mark.parametrize(("said", "text", "expression", "first", "last", "unit"), EXPRESSIONS)
def test_reads_an_expression(said: datetime, text: str, expression: str, first: str, last: str, unit: str) -> None:
    found = _grounded(text, said)
    days = (date.fromisoformat(first), date.fromisoformat(last))
    assert (found.text, found.first, found.last, found.granularity) == (expression, *days, unit)
    assert text[found.start : found.end] == expression


def test_the_table_is_as_long_as_promised() -> None:
    assert len({row[2].lower() for row in EXPRESSIONS}) >= 120


@pytest.mark.parametrize("text", ORDINARY)
def test_leaves_ordinary_and_ambiguous_words_alone(text: str) -> None:
    assert annotate(text, WEDNESDAY) == text
    assert ground(text, WEDNESDAY) == []


@pytest.mark.parametrize(
    ("text", "annotated"),
    [
        ("I went yesterday.", "I went yesterday [= 9 May 2023]."),
        ("I went last week.", "I went last week [= the week of 1 May 2023]."),
        ("I went last weekend.", "I went last weekend [= the weekend of 6-7 May 2023]."),
        ("I went two weekends ago.", "I went two weekends ago [= the weekend of 29-30 April 2023]."),
        ("I went last month.", "I went last month [= April 2023]."),
        ("I went a few months ago.", "I went a few months ago [= December 2022-March 2023]."),
        ("I went last summer.", "I went last summer [= summer 2022]."),
        ("I went last winter.", "I went last winter [= winter 2022-23]."),
        ("I went last year.", "I went last year [= 2022]."),
        ("I went a few years ago.", "I went a few years ago [= 2018-2021]."),
        ("I went a few days ago.", "I went a few days ago [= 5-8 May 2023]."),
        ("I went a few weeks ago.", "I went a few weeks ago [= 3-30 April 2023]."),
        ("I went this past week.", "I went this past week [= 3-9 May 2023]."),
        ("Moved in 2019, on 5 May 2021.", "Moved in 2019, on 5 May 2021."),
    ],
)
def test_shows_the_days_as_a_person_writes_them(text: str, annotated: str) -> None:
    assert annotate(text, WEDNESDAY) == annotated


def test_shows_days_that_cross_a_month_or_a_year() -> None:
    assert _grounded("We met last weekend.", datetime(2023, 5, 3)).label() == "the weekend of 29-30 April 2023"
    assert (
        _grounded("We met last weekend.", datetime(2023, 10, 4)).label() == "the weekend of 30 September-1 October 2023"
    )
    assert _grounded("We met a few days ago.", datetime(2024, 1, 3)).label() == "29 December 2023-1 January 2024"


def test_grounds_against_the_local_day_of_the_session() -> None:
    evening = datetime(2024, 6, 1, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert evening.astimezone(UTC).day == 2
    assert _grounded("Dinner tonight!", evening).first == date(2024, 6, 1)


def test_without_a_date_only_full_dates_are_grounded() -> None:
    assert annotate("I went yesterday, on Friday, in March.", None) == "I went yesterday, on Friday, in March."
    assert [found.text for found in ground("In May 2021, not last year but on May 5.", None)] == ["May 2021"]


def test_says_nothing_of_days_no_calendar_has() -> None:
    assert ground("It was on 31 February 2021, and 900 years ago.", datetime(200, 1, 1)) == []
    assert ground("We start the day after tomorrow.", datetime(9999, 12, 31)) == []


def test_several_expressions_stay_apart_and_in_order() -> None:
    found = ground("Yesterday I quit, last week I was ill, and next month I move.", WEDNESDAY)
    assert [one.text for one in found] == ["Yesterday", "last week", "next month"]


def test_time_cues_name_their_turn() -> None:
    turn = Turn(session_id="s1", index=3, speaker="Ana", role="speaker", text="I won last Friday!", time=WEDNESDAY)
    friday = date(2023, 5, 5)
    assert time_cues(turn) == (TimeCue(text="last Friday", turn=3, start=friday, end=friday, granularity="day"),)


def test_a_text_with_marks_of_its_own_survives() -> None:
    raw = "x [= 7 May 2023] yesterday [== y] [= z"
    assert annotate(raw, WEDNESDAY) == "x [== 7 May 2023] yesterday [= 9 May 2023] [=== y] [== z"
    assert strip(annotate(raw, WEDNESDAY)) == raw


PATTERNS = [re.compile(row.pattern, re.IGNORECASE | re.ASCII) for row in expressions.EXPRESSIONS if row.reading]
FRAGMENTS = st.sampled_from(
    [row[1] for row in EXPRESSIONS] + ["[= ", "[== x] ", " [= 7 May 2023]", "]", "[", "=", "\n", " "]
)
TEXTS = st.one_of(st.text(), st.lists(st.one_of(FRAGMENTS, st.text(max_size=5)), max_size=8).map("".join))
TIMES = st.one_of(st.none(), st.datetimes(timezones=st.one_of(st.none(), st.timezones())))


@given(TEXTS, TIMES)
def test_strip_undoes_annotate(text: str, said: datetime | None) -> None:
    assert strip(annotate(text, said)) == text


@given(TEXTS, TIMES)
def test_spans_are_valid_and_intervals_run_forward(text: str, said: datetime | None) -> None:
    end = 0
    for found in ground(text, said):
        assert end <= found.start < found.end <= len(text)
        assert found.text == text[found.start : found.end]
        assert found.first <= found.last
        assert found.label()
        end = found.end


@given(st.sampled_from(PATTERNS).flatmap(st.from_regex), TIMES)
def test_whatever_fits_a_pattern_is_read_without_an_error(text: str, said: datetime | None) -> None:
    assert strip(annotate(text, said)) == text


def test_ten_thousand_turns_take_less_than_two_seconds() -> None:
    texts = [row[1] for row in EXPRESSIONS[:10]] + ORDINARY[:30]
    started = time.process_time()
    for index in range(10_000):
        ground(texts[index % len(texts)], WEDNESDAY)
    assert time.process_time() - started < 2
