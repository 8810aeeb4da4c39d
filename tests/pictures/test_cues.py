"""Which words of a turn point at a picture."""

import pytest

from langrecall.pictures.cues import has_image_cue
from langrecall.records import Image, Turn


@pytest.mark.parametrize(
    ("text", "cued"),
    [
        ("Look at this photo from the beach", True),
        ("here's a pic of us", True),
        ("Here\u2019s a quick snapshot", True),
        ("I attached the screenshot", True),
        ("Look at these!", True),
        ("IMG-20240501-WA0003.jpg (file attached)", True),
        ("<Media omitted>", True),
        ("this painting means a lot to me", True),
        ("You should check it out some day", False),
        ("I get the picture", False),
        ("She works as a photographer", False),
        ("Her image of herself has changed", False),
        ("", False),
    ],
)
def test_words_that_point_at_a_picture_are_a_cue(text: str, cued: bool) -> None:
    assert has_image_cue(Turn(session_id="s", index=0, speaker="Ann", role="speaker", text=text)) is cued


@pytest.mark.parametrize("image", [Image(source="a.png"), Image(caption="a cat")])
def test_a_picture_or_a_caption_is_a_cue(image: Image) -> None:
    assert has_image_cue(Turn(session_id="s", index=0, speaker="Ann", role="speaker", text="", images=(image,)))
