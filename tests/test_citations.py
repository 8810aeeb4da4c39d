"""A line is verified only when its quote is there and it names nothing that its turn does not hold."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langrecall.citations import locate, verify
from langrecall.grounding import annotate
from langrecall.records import Image, Turn

SAID = datetime(2023, 5, 8, 13, 56)


def _turn(
    text: str, *, index: int = 2, speaker: str = "Caroline", time: datetime | None = SAID, image: Image | None = None
) -> Turn:
    images = (image,) if image else ()
    return Turn(session_id="s1", index=index, speaker=speaker, role="speaker", text=text, time=time, images=images)


GROUP = _turn(
    "I went to an LGBTQ support group yesterday and it was so powerful. Two kids from Oslo came, and 1,000 people gave."
)
QUOTE = "I went to an LGBTQ support group yesterday"
YES = _turn("Yes!", index=3, speaker="Melanie")
WEEK = _turn(
    "Since Ana's 3rd birthday we sold twenty-five paintings, the last of them last week in New York.",
    index=4,
    speaker="Bo",
)
YEARS = _turn("Seven years now, and I started pottery a few years ago.", index=5, speaker="Melanie")
SIGN = _turn(
    "Look at what I found!", index=6, image=Image(caption="a photo of a dog in Central Park", ocr="OPEN 24 HOURS")
)


@pytest.mark.parametrize(
    "line",
    [
        "Caroline went to an LGBTQ support group on 7 May 2023.",
        "Caroline's visit to a support group was on May 7th, 2023.",
        "On May 7 Caroline felt strong after the group.",
        "On 2023-05-07 Caroline joined others.",
        "In May 2023 Caroline found a group.",
        "Caroline found a group in 2023.",
        "Caroline said on 8 May 2023, 13:56 (1:56 PM), that it was powerful.",
        "It was on Sunday, the 7th.",
        "She went yesterday.",
        "She went yesterday [= 7 May 2023].",
        "She went last week, and 2 kids came.",
        "Two of the children were Oslo's own.",
        "1000 people gave something.",
        "the group moved her deeply",
    ],
)
def test_a_paraphrase_with_the_turns_own_names_numbers_and_dates_is_verified(line: str) -> None:
    check = verify(line, QUOTE, [GROUP])
    assert (check.verified, check.turn) == (True, GROUP), check.reason


@pytest.mark.parametrize(
    ("line", "lacking"),
    [
        ("Melanie went to an LGBTQ support group.", "the name 'Melanie'"),
        ("She went there with Melanie.", "the name 'Melanie'"),
        ("Berlin was where she went.", "the name 'Berlin'"),
        ("She and her friends saw New Oslo.", "the name 'New Oslo'"),
        ("Caroline went on 6 May 2023.", "the date '6 May 2023'"),
        ("Caroline went on May 6.", "the date 'May 6'"),
        ("Caroline went on 2023-05-09.", "the date '2023-05-09'"),
        ("Caroline went in 2022.", "the date '2022'"),
        ("Caroline went in April.", "the date 'April'"),
        ("Caroline went on Tuesday.", "the date 'Tuesday'"),
        ("Caroline went on the weekend of 13-14 May 2023.", "the date '13-14 May 2023'"),
        ("Caroline went two days ago.", "the time 'two days ago'"),
        ("Caroline went last month.", "the time 'last month'"),
        ("Three kids came.", "the number 'Three'"),
        ("3 kids came.", "the number '3'"),
        ("100 people gave.", "the number '100'"),
        ("It was the second group for her.", "the number 'second'"),
        ("It was at 14:30.", "the number '14'"),
    ],
)
def test_a_true_quote_does_not_cover_a_false_claim(line: str, lacking: str) -> None:
    check = verify(line, QUOTE, [GROUP])
    assert (check.verified, check.turn, check.reason) == (False, GROUP, f"{lacking} is not in s1:2")


def test_a_claim_without_its_quote_in_any_turn_is_unverified() -> None:
    check = verify("Caroline went.", "I went to a chess club yesterday", [GROUP, YES])
    assert check == (False, None, "the quote is not in s1:2, s1:3")
    assert verify("Caroline went.", QUOTE, []) == (False, None, "no turn is named")
    assert not verify("Caroline went.", "  ", [GROUP]).verified


@pytest.mark.parametrize(
    "quote", ["I went to an", "powerful", "o an LGBTQ support group yest", "a photo of a", "24 HOURS"]
)
def test_a_quote_too_short_or_cut_inside_a_word_is_unverified(quote: str) -> None:
    assert not verify("Caroline went.", quote, [GROUP, SIGN]).verified
    assert locate(quote, [GROUP, SIGN]) is None


def test_a_short_quote_says_why() -> None:
    assert "too short" in verify("Caroline went.", "I went to an", [GROUP]).reason


def test_a_whole_short_turn_is_a_quote() -> None:
    for quote in ("Yes!", "Yes", "\u201cYes!\u201d", "Melanie: Yes!", "[s1:3] Melanie: Yes!"):
        assert verify("Melanie agreed.", quote, [GROUP, YES]) == (
            True,
            YES,
            "quote, numbers, dates and names are in s1:3",
        )


@pytest.mark.parametrize(
    "quote",
    [
        "I went  to an\nLGBTQ support\tgroup",
        "\u201cI went to an LGBTQ support group\u201d",
        annotate(GROUP.text, GROUP.time),
        "support group yesterday [= 7 May 2023] and it was",
        "Caroline: I went to an LGBTQ support group yesterday [= 7 May 2023]",
        "and it was so powerful...",
    ],
)
def test_white_space_quotation_marks_and_insertions_do_not_matter(quote: str) -> None:
    assert locate(quote, [YES, GROUP]) == GROUP


def test_curly_and_straight_marks_are_the_same_in_the_turn_too() -> None:
    turn = _turn("She said: \u201cIt\u2019s the best day of my life\u201d, and left.")
    assert locate('"It\'s the best day of my life"', [turn]) == turn


def test_numbers_ordinals_and_dates_in_any_spelling() -> None:
    quote = "Since Ana's 3rd birthday we sold"
    for line in (
        "Bo sold 25 paintings.",
        "Twenty five were sold since Ana's third birthday.",
        "Bo was in New York last week.",
    ):
        assert verify(line, quote, [WEEK]).verified
    for line in ("In the week of 1 May 2023 Bo was in New York.", "It was in May.", "It was in 2023."):
        assert verify(line, quote, [WEEK]).verified
    for line in (
        "Bo sold five paintings.",
        "It was on 2 May 2023.",
        "Ana turned 3.",
        "Bo was in New Jersey.",
    ):
        assert not verify(line, quote, [WEEK]).verified


def test_a_span_of_years_in_its_usual_renderings() -> None:
    quote = "Seven years now, and I started pottery"
    for line in (
        "Melanie has painted since 2016.",
        "Melanie began pottery in 2018-2021.",
        "She has had 7 years of it.",
    ):
        assert verify(line, quote, [YEARS]).verified
    assert not verify("Melanie has painted since 2017.", quote, [YEARS]).verified


def test_a_caption_and_the_text_in_a_picture_are_text_of_the_turn() -> None:
    assert verify("Caroline saw a dog in Central Park.", "a photo of a dog in", [SIGN]).verified
    assert verify("The shop is open 24 hours.", "Look at what I found! [image: a photo of a dog", [SIGN]).turn is None
    shown = "Look at what I found! [image: a photo of a dog in Central Park; text in it: OPEN 24 HOURS]"
    assert verify("The shop is open 24 hours.", shown, [SIGN]).verified


def test_any_turn_that_holds_the_quote_may_support_the_line() -> None:
    again = _turn(f"{QUOTE}, with Melanie!", index=9)
    assert verify("Caroline went with Melanie.", QUOTE, [GROUP, again]).turn == again
    assert verify("Caroline went with Bo.", QUOTE, [GROUP, again]).turn == GROUP


def test_capitals_at_a_sentences_start_are_names_unless_ordinary_words() -> None:
    turn = _turn("My sister may visit, the kelp forest is lovely, and Will came too.")
    quote = "My sister may visit, the kelp forest"
    assert verify("They may come. The forest is lovely. It's there. Don't worry.", quote, [turn]).verified
    assert verify("Kelp is lovely.", quote, [turn]).verified
    assert verify("Will came.", quote, [turn]).verified
    assert not verify("Kelly came.", quote, [turn]).verified
    assert not verify("She visited; After all, she met After.", quote, [turn]).verified


def test_an_undated_turn_supports_no_date_of_its_own() -> None:
    turn = _turn("I went to the old harbour yesterday.", time=None)
    assert verify("Caroline went to the harbour yesterday.", turn.text, [turn]).verified
    assert not verify("Caroline went on 7 May 2023.", turn.text, [turn]).verified


@pytest.mark.parametrize(
    ("text", "quote", "long_enough"),
    [
        ("昨天我和妈妈一起去了海边的小镇吃饭", "我和妈妈一起去了", True),
        ("昨天我和妈妈一起去了海边的小镇吃饭", "我和妈妈一起去", False),
        ("昨天我和妈妈一起去了。", "昨天我和妈妈一起去了", True),
        ("어제 엄마와 함께 바다에 갔어요", "엄마와 함께 바다에", True),
        ("Вчера наша семья ездила на море летом", "наша семья ездила на море", True),
        ("Вчера наша семья ездила на море летом", "семья ездила на", False),
        ("أمس ذهبت مع أمي إلى البحر", "ذهبت مع أمي إلى البحر", True),
    ],
)
def test_other_scripts(text: str, quote: str, long_enough: bool) -> None:
    turn = _turn(text)
    assert (locate(quote, [turn]) == turn) is long_enough
    assert verify(text, text, [turn]).verified


@given(st.text(), st.text(), st.text())
def test_any_text_can_be_checked(line: str, quote: str, text: str) -> None:
    check = verify(line, quote, [_turn(text)])
    assert check.reason
    assert not check.verified or check.turn is not None


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs"]), min_size=1))
def test_a_turn_quoted_whole_supports_itself(text: str) -> None:
    turn = _turn(text)
    check = verify(text, text, [turn])
    assert check.verified or not " ".join(text.split()).strip(), check.reason
