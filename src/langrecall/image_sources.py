"""The bytes of a picture, from wherever a turn names it: a file, a data URI, base64 text, or a web address if that is asked for."""

import base64
import binascii
import re
import time
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit
from urllib.request import url2pathname, urlopen

MAX_BYTES = 50_000_000
"""Of a file, a data URI or a download; larger ones are refused."""
FETCH_SECONDS = 10.0
"""For one download as a whole."""
BLOCK = 65_536
"""Bytes between two looks at the clock."""

WEB = re.compile(r"https?://", re.IGNORECASE)
SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)
"""At least two characters, so that a drive letter is none."""
BASE64 = re.compile(r"[A-Za-z0-9+/_\-]{40,}={0,2}")
"""Shorter text in place of an address is taken for a file name."""


@dataclass(frozen=True)
class ImageNote:
    """Why a picture was not opened, in words fit to stand beside its caption."""

    reason: str


def is_web_address(source: str) -> bool:
    """Whether opening it would need the network."""
    return WEB.match(source.strip()) is not None


def data_uri(data: bytes, mime: str = "image/png") -> str:
    """Bytes as an address that carries them, for records that hold text only."""
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def load(source: str | Path, *, base: Path | None, allow_fetch: bool) -> bytes | ImageNote:
    """The bytes behind a source. Relative paths start at `base`; without one no file is opened, absolute paths included."""
    if isinstance(source, Path):
        return _file(source, base)
    name = source.strip()
    if WEB.match(name):
        return _fetch(name) if allow_fetch else ImageNote("a web address, which is not fetched unless asked")
    if name[:5].lower() == "data:":
        return _data_uri(name)
    if name[:5].lower() == "file:":
        return _file(Path(url2pathname(urlsplit(name).path)), base)
    if SCHEME.match(name):
        return ImageNote(f"an address that cannot be opened here: {_short(name)}")
    return _file_or_base64(name, base)


def _file_or_base64(name: str, base: Path | None) -> bytes | ImageNote:
    packed = re.sub(r"\s+", "", name)
    found = _file(Path(name), base) if name else ImageNote("no address")
    if isinstance(found, bytes) or not BASE64.fullmatch(packed):
        return found
    decoded = _unpack(packed)
    return found if isinstance(decoded, ImageNote) else decoded


def _file(path: Path, base: Path | None) -> bytes | ImageNote:
    if base is None:
        return ImageNote("a file, and files are not opened here")
    try:
        place = base / path
        if not place.is_file():
            return ImageNote(f"no such file: {_short(path.name)}")
        if place.stat().st_size > MAX_BYTES:
            return _too_large()
        return place.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file name"
        return ImageNote(f"the file cannot be read: {reason.lower()}")


def _data_uri(uri: str) -> bytes | ImageNote:
    head, comma, body = uri.partition(",")
    if not comma:
        return ImageNote("a data URI without data")
    if len(body) > 2 * MAX_BYTES:
        return _too_large()
    if head.lower().endswith(";base64"):
        return _unpack(unquote_to_bytes(body).decode("ascii", "replace"))
    return unquote_to_bytes(body)


def _unpack(text: str) -> bytes | ImageNote:
    packed = re.sub(r"\s+", "", text).rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    except (binascii.Error, ValueError):
        return ImageNote("broken base64 text")


def _fetch(address: str) -> bytes | ImageNote:
    deadline = time.monotonic() + FETCH_SECONDS
    received = bytearray()
    try:
        with closing(urlopen(address, timeout=FETCH_SECONDS)) as response:
            while block := response.read1(BLOCK):
                received += block
                if len(received) > MAX_BYTES:
                    return _too_large()
                if time.monotonic() > deadline:
                    return ImageNote(f"not downloaded within {FETCH_SECONDS:g} seconds")
    except (OSError, HTTPException, ValueError) as error:
        return ImageNote(f"not downloaded: {_short(str(error) or type(error).__name__)}")
    return bytes(received)


def _too_large() -> ImageNote:
    return ImageNote(f"over {MAX_BYTES // 1_000_000} MB")


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}…"
