import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from langrecall.errors import MissingExtraError
from langrecall.pictures.images import open_image
from langrecall.pictures.ocr import TextBox, reading_order
from langrecall.pictures.sources import ImageNote

Image = pytest.importorskip("PIL.Image", reason="needs the extra `vision`")
pytest.importorskip("rapidocr", reason="needs the extra `vision`")

from PIL import ImageDraw, ImageFont  # noqa: E402

from langrecall.pictures.ocr import read_text  # noqa: E402


def written(*lines: str, size: int = 28, width: int = 520) -> Any:
    sheet = Image.new("RGB", (width, len(lines) * size * 2 + 20), "white")
    pen = ImageDraw.Draw(sheet)
    for place, line in enumerate(lines):
        pen.text((12, 12 + place * size * 2), line, fill="black", font=ImageFont.load_default(size=size))
    return sheet


def box(left: float, top: float, text: str, *, width: float = 100, height: float = 20) -> TextBox:
    return TextBox(left, top, left + width, top + height, text)


def test_reads_words_times_and_amounts_line_by_line() -> None:
    assert read_text(written("Platform 6, departs 07:52", "Seat 61A", "34.90 EUR")).splitlines() == [
        "Platform 6, departs 07:52",
        "Seat 61A",
        "34.90 EUR",
    ]


def test_reads_small_print() -> None:
    assert "Gate closes 18:05" in read_text(written("Gate closes 18:05", size=12, width=160))


@pytest.mark.parametrize("size", [(300, 200), (7, 400), (1, 1), (3000, 9), (9, 3000), (30_000, 60)])
def test_a_picture_without_words_gives_none(size: tuple[int, int]) -> None:
    assert read_text(Image.new("RGB", size, (90, 140, 90))) == ""


def test_reads_a_banner_of_one_line() -> None:
    banner = written("All trains to Brisby leave from platform 9 today", size=24, width=1700).crop((0, 8, 1700, 44))
    assert read_text(banner) == "All trains to Brisby leave from platform 9 today"


def test_says_nothing_on_the_side(capfd: pytest.CaptureFixture[str]) -> None:
    read_text(written("hello there"))
    read_text(Image.new("RGB", (60, 60), "white"))
    assert capfd.readouterr() == ("", "")


def test_threads_do_not_disturb_each_other() -> None:
    sheets = [written(f"Room {number} is booked") for number in range(201, 205)]
    with ThreadPoolExecutor(4) as threads:
        read = list(threads.map(read_text, sheets))
    assert read == [f"Room {number} is booked" for number in range(201, 205)]


def test_without_rapidocr_the_error_names_the_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    with pytest.raises(MissingExtraError, match=r'pip install "langrecall\[vision\]"'):
        read_text(written("hello"))


def test_what_stands_at_one_height_is_one_line() -> None:
    menu = [box(300, 41, "14.50"), box(10, 40, "Risotto"), box(10, 80, "Soup"), box(300, 78, "7.20")]
    assert reading_order(menu) == ["Risotto 14.50", "Soup 7.20"]


def test_a_label_between_two_lines_joins_only_one_of_them() -> None:
    lines = [box(100, 0, "first line"), box(0, 8, "Ann", width=40, height=28), box(100, 22, "second line")]
    assert reading_order(lines) == ["Ann first line", "second line"]


def test_a_slanted_line_stays_whole() -> None:
    assert reading_order([box(0, 30, "one"), box(110, 24, "two"), box(220, 22, "three")]) == ["one two three"]


def test_columns_of_prose_are_read_one_after_the_other() -> None:
    prose = [
        box(left, top * 30, f"a sentence of the {side} column {top}", width=400)
        for top in range(6)
        for left, side in ((0, "left"), (450, "right"))
    ]
    read = reading_order(prose)
    assert read == sorted(read)
    assert len(read) == 12


def test_prices_are_no_column() -> None:
    menu = [
        box(left, top * 30, text)
        for top in range(8)
        for left, text in ((0, "a dish of several words"), (450, f"{top}.50"))
    ]
    assert reading_order(menu)[3] == "a dish of several words 3.50"


@pytest.mark.shared
def test_reads_a_real_settings_dialogue(benchmark_data: Path) -> None:
    text = _read(benchmark_data / "images" / "dm_settings.png")
    for words in (
        "Privacy Settings",
        "Allow direct messages from other members in this server.",
        "so MemGPT Bot can DM you",
    ):
        assert words in text


@pytest.mark.shared
def test_reads_a_real_page_of_two_columns_in_order(benchmark_data: Path) -> None:
    text = _read(benchmark_data / "images" / "chat_comparison.png")
    for words in ("But actually breaking up with my ex is a big relief for me.", "Join a club or group"):
        assert words in text
    assert text.index("But how can I meet the one?") < text.index("Sure things.")


def _read(place: Path) -> str:
    opened = open_image(place)
    assert not isinstance(opened, ImageNote)
    return read_text(opened)
