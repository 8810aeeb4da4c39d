"""Our own format: what it keeps, what it refuses, and that writing and reading it are inverse."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from langrecall.errors import InputError
from langrecall.loaders import dump, load
from langrecall.records import Image, Role, Session, Turn

Write = Callable[..., Path]
ROLES: tuple[Role, ...] = ("speaker", "user", "assistant", "system", "tool")


def session(session_id: str = "s1", *turns: dict[str, Any], **fields: object) -> dict[str, Any]:
    said = turns or ({"speaker": "Odalys", "text": "hello"},)
    return {"session_id": session_id, "time": "2024-03-01T10:00", "turns": list(said), **fields}


def only_session(path: Path) -> Session:
    loaded = load(path)
    assert loaded.kind == "sessions"
    assert [one.name for one in loaded.histories] == [None]
    return loaded.histories[0].sessions[0]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ({"sessions": [session("a"), session("b")]}, "h.json"),
        ([session("a"), session("b")], "h.json"),
        ('{"session_id": "a", "turns": [{"speaker": "X", "text": "x"}]}\n', "one.jsonl"),
        (
            dump([Session(session_id="a", turns=(Turn(session_id="a", index=0, speaker="X", role="user", text="x"),))]),
            "d.json",
        ),
    ],
)
def test_every_way_of_listing_sessions_is_one_history(write: Write, content: object, name: str) -> None:
    assert only_session(write(content, name)).session_id == "a"


def test_a_turn_keeps_its_text_speaker_id_and_place(write: Write) -> None:
    text = "  teh Kyiv trip w/ Łucja, 3pm-ish 👩‍👩‍👧\r\n\t"
    turns = (
        {"speaker": "Odalys Brin", "text": text, "id": "m7"},
        {"speaker": "Bo", "text": "ok", "id": "m7"},
        {"speaker": "Odalys Brin", "text": "ok", "id": 9, "time": "2024-03-01T10:05"},
    )
    first, second, third = only_session(write([session("s:1", *turns)])).turns
    assert (first.text, first.speaker, first.role, first.source_id, first.id) == (
        text,
        "Odalys Brin",
        "speaker",
        "m7",
        "s:1:0",
    )
    assert (second.source_id, second.id) == ("m7", "s:1:1")
    assert (third.source_id, third.time) == ("9", datetime(2024, 3, 1, 10, 5))
    assert second.time == datetime(2024, 3, 1, 10)


@pytest.mark.parametrize(
    ("turn", "speaker", "role"),
    [
        ({"speaker": "Bo"}, "Bo", "speaker"),
        ({"speaker": "user"}, "user", "user"),
        ({"speaker": "assistant"}, "assistant", "assistant"),
        ({"role": "assistant"}, "assistant", "assistant"),
        ({"speaker": "Bo", "role": "user"}, "Bo", "user"),
        ({"speaker": "calendar", "role": "tool"}, "calendar", "tool"),
    ],
)
def test_speakers_and_roles_complete_each_other(write: Write, turn: dict[str, str], speaker: str, role: str) -> None:
    read = only_session(write([session("s1", {**turn, "text": "x"})])).turns[0]
    assert (read.speaker, read.role) == (speaker, role)


def test_sessions_come_in_time_order_whatever_the_file_does(write: Write) -> None:
    dated = [
        session("late", time="2024-03-02T00:30:00+02:00"),
        session("undated", time=None),
        session("early", time="12:30 am on 1 March, 2024"),
        session("middle", time=1709283600),
    ]
    loaded = load(write(dated)).histories[0]
    assert [one.session_id for one in loaded.sessions] == ["early", "middle", "late", "undated"]
    assert loaded.warnings == ("no date: session 'undated'; relative dates said there cannot be resolved",)


def test_a_date_nobody_can_parse_is_kept_as_text_and_flagged(write: Write) -> None:
    turn = {"speaker": "Bo", "text": "x", "time": "05/08/2023"}
    loaded = load(write([session("s1", turn, time="sometime in May")])).histories[0]
    read = loaded.sessions[0]
    assert (read.time, read.time_text, read.turns[0].time) == (None, "sometime in May", None)
    assert [line.split(":")[0] for line in loaded.warnings] == ["session 's1'", "turn 's1"]
    assert "'sometime in May' cannot be read for certain" in loaded.warnings[0]


def test_a_session_without_a_date_has_that_of_its_first_dated_turn(write: Write) -> None:
    turns = ({"speaker": "Bo", "text": "x"}, {"speaker": "Bo", "text": "y", "time": "2024-03-05T08:00Z"})
    read = only_session(write([session("s1", *turns, time=None)]))
    assert read.time is not None
    assert read.time.isoformat() == "2024-03-05T08:00:00+00:00"
    assert [turn.time for turn in read.turns] == [read.time, read.time]


def test_sessions_without_turns_are_told_apart_not_refused(write: Write) -> None:
    loaded = load(
        write([session("a"), {"session_id": "b"}, {"session_id": "c", "turns": []}, session("d", turns=None)])
    )
    assert [one.session_id for one in loaded.histories[0].sessions] == ["a"]
    assert loaded.histories[0].empty == ("b", "c", "d")


def test_pictures_are_kept_by_address_and_found_beside_the_file(write: Write, tmp_path: Path) -> None:
    write(b"png", "card.png")
    images = [
        {"source": "card.png", "caption": "a card"},
        {"source": "gone.png"},
        {"source": "https://example.invalid/a.png"},
        {"source": "data:image/png;base64,AAAA"},
        {"caption": "a dog", "ocr": "BEWARE"},
    ]
    read = only_session(write([session("s1", {"speaker": "Bo", "images": images})])).turns[0]
    assert read.text == ""
    assert read.images == (
        Image(source=str(tmp_path / "card.png"), caption="a card"),
        Image(source="gone.png"),
        Image(source="https://example.invalid/a.png"),
        Image(source="data:image/png;base64,AAAA"),
        Image(caption="a dog", ocr="BEWARE"),
    )


def test_lone_surrogates_are_cleaned_in_text_and_names(write: Write) -> None:
    read = only_session(write([session("s1", {"speaker": "\udc00", "text": "nice \ud83d day \ud83d\ude00"})])).turns[0]
    assert (read.speaker, read.text) == ("\ufffd", "nice \ufffd day 😀")


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        ({"speaker": "Bo"}, "session 's1', turn 2: a turn without text and without image; give it a \"text\""),
        ({"speaker": "Bo", "text": " \n"}, "a turn without text and without image"),
        ({"speaker": "Bo", "text": None, "images": []}, "a turn without text and without image"),
        ({"speaker": "Bo", "text": 7}, "session 's1', turn 2: \"text\" is the number 7; make it a string"),
        ({"speaker": "Bo", "text": ["a"]}, '"text" is a list; make it a string'),
        ({"text": "x"}, 'no "speaker"; make it a string'),
        ({"speaker": "", "text": "x"}, '"speaker" is blank; fill it in'),
        ({"speaker": None, "text": "x"}, '"speaker" is null; make it a string'),
        ({"speaker": "Bo", "role": "boss", "text": "x"}, "\"role\" is 'boss'; the roles are speaker, user"),
        ({"speaker": "Bo", "text": "x", "images": {}}, '"images" is an empty object; make it a list'),
        ({"speaker": "Bo", "text": "x", "images": ["a.png"]}, "a JSON object belongs here, not a string"),
        ({"speaker": "Bo", "text": "x", "images": [{}]}, "an image without source and caption"),
        ({"speaker": "Bo", "text": "x", "images": [{"source": 3}]}, '"source" is the number 3'),
        ({"speaker": "Bo", "text": "x", "id": True}, '"id" is true; make it a string'),
        ("hello", "a JSON object belongs here, not a string; see docs/formats.md"),
    ],
)
def test_a_turn_that_cannot_be_used_is_named(write: Write, turn: object, message: str) -> None:
    path = write([{**session("s1"), "turns": [{"speaker": "Bo", "text": "x"}, turn]}])
    with pytest.raises(InputError) as caught:
        load(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}: session 's1', turn 2: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("sessions", "message"),
    [
        (
            [session("a"), session("a")],
            "session 2: \"session_id\" 'a' is already that of session 1; give each session its own",
        ),
        ([session(), {"turns": []}], 'session 2: no "session_id"'),
        ([session(), session("")], 'session 2: "session_id" is blank'),
        ([session(), 7], "session 2: a JSON object belongs here, not the number 7"),
        ([session(turns="hi")], "session 's1': \"turns\" is a string; make it a list"),
        ([session(source=7)], "session 's1': \"source\" is the number 7"),
        ({"sessions": {"a": 1}}, "\"sessions\" is an object with the keys 'a'; make it a list"),
    ],
)
def test_a_session_that_cannot_be_used_is_named(write: Write, sessions: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(write(sessions))
    assert message in str(caught.value)


def test_only_picks_nothing_from_a_file_that_is_one_history(write: Write) -> None:
    with pytest.raises(InputError, match="holds one history without a name, so 'conv-26' picks nothing"):
        load(write([session()]), only="conv-26")


texts = st.text(min_size=1).filter(lambda text: text.strip() != "")
zones = st.sampled_from([None, timezone(timedelta(hours=-5))])
times = st.none() | st.builds(datetime.replace, st.datetimes(min_value=datetime(1000, 1, 1)), tzinfo=zones)
images = st.builds(
    Image, caption=texts, source=st.none() | st.just("https://example.invalid/a.png"), ocr=st.none() | texts
)


@st.composite
def turns(draw: st.DrawFn, session_id: str, time: datetime | None) -> tuple[Turn, ...]:
    drawn = []
    for index in range(draw(st.integers(1, 4))):
        pictures = draw(st.lists(images, max_size=2))
        text = draw(texts if not pictures else st.text())
        drawn.append(
            Turn(
                session_id=session_id,
                index=index,
                speaker=draw(texts),
                role=draw(st.sampled_from(ROLES)),
                text=text,
                time=time,
                images=tuple(pictures),
                source_id=draw(st.none() | texts),
            )
        )
    return tuple(drawn)


@st.composite
def sessions(draw: st.DrawFn) -> list[Session]:
    names = draw(st.lists(texts, min_size=1, max_size=3, unique=True))
    built = []
    for name in names:
        time = draw(times)
        built.append(Session(session_id=name, time=time, turns=draw(turns(name, time)), source=draw(st.none() | texts)))
    return built


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(sessions())
def test_what_is_dumped_loads_as_it_was(write: Write, written: list[Session]) -> None:
    loaded = load(write(dump(written))).histories[0].sessions
    assert sorted(loaded, key=lambda one: one.session_id) == sorted(written, key=lambda one: one.session_id)


def test_a_date_kept_as_text_survives_a_round_trip(write: Write) -> None:
    path = write([session(time="sometime in May")])
    assert only_session(write(dump(load(path).histories[0].sessions), "again.json")) == only_session(path)
