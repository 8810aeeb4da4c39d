"""The bytes of a picture, from wherever a turn names it: a file, a data URI, base64 text, or a web address if that is asked for."""

import asyncio
import base64
import binascii
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit
from urllib.request import url2pathname

MAX_BYTES = 50_000_000
"""Of a file, a data URI or a download; larger ones are refused."""
FETCH_SECONDS = 10.0
"""For one download as a whole: the name's lookup, redirects, headers and body."""

_WEB = re.compile(r"https?://", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)
"""At least two characters, so that a drive letter is none."""
BASE64 = re.compile(r"[A-Za-z0-9+/_\-]{40,}={0,2}")
"""Shorter text in place of an address is taken for a file name."""


@dataclass(frozen=True)
class ImageNote:
    """Why a picture was not opened, in words fit to stand beside its caption."""

    reason: str


_NOT_OPENED = ImageNote("a file, and files are not opened here")


def is_web_address(source: str) -> bool:
    """Whether opening it would need the network."""
    return _WEB.match(source.strip()) is not None


def data_uri(data: bytes, mime: str = "image/png") -> str:
    """Bytes as an address that carries them, for records that hold text only."""
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def load(source: str | Path, *, base: Path | None, allow_fetch: bool) -> bytes | ImageNote:
    """The bytes behind a source. Relative paths start at `base`; without one no file is opened, absolute paths included."""
    if isinstance(source, Path):
        return _file(source, base)
    name = source.strip()
    if _WEB.match(name):
        return _fetch(name) if allow_fetch else ImageNote("a web address, which is not fetched unless asked")
    if name[:5].lower() == "data:":
        return _data_uri(name)
    if name[:5].lower() == "file:":
        return _file_address(name, base)
    if _SCHEME.match(name):
        return ImageNote(f"an address that cannot be opened here: {_short(name)}")
    return _file_or_base64(name, base)


def _file_or_base64(name: str, base: Path | None) -> bytes | ImageNote:
    packed = re.sub(r"\s+", "", name)
    found = _file(Path(name), base) if name else ImageNote("no address")
    if isinstance(found, bytes) or not BASE64.fullmatch(packed):
        return found
    decoded = _unpack(packed)
    return found if isinstance(decoded, ImageNote) else decoded


def _file_address(address: str, base: Path | None) -> bytes | ImageNote:
    if base is None:
        return _NOT_OPENED
    try:
        parts = urlsplit(address)
        path = Path(url2pathname(parts.path))
    except (OSError, ValueError):
        return ImageNote(f"not an address: {_short(address)}")
    if parts.netloc.lower() not in ("", "localhost"):
        return ImageNote(f"a file of another machine: {_short(address)}")
    return _file(path, base)


def _file(path: Path, base: Path | None) -> bytes | ImageNote:
    if base is None:
        return _NOT_OPENED
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
    data = unquote_to_bytes(body.encode(errors="replace"))
    return _unpack(data.decode("ascii", "replace")) if head.lower().endswith(";base64") else data


def _unpack(text: str) -> bytes | ImageNote:
    packed = re.sub(r"\s+", "", text).rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    except (binascii.Error, ValueError):
        return ImageNote("broken base64 text")


def _fetch(address: str) -> bytes | ImageNote:
    """On a thread, for the caller may be running an event loop, and the lookup of a name cannot be stopped, only left behind."""
    thread = ThreadPoolExecutor(max_workers=1)
    download = asyncio.wait_for(_download(address), FETCH_SECONDS)
    try:
        return thread.submit(asyncio.run, download).result(FETCH_SECONDS)
    except TimeoutError:
        return ImageNote(f"not downloaded within {FETCH_SECONDS:g} seconds")
    finally:
        thread.shutdown(wait=False)


async def _download(address: str) -> bytes | ImageNote:
    import httpx

    received = bytearray()
    try:
        async with (
            httpx.AsyncClient(follow_redirects=True, timeout=None) as client,
            client.stream("GET", address, headers={"accept-encoding": "identity"}) as response,
        ):
            if not response.is_success:
                return ImageNote(f"not downloaded: HTTP status {response.status_code}")
            async for block in response.aiter_bytes():
                received += block
                if len(received) > MAX_BYTES:
                    return _too_large()
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, ExceptionGroup) as error:  # a group: port 99999
        return ImageNote(f"not downloaded: {_short(str(error) or type(error).__name__)}")
    return bytes(received)


def _too_large() -> ImageNote:
    return ImageNote(f"over {MAX_BYTES // 1_000_000} MB")


def _short(text: str) -> str:
    """On one line and printable: a source may hold anything, and a note stands in prompts and on terminals."""
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in text[:61])
    return shown if len(shown) <= 60 else f"{shown[:60]}…"
