"""Which session an argument means."""

import pytest

from langrecall.tools.read_raw import named_session

SEEN = ["s1", "chat [1]", '"quoted"', " blank", "Chat with Bo, 2024", "10:30"]


@pytest.mark.parametrize(
    ("argument", "session"),
    [
        ("s1", "s1"),
        (" [s1] ", "s1"),
        ("`s1:12`", "s1"),
        ("chat [1]", "chat [1]"),
        ("chat [1]:0", "chat [1]"),
        ('"quoted"', '"quoted"'),
        (" blank", " blank"),
        ("[Chat with Bo, 2024:3]", "Chat with Bo, 2024"),
        ("10:30", "10:30"),
        ("10:30:2", "10:30"),
        ("s2", None),
        ("", None),
        ("s1:x", None),
    ],
)
def test_the_exact_name_comes_first(argument: str, session: str | None) -> None:
    assert named_session(argument, SEEN) == session
