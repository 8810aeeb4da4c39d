"""Open a picture safely, as upright RGB; one that cannot be opened becomes a note and never a traceback."""

import struct
import zlib
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from langrecall.errors import MissingExtraError
from langrecall.pictures.sources import ImageNote, load

if TYPE_CHECKING:
    from PIL.Image import Image as Picture


_MAX_PIXELS = 50_000_000
"""Width times height, by the file's header; the largest pictures of common phones are just below."""

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "ICO")
"""What is decoded. Not all that Pillow knows: some formats (EPS) run other programs."""

BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    LookupError,
    TypeError,
    OverflowError,
    MemoryError,
    struct.error,
    zlib.error,
    UserWarning,
)
"""What Pillow raises on damaged files; the last where a program turns warnings into errors."""


def open_image(
    source: str | bytes | Path,
    *,
    base: Path | None = Path(),
    allow_fetch: bool = False,
    max_pixels: int = _MAX_PIXELS,
) -> "Picture | ImageNote":
    """The picture a path, bytes, data URI, base64 text or web address stands for; of an animated one the first frame.

    Relative paths start at `base`; with None no file is opened, for sources that come from strangers. A web address is fetched only
    with `allow_fetch`. Size is checked by the header, before anything is decoded. Raises `MissingExtraError` without Pillow.
    """
    vision_module("PIL")
    data = source if isinstance(source, bytes) else load(source, base=base, allow_fetch=allow_fetch)
    return data if isinstance(data, ImageNote) else _decode(data, max_pixels)


def vision_module(name: str) -> ModuleType:
    """Import a module of the extra `vision`; raises `MissingExtraError` when it is not there."""
    try:
        return import_module(name)
    except ImportError:
        msg = f'looking at pictures needs {name.split(".")[0]}: pip install "langrecall[vision]"'
        raise MissingExtraError(msg) from None


def _decode(data: bytes, max_pixels: int) -> "Picture | ImageNote":
    from PIL import Image, UnidentifiedImageError

    if not data:
        return ImageNote("the file is empty")
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as opened:
            pixels = opened.width * opened.height
            return _upright_rgb(opened) if pixels <= max_pixels else _too_many(pixels, max_pixels)
    except UnidentifiedImageError:
        return ImageNote("not a picture, or in a format that is not read here")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        return ImageNote(f"far over the limit of {max_pixels / 1e6:g} megapixels")
    except BROKEN:
        return ImageNote("a broken picture")


def _upright_rgb(opened: "Picture") -> "Picture":
    from PIL import Image, ImageOps

    opened.load()
    picture = ImageOps.exif_transpose(opened)
    if picture.mode.startswith("I"):
        picture = picture.point(lambda level: level / 256).convert("L")
    if picture.has_transparency_data:
        layer = picture.convert("RGBA")
        paper = Image.new("RGBA", layer.size, "white")
        picture = Image.alpha_composite(paper, layer)
    return picture.convert("RGB")


def _too_many(pixels: int, max_pixels: int) -> ImageNote:
    return ImageNote(f"{pixels / 1e6:.0f} megapixels, over the limit of {max_pixels / 1e6:g}")
