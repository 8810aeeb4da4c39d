"""Chats as text: how telephones write a line, what is speech, and where a session ends."""

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from langrecall.errors import InputError
from langrecall.loaders import load
from langrecall.records import Session, Turn

Write = Callable[..., Path]
NARROW = "\u202f"


def turns(path: Path) -> list[Turn]:
    return [turn for session in load(path).histories[0].sessions for turn in session.turns]


def sessions(path: Path) -> tuple[Session, ...]:
    return load(path).histories[0].sessions


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("[07.03.26, 21:22:39] Bo: hi", datetime(2026, 3, 7, 21, 22, 39)),
        (f"28/3/2025, 9:29{NARROW}p.{NARROW}m. - Bo: hi", datetime(2025, 3, 28, 21, 29)),
        ("30/08/25 18.00 - Bo: hi", datetime(2025, 8, 30, 18, 0)),
        ("30.08.25, 18:00 \u2013 Bo: hi", datetime(2025, 8, 30, 18, 0)),
        (f"[8/15/23, 9:12:33{NARROW}AM] Bo: hi", datetime(2023, 8, 15, 9, 12, 33)),
        ("8/15/23, 12:05 am - Bo: hi", datetime(2023, 8, 15, 0, 5)),
        ("8/15/23, 12:05 PM - Bo: hi", datetime(2023, 8, 15, 12, 5)),
        ("1/23/23, 3:22_AM - Bo: hi", datetime(2023, 1, 23, 3, 22)),
        ("2023-08-15, 09:12 - Bo: hi", datetime(2023, 8, 15, 9, 12)),
        ("[2023/8/15 \u4e0b\u53489:12:33] Bo: hi", datetime(2023, 8, 15, 21, 12, 33)),
        ("2023/08/15 \u5348\u524d9:12 - Bo: hi", datetime(2023, 8, 15, 9, 12)),
        ("\u200e[8/15/23, 9:12:33 AM] Bo: hi", datetime(2023, 8, 15, 9, 12, 33)),
        ("\ufeff[8/15/23, 9:12:33 AM] Bo: hi", datetime(2023, 8, 15, 9, 12, 33)),
        ("\u0661\u0665/\u0668/\u0662\u0660\u0662\u0663, \u0669:\u0661\u0662 \u0645 - Bo: hi", datetime(2023, 8, 15, 21, 12)),
    ],
)  # fmt: skip
def test_the_ways_telephones_write_a_line(write: Write, line: str, time: datetime) -> None:
    (turn,) = turns(write(line + "\n", "chat.txt"))
    assert (turn.speaker, turn.role, turn.text, turn.time) == ("Bo", "speaker", "hi", time)


def test_a_line_without_a_time_goes_on_with_the_message_before(write: Write) -> None:
    text = "30/08/25, 18:00 - Mira: one\r\n\r\nthree: 3/4/25\r\n30/08/25, 18:01 - Bo: yes: it is\r\n"
    assert [turn.text for turn in turns(write(text, "chat.txt"))] == ["one\n\nthree: 3/4/25", "yes: it is"]


def test_notices_and_what_was_left_out_are_nobodys_speech(write: Write) -> None:
    text = """[8/15/23, 9:12:33 AM] Mira: \u200eMessages and calls are end-to-end encrypted.
[8/15/23, 9:12:43 AM] Mira: I saw a macaw
\u200e[8/15/23, 9:12:48 AM] Mira: \u200eimage omitted
[8/15/23, 9:12:49 AM] Bo added Odalys
[8/15/23, 9:12:50 AM] +49 170 000 created group "Birds: all"
[8/15/23, 9:12:51 AM] Bo: <Media omitted>
[8/15/23, 9:12:52 AM] Bo: This message was deleted
[8/15/23, 9:12:53 AM] Bo:
[8/15/23, 9:12:54 AM] ~ Odalys: <3 it
"""
    (session,) = sessions(write(text, "chat.txt"))
    assert session.speakers == ("Mira", "Odalys")
    assert [turn.text for turn in session.turns if turn.role == "speaker"] == ["I saw a macaw", "<3 it"]
    assert [(turn.speaker, turn.text) for turn in session.turns if turn.role == "system"] == [
        ("Mira", "Messages and calls are end-to-end encrypted."),
        ("Mira", "image omitted"),
        ("messenger", "Bo added Odalys"),
        ("messenger", '+49 170 000 created group "Birds: all"'),
        ("Bo", "<Media omitted>"),
        ("Bo", "This message was deleted"),
        ("messenger", "Bo:"),
    ]


