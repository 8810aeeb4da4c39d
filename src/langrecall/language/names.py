"""What is written like a proper name: with a capital, in any script that has them."""

import re

# Latin, Greek, Cyrillic, Armenian; Georgian; more of Latin and Greek; Glagolitic to Coptic; more of Cyrillic and Latin.
_SCRIPTS = ((0x41, 0x588), (0x10A0, 0x10D0), (0x1E00, 0x2000), (0x2C00, 0x2D00), (0xA640, 0xA7F0))
CAPITAL = f"[{''.join(chr(code) for first, last in _SCRIPTS for code in range(first, last) if chr(code).isupper())}]"
"""A class of a pattern."""

NAME = rf"{CAPITAL}\w+"
"""One word of a name, as a pattern."""

INSIDE = r"(?<=[\w,;:'\u2019-] )[\"\u201c\u00ab(]?"
"""After another word, as a pattern: the first word of a sentence has a capital whatever it is."""

_NAME = re.compile(rf"{INSIDE}({NAME})")
_NAMES = re.compile(rf"{INSIDE}({NAME}(?: {NAME})*)")


def name_words(text: str) -> list[str]:
    """Words within sentences that are written like names, in order."""
    return _NAME.findall(text)


def names_of(text: str) -> list[str]:
    """The names within sentences, a run of capitalised words as one, each once."""
    return list(dict.fromkeys(_NAMES.findall(text)))
