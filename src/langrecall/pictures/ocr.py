"""The text in a picture, by RapidOCR: models that come with the package, no network."""

from collections.abc import Sequence
from functools import lru_cache, partial
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from langrecall.pictures.images import vision_module

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_SMALLEST = 8
"""Pixels of the shorter side below which nothing can be legible."""
_LARGEST = 2000
"""Pixels of the longer side that are looked at; larger pictures are reduced."""
_NARROWEST = 40
"""Longer to shorter side at most; beyond 80 the detector fails, so that narrower pictures get white paper around them."""
_PARAMETERS = {
    "Global.log_level": "critical",
    "Global.text_score": 0.75,  # below: mostly icons and specks taken for letters
    "Global.use_cls": False,  # turns upright lines over more often than it turns others back
    "Det.limit_type": "max",  # small pictures are read as they are; enlarging them costs seconds and finds no more
    "Det.limit_side_len": 1280,
}
_COLUMN_LINES = 5
_COLUMN_CHARACTERS = 20
"""Mean length of a line. Columns of prose have many long lines side by side; a menu and its prices have not."""

_engine_lock = Lock()  # an engine keeps notes on the picture at hand


class TextBox(NamedTuple):
    """A piece of text and where it stands, in pixels from the upper left corner."""

    left: float
    top: float
    right: float
    bottom: float
    text: str


def read_text(image: "Picture") -> str:
    """What is written in a picture, line by line; empty when nothing is. Raises `MissingExtraError` without RapidOCR.

    Blocking, for a second or two; one picture at a time. Text that stands on its head is not read.
    """
    vision_module("onnxruntime")
    engine = vision_module("rapidocr")
    if min(image.size) < _SMALLEST:
        return ""
    with _engine_lock:
        found = _load(engine.RapidOCR)(np.asarray(_fitted(image))[:, :, ::-1])
    if found.txts is None:
        return ""
    boxes = [_text_box(corners, text) for corners, text in zip(found.boxes, found.txts, strict=True)]
    return "\n".join(reading_order(boxes))


def _text_box(corners: NDArray[np.float32], text: str) -> TextBox:
    left, top = map(float, corners.min(axis=0))
    right, bottom = map(float, corners.max(axis=0))
    return TextBox(left, top, right, bottom, text)


def _fitted(image: "Picture") -> "Picture":
    from PIL import Image

    scale = min(1.0, _LARGEST / max(image.size))
    size = max(int(image.width * scale), 1), max(int(image.height * scale), 1)
    reduced = image if scale == 1.0 else image.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)
    shortest = max(size) // _NARROWEST
    if min(size) >= shortest:
        return reduced
    paper = Image.new("RGB", (max(size[0], shortest), max(size[1], shortest)), "white")
    paper.paste(reduced)
    return paper


def reading_order(boxes: Sequence[TextBox]) -> list[str]:
    """Lines from top to bottom, what stands at one height as one line; columns of prose one after the other."""
    gutter = _gutter(boxes)
    if gutter is not None:
        left = [box for box in boxes if box.right <= gutter]
        right = [box for box in boxes if box.left >= gutter]
        return [*reading_order(left), *reading_order(right)]
    return [" ".join(box.text.strip() for box in sorted(row)) for row in _rows(boxes)]


def _rows(boxes: Sequence[TextBox]) -> list[list[TextBox]]:
    rows: list[list[TextBox]] = []
    for box in sorted(boxes, key=lambda box: box.top + box.bottom):
        if rows and _level(rows[-1][0], box) and all(map(partial(_apart, box), rows[-1])):
            rows[-1].append(box)
        else:
            rows.append([box])
    return rows


def _level(one: TextBox, other: TextBox) -> bool:
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return shared > min(one.bottom - one.top, other.bottom - other.top) / 2


def _apart(one: TextBox, other: TextBox) -> bool:
    """Whether one stands beside the other, but for what slanted letters take."""
    return min(one.right, other.right) - max(one.left, other.left) < (one.bottom - one.top) / 2


def _gutter(boxes: Sequence[TextBox]) -> float | None:
    """The left edge of a second column of prose: nothing reaches across it, and both sides are prose."""
    for edge in sorted({box.left for box in boxes}):
        left = [box for box in boxes if box.right <= edge]
        right = [box for box in boxes if box.left >= edge]
        if len(left) + len(right) == len(boxes) and _is_prose(left) and _is_prose(right):
            return edge
    return None


def _is_prose(boxes: Sequence[TextBox]) -> bool:
    return len(boxes) >= _COLUMN_LINES and sum(len(box.text) for box in boxes) >= _COLUMN_CHARACTERS * len(boxes)


@lru_cache(maxsize=1)
def _load(engine: Any) -> Any:  # noqa: ANN401 - an untyped library
    return engine(params=_PARAMETERS)
