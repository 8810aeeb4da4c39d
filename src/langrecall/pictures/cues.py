"""Which turns have a picture to look at, by what they carry and by their words."""

import re

from langrecall.records import Turn

_PICTURE = (
    r"(?:photo(?:graph)?|picture|pic|image|screenshot|selfie|snapshot|poster|flyer|drawing|painting|sketch|scan)s?"
)
_SHOWING = (
    r"(?:look at|check out|here['\u2019]?s|here (?:is|are)|attach(?:ed|ing)|sen(?:t|d|ding)|shar(?:ed?|ing)|took|see)"
)
_IMAGE_WORDS = re.compile(
    rf"\b{_SHOWING}\b(?:\W+\w+){{0,3}}?\W+{_PICTURE}\b"
    rf"|\b(?:this|these)\W+(?:\w+\W+)?{_PICTURE}\b"
    rf"|\b{_PICTURE} (?:attached|omitted|below|above)\b"
    r"|<(?:media omitted|attached:[^>]*)>"
    r"|\blook at (?:this|these)\b"
    r"|\S\.(?:png|jpe?g|gif|webp|heic|bmp|tiff?)\b",
    re.IGNORECASE,
)


def has_image_cue(turn: Turn) -> bool:
    """Whether a turn carries a picture, a caption, or words that point at one."""
    return bool(turn.images) or _IMAGE_WORDS.search(turn.text) is not None
