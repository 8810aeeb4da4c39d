import random
import sys
from io import BytesIO
from typing import Any

import pytest

from langrecall.errors import MissingExtraError
from langrecall.pictures.pages import HANG, LINE_HEIGHT, MARGIN, MOST_PICTURES, Page, PagePart, lay_out, wrap

Image = pytest.importorskip("PIL.Image", reason="needs the extra `vision`")

RED, GREEN = (200, 0, 0), (0, 160, 0)


def plain(width: int, height: int, colour: tuple[int, int, int] = RED) -> Any:
    return Image.new("RGB", (width, height), colour)


def opened(page: Page) -> Any:
    return Image.open(BytesIO(page.png)).convert("RGB")


def area(page: Page, colour: tuple[int, int, int] = RED) -> int:
    """Pixels of one colour: how large a plain picture came out."""
    return sum(count for count, pixel in opened(page).getcolors(1 << 24) if pixel == colour)


def test_a_page_keeps_to_its_pixels_whatever_is_on_it() -> None:
    chance = random.Random(4)
    for _ in range(15):
        parts = [
            PagePart(
                f"s:{place}",
                "word " * chance.choice([0, 1, 30, 400]) + "x" * chance.choice([0, 300]),
                tuple(
                    plain(chance.choice([1, 30, 900, 3000]), chance.choice([1, 40, 800, 3000]))
                    for _ in range(chance.randint(0, 4))
                ),
            )
            for place in range(chance.randint(1, 30))
        ]
        pixels = chance.choice([100_000, 250_000, 1_000_000])
        page = lay_out(parts, pixels=pixels)
        assert page.size[0] * page.size[1] <= pixels
        assert opened(page).size == page.size
        assert set(page.turns) <= {part.turn for part in parts}


def test_fewer_pixels_show_pictures_at_a_lower_resolution() -> None:
    photo = [PagePart("s:0", "Ann: the harbour", (plain(4000, 3000),))]
    areas = [area(lay_out(photo, pixels=pixels)) for pixels in (100_000, 300_000, 1_000_000)]
    assert areas[0] > 50_000
    assert areas[0] < areas[1] < areas[2] < 1_000_000


def test_a_small_picture_is_never_enlarged() -> None:
    assert area(lay_out([PagePart("s:0", "Ann: look", (plain(60, 40),))])) == 60 * 40


def test_the_shape_of_the_page_follows_its_pictures() -> None:
    tall = lay_out([PagePart("s:0", "a", (plain(1000, 4000),))])
    wide = lay_out([PagePart("s:0", "a", (plain(4000, 1000),))])
    assert tall.size[0] < tall.size[1]
    assert wide.size[0] > wide.size[1]
    assert min(area(tall), area(wide)) > 800_000


def test_every_picture_of_every_turn_is_there() -> None:
    parts = [PagePart("s:0", "Ann: two", (plain(900, 900), plain(900, 900, GREEN))), PagePart("s:1", "Ben: nice")]
    page = lay_out(parts, pixels=300_000)
    assert page.turns == ("s:0", "s:1")
    assert area(page, RED) == area(page, GREEN) > 30_000


def test_only_so_many_pictures_are_shown() -> None:
    many = [PagePart("s:0", "Ann: an album", tuple(plain(50, 50) for _ in range(MOST_PICTURES + 5)))]
    assert area(lay_out(many)) == MOST_PICTURES * 50 * 50


def test_turns_without_a_picture_give_way_first() -> None:
    words = [PagePart(f"s:{place}", "some words") for place in range(60)]
    page = lay_out([*words, PagePart("s:60", "Ann: look", (plain(400, 400),))], pixels=100_000)
    assert "s:60" in page.turns
    assert len(page.turns) < 61


def test_the_words_of_a_page_can_be_read() -> None:
    pytest.importorskip("rapidocr", reason="needs the extra `vision`")
    from langrecall.pictures.ocr import read_text

    parts = [
        PagePart("s3:7", "[s3:7] Marek: this is the harbour where we met", (plain(900, 700),)),
        PagePart("s3:8", "[s3:8] Ann: I know it"),
    ]
    text = read_text(opened(lay_out(parts, pixels=300_000)))
    assert "Marek: this is the harbour where we met" in text
    assert "Ann: I know it" in text


def test_a_page_is_the_same_each_time() -> None:
    parts = [PagePart("s:0", "Ann: look", (plain(800, 500),))]
    assert lay_out(parts).png == lay_out(parts).png


def test_lines_hold_every_word_and_keep_to_the_width() -> None:
    text = "It was late when we came to the harbour of Split\nand " + "y" * 90
    lines = wrap(text, 200)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "").replace("\n", "")
    assert len(lines) > 4
    assert wrap("short", 200) == ["short"]


def test_only_the_first_line_of_a_turn_begins_at_the_margin() -> None:
    page = opened(lay_out([PagePart("s:0", "[s:0] Ann: hi\n[s:1] Ben: I owe you 500\n" + "word " * 300)]))
    ink = page.convert("L").point(lambda level: 255 * (level < 128))
    assert ink.getbbox()[3] > MARGIN + 4 * LINE_HEIGHT
    assert ink.crop((0, 0, MARGIN + HANG, page.height)).getbbox()[3] <= MARGIN + LINE_HEIGHT


def test_without_pillow_the_error_names_the_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match=r'pip install "langrecall\[vision\]"'):
        lay_out([PagePart("s:0", "Ann: hi")])
