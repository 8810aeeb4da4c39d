"""The pictures of turns: read at question time, and their text stored at ingest so that it can be searched."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from langrecall.effects import twin
from langrecall.errors import MissingExtraError
from langrecall.pictures.images import open_image
from langrecall.pictures.ocr import read_text
from langrecall.pictures.pages import MOST_PICTURES, PAGE_PIXELS, PagePart, lay_out
from langrecall.pictures.sources import ImageNote, is_web_address
from langrecall.records import Image, Session, Turn
from langrecall.rendering import CUT, image_note, indented, one_line, turn_line

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

log = logging.getLogger(__name__)

OCR_CHARACTERS = 2_000
"""Of one picture that are kept, so that a turn with a picture still fits an observation."""


class Sight(NamedTuple):
    """What looking at the pictures of some turns gave."""

    turns: tuple[Turn, ...]
    """The turns as given, with the text that was found in their pictures."""
    page: bytes | None
    """The turns and their pictures as one PNG; None where no picture could be opened."""
    notes: tuple[str, ...]
    """Why a picture could not be opened or read, one line each."""

    @property
    def ocr(self) -> str:
        """The text found, one picture a line led by its turn's id."""
        found = ((turn.id, image.ocr) for turn in self.turns for image in turn.images if image.ocr)
        return "\n".join(f"[{one_line(turn_id)}] {indented(text)}" for turn_id, text in found)


class _Look(NamedTuple):
    image: Image
    picture: "Picture | None" = None
    note: str = ""


@dataclass(frozen=True)
class Reader:
    """Opens pictures and reads them. Every method blocks for seconds; its async form, with an `a` in front, does so on a thread.

    Relative paths start at `base`; with None no file is opened, for histories that strangers may write to. Web addresses are fetched
    only with `allow_fetch`.
    """

    base: Path | None = Path()
    allow_fetch: bool = False
    page_pixels: int = PAGE_PIXELS

    def read(self, turns: Sequence[Turn]) -> Sight:
        """Open the pictures of turns, read them by OCR where that was not done at ingest, and lay all out as one page."""
        return _sight(turns, self._looks(turns), self.page_pixels)

    def with_ocr(self, session: Session, known: Session | None = None) -> Session:
        """As the function of this name."""
        return with_ocr(session, base=self.base, known=known)

    aread = twin(read)
    awith_ocr = twin(with_ocr)

    def _looks(self, turns: Sequence[Turn]) -> list[list[_Look]]:
        left = MOST_PICTURES
        looks = []
        for turn in turns:
            looks.append(
                [self._look(image) if place < left else _passed_over(image) for place, image in enumerate(turn.images)]
            )
            left = max(left - len(turn.images), 0)
        return looks

    def _look(self, image: Image) -> _Look:
        if image.source is None:
            return _Look(image, note="only its caption is known")
        try:
            opened = open_image(image.source, base=self.base, allow_fetch=self.allow_fetch)
            if isinstance(opened, ImageNote):
                return _Look(image, note=opened.reason)
            text = image.ocr or _text_in(opened)
        except MissingExtraError as error:
            return _Look(image, note=str(error))
        read = image.model_copy(update={"ocr": text or None})
        return _Look(read, opened, "" if text else "no text in it")


def with_ocr(session: Session, *, base: Path | None, known: Session | None = None) -> Session:
    """A session whose pictures carry the text in them; the same object where there is nothing to add.

    Pictures that are files, data URIs or base64 text are read, web addresses never. Relative paths start at `base`; with None no file
    is opened. `known` is the session as stored before: what was read from a source then is not read again, and without the extra
    `vision` it is all there is to add. A picture that could not be read is logged as a warning. Blocking, for about two seconds a picture.
    """
    readings = _stored_readings(known)
    turns = tuple(_turn_with_ocr(turn, base, readings) for turn in session.turns)
    return session if turns == session.turns else session.model_copy(update={"turns": turns})


def _turn_with_ocr(turn: Turn, base: Path | None, readings: dict[str, str]) -> Turn:
    images = tuple(_image_with_ocr(image, base, readings, turn.id) for image in turn.images)
    return turn if images == turn.images else turn.model_copy(update={"images": images})


def _image_with_ocr(image: Image, base: Path | None, readings: dict[str, str], turn_id: str) -> Image:
    if image.ocr or image.source is None or is_web_address(image.source):
        return image
    text = readings.get(image.source) or _ocr(image.source, base, turn_id)
    return image.model_copy(update={"ocr": text}) if text else image


def _ocr(source: str, base: Path | None, turn_id: str) -> str:
    try:
        opened = open_image(source, base=base)
        if not isinstance(opened, ImageNote):
            return _text_in(opened)
        reason = opened.reason
    except MissingExtraError as error:
        reason = str(error)
    if base is not None:  # without one no file is opened, which is how it was asked for
        log.warning("a picture of turn %s was not read: %s", one_line(turn_id), reason)
    return ""


def _stored_readings(known: Session | None) -> dict[str, str]:
    images = (image for turn in known.turns for image in turn.images) if known else ()
    return {image.source: image.ocr for image in images if image.source and image.ocr}


def _sight(turns: Sequence[Turn], looks: Sequence[Sequence[_Look]], pixels: int) -> Sight:
    pairs = list(zip(turns, looks, strict=True))
    seen = tuple(turn.model_copy(update={"images": tuple(look.image for look in own)}) for turn, own in pairs)
    spoken = sorted(pairs, key=lambda pair: (pair[0].session_id, pair[0].index))
    parts = [_part(turn, own) for turn, own in spoken]
    page = lay_out(parts, pixels=pixels).png if any(part.pictures for part in parts) else None
    return Sight(seen, page, tuple(_notes(pairs)))


def _part(turn: Turn, looks: Iterable[_Look]) -> PagePart:
    words = turn_line(turn.model_copy(update={"images": ()}), grounded=False)
    unopened = [image_note(look.image) for look in looks if look.picture is None]
    pictures = tuple(look.picture for look in looks if look.picture is not None)
    return PagePart(turn.id, " ".join([f"[{one_line(turn.id)}]", words, *unopened]), pictures)


def _notes(pairs: Iterable[tuple[Turn, Sequence[_Look]]]) -> Iterator[str]:
    for turn, looks in pairs:
        for look in looks:
            if look.note:
                yield one_line(f"[{turn.id}] {look.image.caption or 'a picture'}: {look.note}")


def _passed_over(image: Image) -> _Look:
    return _Look(image, note=f"not opened, for only {MOST_PICTURES} pictures are looked at together")


def _text_in(picture: "Picture") -> str:
    """Brackets become round: in what is shown, square ones mark turns and pictures, and a picture must not pass for a turn."""
    text = read_text(picture).translate(str.maketrans("[]", "()"))
    return text if len(text) <= OCR_CHARACTERS else text[: OCR_CHARACTERS - len(CUT)] + CUT
