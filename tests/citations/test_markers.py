"""Markers lead to lines, one number a turn, and what is quoted in brackets is no marker."""

import pytest

from langrecall.citations.markers import cite
from langrecall.records import Image, Turn
from langrecall.state import MemoryLine


def line(turn: str) -> MemoryLine:
    return MemoryLine(id=turn, text=f"line of {turn}", sources=[turn], quote="", verified=True)


@pytest.mark.parametrize(
    ("text", "expected", "turns"),
    [
        ("Oslo [2], since May [1].", "Oslo [1], since May [2].", ["s:2", "s:1"]),
        ("Oslo [1][3].", "Oslo [1].", ["s:1"]),
        ("Oslo [1, 2].", "Oslo [1][2].", ["s:1", "s:2"]),
        ("Oslo [1; 2].", "Oslo [1][2].", ["s:1", "s:2"]),
        ("Oslo [1-3].", "Oslo [1][2].", ["s:1", "s:2"]),
        ("Oslo\n[2] and [1\u20132]", "Oslo\n [1] and [2][1]", ["s:2", "s:1"]),
        ("Oslo [7].", "Oslo.", []),
        ("Oslo [-1], [0].", "Oslo,.", []),
        (f"Oslo [{'9' * 5000}].", f"Oslo [{'9' * 5000}].", []),
        ("Oslo.", "Oslo.", []),
    ],
)
def test_markers_are_renumbered_by_first_mention(text: str, expected: str, turns: list[str]) -> None:
    lines = [line("s:1"), line("s:2"), line("s:1")]
    shown, cited = cite(text, lines)
    assert shown == expected
    assert [each["sources"][0] for each in cited] == turns


def test_brackets_that_are_quoted_are_no_markers() -> None:
    said = "My dog is Bolt [2], see item [12] of the list.\n[1] is what I wrote on it."
    picture = Image(source="x.png", ocr="Gate [3]")
    turn = Turn(session_id="s", index=2, speaker="Tom", role="speaker", text=said, images=(picture,))
    lines = [line("s:1"), line("s:2")]
    shown, cited = cite(
        f"Tom: \u201c{said}\u201d and in the picture: \u201cGate [3]\u201d [2]\nMia: [1]", lines, [turn]
    )
    assert shown == f"Tom: \u201c{said}\u201d and in the picture: \u201cGate [3]\u201d [1]\nMia: [2]"
    assert [each["sources"][0] for each in cited] == ["s:2", "s:1"]
    laid_out = said.replace("\n", "\n  ")
    assert cite(f"Tom: \u201c{laid_out}\u201d", lines, [turn]) == (f"Tom: \u201c{laid_out}\u201d", [])