def test_pictures_are_found_beside_the_file(write: Write) -> None:
    picture = write(b"x", "IMG-1.jpg")
    text = """30/08/25, 18:00 - Mira: IMG-1.jpg (file attached)
Our new flat
30/08/25, 18:01 - Mira: \u200e<adjunto: 2-PHOTO.jpg>
30/08/25, 18:02 - Mira: PTT-3.opus (file attached)
"""
    first, second, third = turns(write(text, "chat.txt"))
    assert (first.text, first.images[0].source) == ("Our new flat", str(picture.resolve()))
    assert (second.text, second.images[0].source) == ("", "2-PHOTO.jpg")
    assert (third.text, third.images) == ("PTT-3.opus (file attached)", ())


def test_four_silent_hours_end_a_session_which_is_named_after_its_first_minute(write: Write) -> None:
    lines = [
        "30/08/25, 20:00 - Mira: a",
        "30/08/25, 23:59 - Bo: b",
        "31/08/25, 03:59 - Mira: c",
        "31/08/25, 08:00 - Bo: d",
    ]
    found = sessions(write("\n".join(lines), "WhatsApp Chat with Bo.txt"))
    assert [(session.session_id, len(session.turns)) for session in found] == [
        ("WhatsApp Chat with Bo 2025-08-30T2000", 3),
        ("WhatsApp Chat with Bo 2025-08-31T0800", 1),
    ]
    longer = sessions(write("\n".join([*lines, "31/08/25, 08:01 - Mira: e"]), "WhatsApp Chat with Bo.txt"))
    assert [session.session_id for session in longer] == [session.session_id for session in found]
    assert longer[0] == found[0]


def test_hours_in_which_nobody_spoke_are_counted_as_empty(write: Write) -> None:
    lines = ["30/08/25, 10:00 - Mira: a", "30/08/25, 20:00 - Bo left", "31/08/25, 08:00 - Mira: b"]
    (history,) = load(write("\n".join(lines), "chat.txt")).histories
    assert [len(session.turns) for session in history.sessions] == [1, 1]
    assert history.empty == ("chat 2025-08-30T2000",)


def test_dates_that_can_be_two_are_one_clear_line(write: Write) -> None:
    path = write("3/4/25, 18:00 - Mira: a\n", "chat.txt")
    message = (
        f"{path}: 3/4/25 may be 3 April 2025 or 4 March 2025, and nothing in the file tells; say which with --day-first"
    )
    with pytest.raises(InputError, match=re.escape(message)):
        load(path)
    assert load(path, day_first=True).histories[0].sessions[0].time == datetime(2025, 4, 3, 18)
    assert load(path, day_first=False).histories[0].sessions[0].time == datetime(2025, 3, 4, 18)


def test_one_conversation_cannot_be_picked_of_one(write: Write) -> None:
    with pytest.raises(InputError, match="holds one history without a name, so 'x' picks nothing"):
        load(write("30/08/25, 18:00 - Mira: a\n", "chat.txt"), only="x")


@pytest.mark.parametrize("text", ["99/99/99, 18:00 - Mira: a\n", "30/08/25, 18:61 - Mira: a\n", "18:00 Mira: a\n"])
def test_what_is_no_time_is_no_chat(write: Write, text: str) -> None:
    with pytest.raises(InputError, match="no JSON; known are"):
        load(write(text, "chat.txt"))
