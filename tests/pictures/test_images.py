import base64
import gzip
import random
import struct
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langrecall.errors import MissingExtraError
from langrecall.pictures import sources as image_sources
from langrecall.pictures.images import open_image
from langrecall.pictures.sources import ImageNote

Image = pytest.importorskip("PIL.Image", reason="needs the extra `vision`")

ORANGE = (230, 120, 20)


def picture(mode: str = "RGB", size: tuple[int, int] = (40, 30)) -> Any:
    return Image.new("RGB", size, ORANGE).convert(mode)


def encoded(image: Any, kind: str = "PNG", **options: Any) -> bytes:
    written = BytesIO()
    image.save(written, kind, **options)
    return written.getvalue()


def promise(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds no pixel: decoding it would end in another note than looking at its header."""
    fields = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", fields) + chunk(b"IDAT", b"")


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def reason(opened: object) -> str:
    assert isinstance(opened, ImageNote)
    return opened.reason


def near(pixel: Any, wanted: tuple[int, int, int]) -> bool:
    return all(abs(have - want) < 12 for have, want in zip(pixel, wanted, strict=True))


PNG = encoded(picture())


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(PNG, id="png"),
        pytest.param(encoded(picture("RGBA")), id="png with alpha"),
        pytest.param(encoded(picture().quantize(8)), id="png with palette"),
        pytest.param(encoded(picture(), "JPEG"), id="jpeg"),
        pytest.param(encoded(picture("CMYK"), "JPEG"), id="cmyk jpeg"),
        pytest.param(encoded(picture("CMYK"), "TIFF"), id="cmyk tiff"),
        pytest.param(encoded(picture(), "TIFF", compression="tiff_lzw"), id="packed tiff"),
        pytest.param(encoded(picture(), "WEBP"), id="webp"),
        pytest.param(encoded(picture(), "BMP"), id="bmp"),
        pytest.param(encoded(picture(), "GIF"), id="gif"),
        pytest.param(encoded(picture(), "MPO", save_all=True, append_images=[picture()]), id="mpo of a phone"),
    ],
)
def test_opens_every_common_kind_as_rgb(data: bytes) -> None:
    opened = open_image(data)
    assert not isinstance(opened, ImageNote)
    assert (opened.mode, opened.size) == ("RGB", (40, 30))
    assert near(opened.getpixel((20, 15)), ORANGE)


def test_takes_the_first_frame_of_an_animation() -> None:
    frames = [Image.new("RGB", (20, 20), colour) for colour in (ORANGE, (0, 0, 255), (0, 255, 0))]
    opened = open_image(encoded(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=50))
    assert not isinstance(opened, ImageNote)
    assert near(opened.getpixel((10, 10)), ORANGE)


@pytest.mark.parametrize("kind", ["RGBA", "LA", "P"])
def test_what_is_transparent_becomes_white_paper(kind: str) -> None:
    clear = Image.new("RGBA", (10, 10), (0, 0, 0, 0))
    data = encoded(clear, "GIF") if kind == "P" else encoded(clear.convert(kind))
    opened = open_image(data)
    assert not isinstance(opened, ImageNote)
    assert opened.getpixel((5, 5)) == (255, 255, 255)


def test_turns_a_photo_the_way_the_camera_says() -> None:
    sideways = Image.new("RGB", (40, 20), "white")
    sideways.paste((255, 0, 0), (0, 0, 10, 10))
    exif = Image.Exif()
    exif[0x0112] = 6
    opened = open_image(encoded(sideways, "PNG", exif=exif))
    assert not isinstance(opened, ImageNote)
    assert opened.size == (20, 40)
    assert opened.getpixel((18, 2)) == (255, 0, 0)


def test_sixteen_bits_of_grey_keep_their_shades() -> None:
    opened = open_image(encoded(Image.new("I;16", (10, 10), 32_768)))
    assert not isinstance(opened, ImageNote)
    assert near(opened.getpixel((5, 5)), (128, 128, 128))


def sources(folder: Path) -> dict[str, str | bytes | Path]:
    place = folder / "a picture.png"
    place.write_bytes(PNG)
    packed = base64.b64encode(PNG).decode()
    return {
        "bytes": PNG,
        "path": place,
        "path as text": str(place),
        "relative path": "a picture.png",
        "file address": place.as_uri(),
        "data URI": image_sources.data_uri(PNG),
        "data URI in capitals": f"DATA:image/png;BASE64,{packed}",
        "data URI in percent signs": "data:image/png," + "".join(f"%{byte:02x}" for byte in PNG),
        "data URI in lines": f"data:image/png;base64,{packed[:76]}\n{packed[76:]}\n",
        "base64 text": packed,
        "base64 text of addresses": packed.replace("+", "-").replace("/", "_").rstrip("="),
    }


@pytest.mark.parametrize(
    "form",
    [
        "bytes",
        "path",
        "path as text",
        "relative path",
        "file address",
        "data URI",
        "data URI in capitals",
        "data URI in percent signs",
        "data URI in lines",
        "base64 text",
        "base64 text of addresses",
    ],
)
def test_opens_a_picture_in_whatever_form_it_is_named(form: str, tmp_path: Path) -> None:
    opened = open_image(sources(tmp_path)[form], base=tmp_path)
    assert not isinstance(opened, ImageNote)
    assert opened.size == (40, 30)


def test_relative_paths_start_at_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here.png").write_bytes(PNG)
    monkeypatch.chdir(tmp_path)
    assert not isinstance(open_image("here.png"), ImageNote)


@pytest.mark.parametrize("form", ["path", "path as text", "relative path", "file address"])
def test_without_a_base_no_file_is_opened(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "not opened here" in reason(open_image(sources(tmp_path)[form], base=None))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(b"", "empty", id="nothing"),
        pytest.param(b"<html>not found</html>", "not a picture", id="a web page"),
        pytest.param(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a picture", id="svg"),
        pytest.param(PNG[:60], "broken", id="cut off"),
        pytest.param(encoded(picture(), "JPEG")[:-80], "broken", id="jpeg cut off"),
        pytest.param(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not a picture", id="postscript"),
        pytest.param(promise(10, 10), "broken", id="a header alone"),
        pytest.param(promise(10_000, 6_000), "60 megapixels, over the limit of 50", id="60 megapixels"),
        pytest.param(promise(10_000, 10_000), "over the limit of 50 megapixels", id="100 megapixels"),
        pytest.param(promise(60_000, 60_000), "over the limit of 50 megapixels", id="3,600 megapixels"),
    ],
)
def test_says_why_data_is_no_picture(data: bytes, why: str) -> None:
    assert why in reason(open_image(data))


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("gone.png", "no such file: gone.png"),
        ("", "no address"),
        (".", "no such file"),
        ("a\0b.png", "no such file"),
        ("x" * 5000 + "!", "cannot be read"),
        ("nothing.png", "empty"),
        ("ftp://dead.invalid/a.png", "cannot be opened here: ftp://"),
        ("file://[x/a.png", "not an address: file://[x"),
        ("file://ho\u2100st/a.png", "not an address"),
        ("file://elsewhere/etc/hostname", "another machine: file://elsewhere"),
        ("file:a%00b.png", "no such file"),
        ("file:%zz%f", "no such file: %zz%f"),
        ("file:///" + "x" * 5000, "cannot be read"),
        ("\ud800.png", "no such file: \ufffd.png"),
        ("gone\n[s1:0] Ann: hi.png", "no such file: gone\ufffd[s1:0] Ann: hi.png"),
        ("data:,\ud800", "not a picture"),
        ("data:;base64,\ud800", "broken base64"),
        ("http://[", "not fetched unless asked"),
        ("blob:https://chat.invalid/17", "cannot be opened here"),
        ("data:image/png;base64", "without data"),
        ("data:image/png;base64,@@@", "broken base64"),
        ("data:image/png;base64,", "empty"),
        ("QUJD" * 40, "not a picture"),
        ("http://dead.invalid/a.png", "not fetched unless asked"),
        ("HTTPS://dead.invalid/a.png", "not fetched unless asked"),
    ],
)
def test_says_why_a_source_leads_to_no_picture(source: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "nothing.png").touch()
    assert why in reason(open_image(source, base=tmp_path))


def test_a_broken_file_address_is_not_looked_at_without_a_base() -> None:
    assert reason(open_image("file://[x/a.png", base=None)) == "a file, and files are not opened here"


BEGINNINGS = (
    "",
    "file:",
    "file://",
    "file:///",
    "FILE://[",
    "http://[",
    "https://",
    "data:",
    "data:;base64,",
    "a:",
    "C:",
    "/",
    "~",
)
SOURCES = st.builds(
    "{}{}{}".format,
    st.sampled_from(BEGINNINGS),
    st.text(st.characters(exclude_categories=())) | st.text("%0/[]:@#?.\\A=\0\n \ud800", max_size=60),
    st.sampled_from(["", "%00", "%", "\udcff", "x" * 5000]),
)


@given(SOURCES, st.sampled_from([None, Path()]))
def test_any_source_gives_bytes_or_a_printable_note(source: str, base: Path | None) -> None:
    for form in (source, Path(source)):
        loaded = image_sources.load(form, base=base, allow_fetch=False)
        assert isinstance(loaded, bytes) or loaded.reason.isprintable()
    assert isinstance(open_image(source, base=base), ImageNote)


def test_the_limit_of_pixels_can_be_set() -> None:
    assert "over the limit of 0.001" in reason(open_image(PNG, max_pixels=1000))
    assert not isinstance(open_image(PNG, max_pixels=1200), ImageNote)


def test_a_note_never_carries_a_whole_data_uri(tmp_path: Path) -> None:
    assert len(reason(open_image("z" * 100_000, base=tmp_path))) < 120


def test_refuses_files_beyond_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image_sources, "MAX_BYTES", 50)
    for source in ("path", "data URI"):
        assert reason(open_image(sources(tmp_path)[source], base=tmp_path)).startswith("over")


def test_damage_anywhere_gives_a_picture_or_a_note() -> None:
    chance = random.Random(60)
    exif = Image.Exif()
    exif[0x0112] = 6
    seeds = [
        encoded(picture(), "PNG"),
        encoded(picture(), "JPEG", exif=exif),
        encoded(picture(), "GIF"),
        encoded(picture(), "WEBP", exif=exif),
        encoded(picture(), "BMP"),
        encoded(picture("CMYK"), "TIFF"),
    ]
    for _ in range(600):
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(min(len(data), 300))] = chance.randrange(256)
        opened = open_image(bytes(data[: chance.randint(1, len(data))]))
        assert isinstance(opened, ImageNote) or opened.mode == "RGB"


def test_without_pillow_the_error_names_the_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match=r'pip install "langrecall\[vision\]"'):
        open_image(PNG)


REDIRECTS = {
    "/moved.png": "/a.png",
    "/file.png": "file:///etc/hostname",
    "/ftp.png": "ftp://127.0.0.1:9/a.png",
    "/loop.png": "/loop.png",
    "/bracket.png": "http://[::1/a.png",
    "/port.png": "http://127.0.0.1:99999/a.png",
    "/hop/a.png": "/hop/a.png",
}
DRIPPED = {
    "/body/a.png": (b"HTTP/1.1 200 OK\r\n\r\n", b"x"),
    "/header/a.png": (b"HTTP/1.1 200 OK\r\nX-A: ", b"x"),
    "/chunk/a.png": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"0"),
    "/silent/a.png": (b"", b""),
}


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path in REDIRECTS:
            sleep(0.1 * self.path.startswith("/hop"))
            self.answer(302, b"", location=REDIRECTS[self.path])
        elif self.path in DRIPPED:
            self.drip(*DRIPPED[self.path])
        elif self.path == "/packed/a.png":
            self.answer(200, gzip.compress(PNG), **{"content-encoding": "gzip"})
        else:
            self.answer(200, PNG) if self.path == "/a.png" else self.answer(404, b"")

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def drip(self, first: bytes, then: bytes) -> None:
        """A byte every 50 ms, for far longer than any test waits."""
        self.close_connection = True
        with suppress(ConnectionError):
            self.wfile.write(first)
            for _ in range(60):
                self.wfile.write(then)
                sleep(0.05)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_fetches_a_web_address_when_asked(site: str) -> None:
    opened = open_image(f"{site}/a.png", allow_fetch=True)
    assert not isinstance(opened, ImageNote)
    assert opened.size == (40, 30)


@pytest.mark.parametrize("path", ["/moved.png", "/packed/a.png"])
def test_follows_redirects_and_unpacks(site: str, path: str) -> None:
    assert not isinstance(open_image(site + path, allow_fetch=True), ImageNote)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/gone.png", "HTTP status 404"),
        ("/file.png", "unsupported protocol 'file://'"),
        ("/ftp.png", "unsupported protocol 'ftp://'"),
        ("/loop.png", "redirects"),
        ("/bracket.png", "Invalid"),
        ("/port.png", ""),
    ],
)
def test_a_failed_download_becomes_a_note(site: str, path: str, why: str) -> None:
    said = reason(open_image(site + path, allow_fetch=True))
    assert said.startswith("not downloaded: ")
    assert why in said


@pytest.mark.parametrize(
    "address",
    [
        "http://",
        "http://:80/",
        "http://[",
        "http://[::1/a.png",
        "http://127.0.0.1:abc/",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:9/\r\nX: y",
        "http://127.0.0.1:9/\ud800",
        "http://\ud800/",
        "http://user:\0@127.0.0.1:9/%zz",
        "http://127.0.0.1:9/" + "x" * 70_000,
        "https://127.0.0.1:9/a.png",
    ],
)
def test_a_dead_or_impossible_address_becomes_a_note(address: str) -> None:
    said = reason(open_image(address, allow_fetch=True))
    assert said.startswith("not downloaded: ")
    assert said.isprintable()


@pytest.mark.parametrize("path", [*DRIPPED, "/hop/a.png"])
def test_a_slow_download_ends_at_its_time(site: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image_sources, "FETCH_SECONDS", 0.3)
    begun = monotonic()
    assert "within 0.3 seconds" in reason(open_image(site + path, allow_fetch=True))
    assert monotonic() - begun < 1.5


async def test_a_download_inside_a_running_event_loop(site: str) -> None:
    assert not isinstance(open_image(f"{site}/a.png", allow_fetch=True), ImageNote)


def test_a_large_download_ends_at_its_size(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image_sources, "MAX_BYTES", 50)
    assert reason(open_image(f"{site}/a.png", allow_fetch=True)).startswith("over")
