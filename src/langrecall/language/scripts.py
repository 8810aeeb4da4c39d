"""Scripts that set no spaces between words, where characters have to be counted and paired instead."""

import re

# Thai, Lao, Burmese, Khmer, kana, bopomofo and Han with its iteration mark; and Hangul, whose words carry their particles.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3005-\u3007\u3040-\u312f\u3130-\u318f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
"""Ranges for a class of a pattern."""

_UNSPACED = re.compile(f"[{UNSPACED}]")


def is_unspaced(text: str) -> bool:
    """Whether a text begins in such a script."""
    return _UNSPACED.match(text) is not None


def unspaced_characters(text: str) -> int:
    """How many characters of a text are of such scripts."""
    return len(_UNSPACED.findall(text))
