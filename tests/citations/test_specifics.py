"""Numbers, dates and names are found in a line however they are written."""

import unicodedata
from decimal import Decimal

import pytest

from langrecall.citations.specifics import names, partial_dates, words
from langrecall.language.numerals import numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two dogs and 2 cats", [(2, False), (2, False)]),
        ("1,000 of 1000.5", [(1000, False), (Decimal("1000.5"), False)]),
        ("a 5K run for $12", [(5000, False), (12, False)]),
        ("the third, the 3rd, the twenty-first, the thirtieth", [(3, True), (3, True), (21, True), (30, True)]),
        ("two hundred and five thousand", [(205_000, False)]),
        ("a hundred, three million", [(100, False), (3_000_000, False)]),
        ("two and three", [(2, False), (3, False)]),
        ("one of them, no one, tone, often", []),
        ("one hundred", [(100, False)]),
        ("7pm, COVID-19, 40%", [(7, False), (19, False), (40, False)]),
        ("two dozen, half a dozen, a dozen eggs", [(24, False), (6, False), (12, False)]),
        ("half a million, half of it", [(500_000, False)]),
        ("twice a day and thrice at night", [(2, False), (3, False)]),
        ("one dog, at least one cat", [(1, False), (1, False)]),
        ("the one dog, this one, one day, one by one, no one else, which one is it", []),
        ("2M, 2 million, two million, 2,000,000", [(2_000_000, False)] * 4),
        ("2bn, 2 billion, $2.5m, 2 trillion", [(2 * 10**9, False)] * 2 + [(2_500_000, False), (2 * 10**12, False)]),
        ("a 5m pool, 2MB, 2 dozen", [(5, False), (2, False), (24, False)]),
        ("½ a cake, 1½ cakes, ② and ³", [(Decimal("0.5"), False), (Decimal("1.5"), False), (2, False), (3, False)]),
        ("20 m², CO₂, 10²", [(20, False), (10, False)]),
        ("我有五只狗 两百个 二〇二三次 一万两千元", [(5, False), (200, False), (2023, False), (12_000, False)]),
        ("第三次", [(3, True)]),
        ("我们一起吃三明治 一个人 星期五 十分千万", []),
        ("1" * 40 + ", " + "1" * 39 + "2", [(int("1" * 40), False), (int("1" * 39 + "2"), False)]),
    ],
)
def test_numbers(text: str, expected: list[tuple[object, bool]]) -> None:
    assert [(number.value, number.ordinal) for number in numbers(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 2023-05-07", [(2023, 5, (7, 7), None)]),
        ("7 May 2023, the 7th of May, May 7th", [(2023, 5, (7, 7), None), (None, 5, (7, 7), None), (None, 5, (7, 7), None)]),
        ("6-7 May 2023 and May 6-7, 2023", [(2023, 5, (6, 7), None)] * 2),
        ("in May 2023, in Sept. 2022, in 2019", [(2023, 5, None, None), (2022, 9, None, None), (2019, None, None, None)]),
        ("on Friday in June", [(None, None, None, 4), (None, 6, None, None)]),
        ("You may go in may, and march on; May I? March!", []),
        ("in May we march", [(None, 5, None, None)]),
        ("2 may come", []),
        ("12345 and 123", []),
    ],
)  # fmt: skip
def test_partial_dates(text: str, expected: list[tuple[object, ...]]) -> None:
    assert [date[3:] for date in partial_dates(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Caroline met Maria Lopez in New York.", ["Caroline", "Maria Lopez", "New York"]),
        ("The dog ran. After that, it slept. It's fine. I'm OK.", []),
        ("Anna's dog and Ben\u2019s cat.", ["Anna", "Ben"]),
        ("She likes the iPhone and LGBTQ+ events at 7PM.", ["iPhone", "LGBTQ"]),
        ("Will is here, said Will.", ["Will", "Will"]),
        ("Ms. Jean-Luc O'Brien", ["Ms", "Jean Luc O'Brien"]),
        (
            "Will adopted it. May went too. Will's dog. Will is here. Will and Bo.",
            ["Will", "May", "Will", "Will", "Will", "Bo"],
        ),
        ("Will she come? May is nice. May was warm. Will need it. May be. Yesterday rained. She went.", []),
        ("Она любит Москву", ["Она", "Москву"]),
        ("我爱北京", []),
    ],
)
def test_names(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_words_lose_case_and_possessives() -> None:
    assert words("Ana's 3rd \u00c9clair, it\u2019s good") == ["ana", "3rd", "\u00e9clair", "it", "good"]


@pytest.mark.parametrize("sign", [*"²³¹¼½¾⁰⁴⁹₀₉⅐⅞↉①⑳⒈⒛⓪⓫⓿❶➓"])
def test_every_sign_of_a_number_has_its_value(sign: str) -> None:
    (number,) = numbers(f"about {sign} of them")
    assert number.value == Decimal(str(unicodedata.numeric(sign)))


def test_numbers_of_any_length_are_read() -> None:
    for text in ("9" * 5_000, "five " * 5_000, "hundred " * 5_000, "五" * 5_000 + "个", "9" * 5_000 + "k"):
        assert list(numbers(text))
