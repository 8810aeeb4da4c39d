"""Results to stdout, whatever they hold and wherever it goes."""

import io
import json
import sys

import pytest
from rich.console import Console

from langrecall.cli import output


def printed(width: int, *, terminal: bool, encoding: str = "utf-8") -> tuple[Console, io.BytesIO]:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace", write_through=True)
    return Console(file=stream, width=width, force_terminal=terminal, color_system=None, highlight=False), raw


def test_a_terminal_gets_wrapped_and_indented_lines() -> None:
    console, raw = printed(20, terminal=True)
    output.say(console, "one two three four five six", indent=4)
    assert raw.getvalue().decode().splitlines() == ["    one two three", "    four five six"]


def test_a_pipe_gets_a_paragraph_as_one_line() -> None:
    console, raw = printed(20, terminal=False)
    output.say(console, "one two three four five six", indent=4)
    assert raw.getvalue().decode().splitlines() == ["    one two three four five six"]


def test_markup_in_a_history_is_text() -> None:
    console, raw = printed(80, terminal=False)
    output.say(console, "[bold]not bold[/bold] :smile:")
    assert raw.getvalue().decode() == "[bold]not bold[/bold] :smile:\n"


def test_signs_have_an_ascii_form_of_the_same_width() -> None:
    console, raw = printed(80, terminal=False, encoding="ascii")
    output.say(console, ("✓ supported", "green"), " · ", "“quoted”")
    assert raw.getvalue().decode() == '+ supported - "quoted"\n'


def test_escape_sequences_cannot_reach_the_terminal() -> None:
    assert output.clean("a\x1b[2Jb\x9bc\x07\td\n") == "a\ufffd[2Jb\ufffdc\ufffd\td\n"


@pytest.mark.parametrize("character", ["\N{RIGHT-TO-LEFT OVERRIDE}", "\N{RIGHT-TO-LEFT ISOLATE}", "\0", "\r", "\x9b"])
@pytest.mark.parametrize("styled", [True, False])
def test_whatever_is_said_cannot_control_the_terminal(character: str, styled: bool) -> None:
    console, raw = printed(80, terminal=False)
    text = f"Mia{character}aiM"
    output.say(console, (text, "cyan") if styled else text)
    assert raw.getvalue().decode() == "Mia\ufffdaiM\n"


def test_letters_written_from_right_to_left_stay_as_they_are() -> None:
    assert output.clean("\u05e9\u05dc\u05d5\u05dd\u200f!") == "\u05e9\u05dc\u05d5\u05dd\u200f!"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_json_survives_any_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding, write_through=True))
    output.prepare_streams()
    output.emit({"text": "東京 é 🍵 \ud83d"})
    assert json.loads(raw.getvalue().decode(encoding)) == {"text": "東京 é 🍵 \ud83d"}
