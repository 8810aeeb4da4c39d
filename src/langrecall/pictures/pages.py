"""Lay pictures and the text around them out as one page picture, at a budget of pixels (MemCoT 4.2, panoramic view)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple, cast

from langrecall.pictures.images import vision_module

if TYPE_CHECKING:
    from PIL.Image import Image as Picture
    from PIL.ImageFont import FreeTypeFont

PAGE_PIXELS = 1_000_000
"""Width times height of a page at most."""
_LEAST_PIXELS = 100_000
"""Below, not even one line of text and a picture find room."""
MOST_PICTURES = 8
"""On one page; more would be too small to be read."""
_SHAPES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Width to height of the pages that are tried; the one that shows the pictures largest is taken."""

MARGIN = 8
HANG = 16
_GAP = 6
_FONT_SIZE = 16
LINE_HEIGHT = 20
"""Pixels, all of them. Every further line of a turn stands `HANG` to the right, where it cannot pass for another turn."""


class PagePart(NamedTuple):
    """What a page shows of one turn: its words, and its pictures under them."""

    turn: str
    text: str
    pictures: tuple["Picture", ...] = ()


class Page(NamedTuple):
    """A page as a PNG, and the ids of the turns that stand on it."""

    png: bytes
    size: tuple[int, int]
    turns: tuple[str, ...]


@dataclass(frozen=True)
class _Layout:
    """Lines and picture sizes of each part that found room, at one width."""

    width: int
    parts: tuple[PagePart, ...]
    lines: tuple[tuple[str, ...], ...]
    sizes: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def seen(self) -> int:
        """Pixels on which pictures are shown."""
        return sum(width * height for sizes in self.sizes for width, height in sizes)

    @property
    def height(self) -> int:
        lines = sum(map(len, self.lines)) * LINE_HEIGHT
        return lines + sum(height + _GAP for sizes in self.sizes for _, height in sizes) + _gaps(len(self.parts))


def lay_out(parts: Sequence[PagePart], *, pixels: int = PAGE_PIXELS) -> Page:
    """Draw the parts one under the other, pictures reduced so that the page keeps to `pixels`, never enlarged.

    Text that does not fit is cut, parts without a picture give way first, and of the pictures the first `MOST_PICTURES` are shown.
    Raises `MissingExtraError` without Pillow.
    """
    vision_module("PIL")
    budget = max(pixels, _LEAST_PIXELS)
    shown = _first_pictures(parts)
    layouts = [_arrange(shown, isqrt(int(budget * shape)), budget) for shape in _SHAPES]
    return _draw(max(layouts, key=lambda layout: layout.seen))


def _first_pictures(parts: Sequence[PagePart]) -> list[PagePart]:
    left = MOST_PICTURES
    shown = []
    for part in parts:
        shown.append(part._replace(pictures=part.pictures[:left]))
        left -= len(shown[-1].pictures)
    return shown


def _arrange(parts: Sequence[PagePart], width: int, pixels: int) -> _Layout:
    height = pixels // width
    share = height // 2 if any(part.pictures for part in parts) else height
    kept = _most_telling(parts, room=(share - 2 * MARGIN) // (LINE_HEIGHT + _GAP))
    rows = (share - _gaps(len(kept))) // LINE_HEIGHT
    lines = _cut([wrap(part.text, width - 2 * MARGIN - HANG) for part in kept], rows)
    left = height - sum(map(len, lines)) * LINE_HEIGHT - _gaps(len(kept))
    return _Layout(width, kept, lines, _reduced(kept, width - 2 * MARGIN, left))


def _most_telling(parts: Sequence[PagePart], *, room: int) -> tuple[PagePart, ...]:
    """The parts to show where a line each is too much: those with pictures before those without, in their order."""
    ranked = sorted(range(len(parts)), key=lambda place: not parts[place].pictures)
    return tuple(parts[place] for place in sorted(ranked[: max(room, 1)]))


def _cut(texts: Sequence[Sequence[str]], rows: int) -> tuple[tuple[str, ...], ...]:
    """Shorten the longest texts until all take `rows` lines or each has one."""
    most = max(map(len, texts), default=0)
    while most > 1 and sum(min(len(text), most) for text in texts) > rows:
        most -= 1
    return tuple(tuple(text[:most]) for text in texts)


def _reduced(parts: Sequence[PagePart], width: int, height: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Each picture's size: as it is or as wide as the page, then all by the one factor that makes them fit."""
    pictures = [picture for part in parts for picture in part.pictures]
    tall = sum(picture.height * min(1.0, width / picture.width) for picture in pictures)
    factor = min(1.0, max(height - (_GAP + 1) * len(pictures), 1) / max(tall, 1.0))
    return tuple(tuple(_scaled(picture, width, factor) for picture in part.pictures) for part in parts)


def _scaled(picture: "Picture", width: int, factor: float) -> tuple[int, int]:
    scale = min(1.0, width / picture.width) * factor
    return max(int(picture.width * scale), 1), max(int(picture.height * scale), 1)


def _gaps(parts: int) -> int:
    return 2 * MARGIN + parts * _GAP


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` pixels in the page's font; a word longer than that is broken."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        line: list[str] = []
        used = 0.0
        for word in _breakable(paragraph, width):
            if line and used + _length(word) > width:
                lines.append(" ".join(line))
                line, used = [], 0.0
            line.append(word)
            used += _length(word) + _length(" ")
        lines.append(" ".join(line))
    return lines


def _breakable(paragraph: str, width: int) -> list[str]:
    most = max(width // _FONT_SIZE, 1)
    return [piece for word in paragraph.split() for piece in _pieces(word, width, most)]


def _pieces(word: str, width: int, most: int) -> list[str]:
    if len(word) <= most or _length(word) <= width:
        return [word]
    return [word[start : start + most] for start in range(0, len(word), most)]


def _draw(layout: _Layout) -> Page:
    from PIL import Image, ImageDraw

    page = Image.new("RGB", (layout.width, layout.height), "white")
    pen = ImageDraw.Draw(page)
    top = MARGIN
    for part, lines, sizes in zip(layout.parts, layout.lines, layout.sizes, strict=True):
        for place, line in enumerate(lines):
            pen.text((MARGIN + HANG * (place > 0), top), line, fill="black", font=_font())
            top += LINE_HEIGHT
        for picture, size in zip(part.pictures, sizes, strict=True):
            page.paste(picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0), (MARGIN, top))
            top += size[1] + _GAP
        top += _GAP
    return Page(_png(page), page.size, tuple(part.turn for part in layout.parts))


def _png(page: "Picture") -> bytes:
    written = BytesIO()
    page.save(written, "PNG")
    return written.getvalue()


@lru_cache(maxsize=10_000)
def _length(text: str) -> float:
    return _font().getlength(text)


@lru_cache(maxsize=1)
def _font() -> "FreeTypeFont":
    """The font that comes with Pillow: the same page everywhere, at the price of Latin letters only."""
    from PIL import ImageFont

    return cast("FreeTypeFont", ImageFont.load_default(size=_FONT_SIZE))  # with a size it is never the bitmap font
