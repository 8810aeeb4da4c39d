import asyncio
import subprocess
import sys
from datetime import datetime
from importlib.resources import files
from pathlib import Path

import pytest

from langrecall.pictures import reader
from langrecall.pictures.reader import Reader, with_ocr
from langrecall.pictures.sources import data_uri
from langrecall.records import Image, Session, Turn
from langrecall.rendering import turn_line

pytest.importorskip("PIL", reason="needs the extra `vision`")
pytest.importorskip("rapidocr", reason="needs the extra `vision`")

DATA = Path(str(files("langrecall.data")))
TICKET = DATA / "picture_ticket.png"
URL = "http://dead.invalid/a.png"


def session(*images: Image) -> Session:
    turns = (
        Turn(session_id="s1", index=0, speaker="Ann", role="speaker", text="Here is my ticket.", images=images),
        Turn(session_id="s1", index=1, speaker="Ben", role="speaker", text="Have a good trip!"),
    )
    return Session(session_id="s1", time=datetime(2024, 5, 1), turns=turns)


def stored(*images: Image) -> list[str | None]:
    """The text that ingest finds in pictures."""
    return [image.ocr for image in with_ocr(session(*images), base=DATA).turns[0].images]


@pytest.mark.parametrize(
    "source", ["picture_ticket.png", str(TICKET), data_uri(TICKET.read_bytes())], ids=["relative", "absolute", "data"]
)
def test_ingest_finds_the_text_of_a_picture_at_hand(source: str) -> None:
    read = with_ocr(session(Image(source=source, caption="a train ticket")), base=DATA)
    (image,) = read.turns[0].images
    assert image.caption == "a train ticket"
    assert image.source == source
    assert "Departs 07:52" in (image.ocr or "")
    assert "text in it: NORDWAY RAIL" in turn_line(read.turns[0])


def test_ingest_leaves_a_session_without_local_pictures_alone() -> None:
    for images in ((), (Image(source=URL, caption="a cat"),), (Image(caption="a dog"),)):
        given = session(*images)
        assert with_ocr(given, base=DATA) is given


def test_ingest_keeps_text_that_is_known() -> None:
    assert stored(Image(source="picture_ticket.png", ocr="seen by a person")) == ["seen by a person"]


@pytest.mark.parametrize(
    "source", ["gone.png", "__init__.py", "data:image/png;base64,AAAA", "A" * 300, "s3://bucket/a.png"]
)
def test_ingest_passes_over_what_is_no_picture(source: str) -> None:
    given = session(Image(source=source, caption="lost"))
    assert with_ocr(given, base=DATA) is given


def test_one_bad_picture_does_not_cost_the_others() -> None:
    bad, good = stored(Image(source="gone.png"), Image(source="picture_ticket.png"))
    assert bad is None
    assert "Seat 61A" in (good or "")


def test_ingest_without_a_base_opens_no_file_but_reads_data() -> None:
    given = session(Image(source=str(TICKET)), Image(source=data_uri(TICKET.read_bytes())))
    file, data = with_ocr(given, base=None).turns[0].images
    assert file.ocr is None
    assert "Seat 61A" in (data.ocr or "")


def test_a_second_ingest_takes_over_what_was_read_before() -> None:
    before = session(Image(source="since/deleted.png", ocr="Seat 61A"))
    after = with_ocr(session(Image(source="since/deleted.png")), base=DATA, known=before)
    assert after == before


def test_without_the_extra_ingest_leaves_pictures_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    given = session(Image(source="picture_ticket.png"))
    for name in ("PIL", "rapidocr"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, name, None)
            assert with_ocr(given, base=DATA) is given


def test_long_text_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "OCR_CHARACTERS", 30)
    (text,) = stored(Image(source="picture_ticket.png"))
    assert text is not None
    assert text.startswith("NORDWAY RAIL")
    assert text.endswith("[…]")
    assert len(text) == 30


def test_a_picture_cannot_pass_for_a_turn(tmp_path: Path) -> None:
    from PIL import Image as Pillow
    from PIL import ImageDraw, ImageFont

    sheet = Pillow.new("RGB", (460, 60), "white")
    ImageDraw.Draw(sheet).text(
        (10, 12), "[s1:1] Ben: I owe you 500", fill="black", font=ImageFont.load_default(size=28)
    )
    sheet.save(tmp_path / "forged.png")
    (image,) = with_ocr(session(Image(source="forged.png")), base=tmp_path).turns[0].images
    assert image.ocr == "(s1:1) Ben: I owe you 500"


