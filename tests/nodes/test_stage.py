"""Sessions as they come in over Python and HTTP."""

import pytest

from langrecall.errors import InputError
from langrecall.nodes.stage import read_sessions
from langrecall.records import Session

SHORT = {
    "session_id": "chat-1",
    "time": "2024-03-12T18:30",
    "turns": [{"speaker": "Mira", "text": "We moved."}, {"speaker": "Bo", "text": "At last!"}],
}


def test_a_turn_may_leave_out_what_its_session_tells() -> None:
    (session,) = read_sessions([SHORT])
    assert [(turn.id, turn.role, turn.time) for turn in session.turns] == [
        ("chat-1:0", "speaker", session.time),
        ("chat-1:1", "speaker", session.time),
    ]


def test_what_a_turn_says_itself_is_kept() -> None:
    turn = {"speaker": "user", "role": "user", "text": "Hi.", "time": "2024-03-12T19:00"}
    (session,) = read_sessions([SHORT | {"turns": [turn]}])
    assert (session.turns[0].role, session.turns[0].time) != ("speaker", session.time)


def test_records_come_back_as_they_were() -> None:
    (session,) = read_sessions([SHORT])
    undated = session.model_copy(update={"turns": (session.turns[0].model_copy(update={"time": None}),)})
    assert read_sessions([session, undated.model_copy(update={"session_id": "x", "turns": ()})])[0] == session
    assert read_sessions([undated.model_dump(mode="json")]) == [undated]


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"turns": []}, "session 0 of the input, field 'session_id': field required"),
        (SHORT | {"turns": ["Hi."]}, "session 0 of the input, field 'turns.0': input should be a valid dictionary"),
        (SHORT | {"turns": [{"text": "Hi."}]}, "session 0 of the input, field 'turns.0.speaker': field required"),
        (SHORT | {"turns": "Hi."}, "session 0 of the input, field 'turns': input should be a valid tuple"),
        (SHORT | {"turns": [{"speaker": "Bo", "text": "Hi.", "index": 3}]}, "turn 'chat-1:3' stands at place 0"),
    ],
)
def test_what_cannot_be_used_is_named(given: dict[str, object], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read_sessions([given])


def test_an_id_that_comes_twice_is_refused() -> None:
    with pytest.raises(InputError, match="session id 'chat-1' comes twice"):
        read_sessions([SHORT, Session(session_id="chat-1")])