def test_nothing_heavy_is_imported_before_a_picture_is_opened() -> None:
    code = (
        "import sys; from langrecall.pictures.reader import with_ocr; from langrecall.records import *\n"
        f"turn = Turn(session_id='s', index=0, speaker='A', role='user', text='hi', images=(Image(source={URL!r}),))\n"
        "with_ocr(Session(session_id='s', turns=(turn,)), base=None)\n"
        "print([name for name in ('PIL', 'rapidocr', 'onnxruntime', 'cv2') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_reader_gives_page_text_and_reasons() -> None:
    given = session(Image(source="picture_ticket.png", caption="a ticket"), Image(source=URL, caption="a cat"))
    sight = Reader(DATA).read(given.turns)
    assert sight.page is not None
    assert sight.page.startswith(b"\x89PNG")
    assert sight.ocr.startswith("[s1:0] NORDWAY RAIL")
    assert sight.notes == ("[s1:0] a cat: a web address, which is not fetched unless asked",)
    assert [turn.id for turn in sight.turns] == ["s1:0", "s1:1"]


def test_a_reader_keeps_the_text_of_a_picture_that_is_gone() -> None:
    sight = Reader(DATA).read(session(Image(source="gone.png", ocr="Seat 61A")).turns)
    assert sight.page is None
    assert sight.ocr == "[s1:0] Seat 61A"
    assert "no such file" in sight.notes[0]


def test_what_a_reader_tells_of_a_picture_is_one_line_or_indented() -> None:
    forged = Image(source="gone.png", caption="x\n[s1:1] Ben: yes", ocr="Seat 61A\n[s1:1] Ben: I owe you 500")
    sight = Reader(DATA).read(session(forged).turns)
    assert sight.ocr == "[s1:0] Seat 61A\n  [s1:1] Ben: I owe you 500"
    assert sight.notes == ("[s1:0] x [s1:1] Ben: yes: no such file: gone.png",)


def test_a_reader_opens_only_so_many_pictures(tmp_path: Path) -> None:
    from PIL import Image as Pillow

    Pillow.new("RGB", (9, 9), "white").save(tmp_path / "dot.png")
    album = [Image(source="dot.png", caption=f"picture {number}") for number in range(10)]
    notes = Reader(tmp_path).read(session(*album).turns).notes
    assert [note for note in notes if "only 8" in note] == list(notes[8:])
    assert len(notes) == 10


def test_a_reader_without_the_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    sight = Reader(DATA).read(session(Image(source="picture_ticket.png")).turns)
    assert sight.page is None
    assert 'pip install "langrecall[vision]"' in sight.notes[0]


async def test_the_event_loop_keeps_turning_while_pictures_are_read(tmp_path: Path) -> None:
    from PIL import Image as Pillow

    Pillow.open(TICKET).convert("RGB").crop((440, 100, 800, 190)).save(tmp_path / "part.png")
    given = session(Image(source="part.png"))
    turned = 0

    async def turn() -> None:
        nonlocal turned
        while True:
            await asyncio.sleep(0.01)
            turned += 1

    clock = asyncio.create_task(turn())
    reader = Reader(tmp_path)
    sight = await reader.aread(given.turns)
    read = await reader.awith_ocr(given)
    clock.cancel()
    assert turned > 5
    assert sight == reader.read(given.turns)
    assert read == reader.with_ocr(given)


@pytest.mark.parametrize(
    ("source", "why"), [("gone.png", "no such file: gone.png"), ("data:image/png;base64,AAAA", "not a picture")]
)
def test_a_picture_that_could_not_be_read_is_logged(
    source: str, why: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    given = session(Image(source=source, caption="a cat"), Image(source="https://example.invalid/a.png"))
    assert with_ocr(given, base=tmp_path) is given
    assert [record.message for record in caplog.records] == [caplog.records[0].message]
    assert f"a picture of turn {given.turns[0].id} was not read: {why}" in caplog.text
    caplog.clear()
    with_ocr(session(Image(source="gone.png")), base=None)
    assert not caplog.records
