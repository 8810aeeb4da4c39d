import sys
from collections.abc import Sequence
from copy import deepcopy
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import pytest

from langrecall.effects import arun, run
from langrecall.engine.observations import notice, observe_turns
from langrecall.engine.run import Run
from langrecall.policies.base import PageRequest, Policy, Reply, Spent
from langrecall.records import Episode, Image, Session, Turn
from langrecall.rendering import text_tokens, turn_line
from langrecall.settings import Settings
from langrecall.state import MemoryLine, Observation, RecallState, TrajectoryStep
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.tools.view import create_view_tool, view

needs_vision = pytest.mark.usefixtures("vision")

DATA = Path(str(files("langrecall.data")))
Told = tuple[str, str, Image | None]

TRIP: dict[str, list[Told]] = {
    "trip": [
        ("Ann", "All booked for Friday!", None),
        (
            "Ann",
            "Here's a photo of my ticket.",
            Image(source=str(DATA / "picture_ticket.png"), caption="a train ticket on a table"),
        ),
        ("Ben", "Great, I will be at the station.", None),
    ],
    "dinner": [
        ("Ben", "Where shall we eat?", None),
        ("Ann", "Look at this menu!", Image(source=str(DATA / "picture_menu.png"), caption="a menu on a dark board")),
        ("Ben", "I will have the bream.", None),
    ],
    "work": [
        (
            "Marek",
            "From today's meeting.",
            Image(source=str(DATA / "picture_whiteboard.png"), caption="a whiteboard with a note"),
        ),
    ],
}


READ = {
    "trip:1": "NORDWAY RAIL\nDeparts 07:52\nSeat 61A",
    "dinner:1": "THE COPPER LADLE\n" + "\n".join(f"Dish {number} {number}.50" for number in range(40)),
    "work:0": "Budget left 4,250",
}
"""What ingest would have read, for tests that are not about reading."""


class Reading:
    """A policy of which only `read_page` is asked: it says what it was told to, or returns the OCR text."""

    def __init__(self, says: str = "") -> None:
        self.says = says
        self.requests: list[PageRequest] = []

    def read_page(self, request: PageRequest) -> Reply[str]:
        self.requests.append(request)
        if self.says:
            return Reply(self.says, "model", Spent(calls=1, prompt_tokens=900, completion_tokens=20))
        return Reply(request.ocr, "store")

    async def aread_page(self, request: PageRequest) -> Reply[str]:
        return self.read_page(request)


@pytest.fixture
def vision() -> None:
    pytest.importorskip("PIL", reason="needs the extra `vision`")
    pytest.importorskip("rapidocr", reason="needs the extra `vision`")


@pytest.fixture
def unread() -> HistoryStore:
    """Pictures as an ingest without the extra leaves them."""
    return remembered(**TRIP)


@pytest.fixture
def history() -> HistoryStore:
    """The same with the text of the pictures already known."""
    known: dict[str, list[Told]] = {
        name: [
            (speaker, text, image and image.model_copy(update={"ocr": READ[f"{name}:{place}"]}))
            for place, (speaker, text, image) in enumerate(turns)
        ]
        for name, turns in TRIP.items()
    }
    return remembered(**known)


def remembered(**sessions: list[Told]) -> HistoryStore:
    """A history of sessions, each a list of who said what with which picture."""
    told = [
        Session(
            session_id=name,
            time=datetime(2024, 4, 29),
            turns=tuple(
                Turn(
                    session_id=name,
                    index=place,
                    speaker=speaker,
                    role="speaker",
                    text=text,
                    time=datetime(2024, 4, 29),
                    images=(image,) if image else (),
                )
                for place, (speaker, text, image) in enumerate(turns)
            ),
        )
        for name, turns in sessions.items()
    ]
    store = ChromaHistory.open(None, embeddings=None).at("ann")
    entries = {session.session_id: Episode(session_id=session.session_id, title="") for session in told}
    store.put(told, entries, describer="extractive", form="wiki")
    return store


def begun(
    history: HistoryStore,
    shown: Sequence[str],
    *,
    kept: Sequence[str] = (),
    argument: str = "",
    earlier: Sequence[Observation] = (),
) -> RecallState:
    """A question whose latest observation shows turns, and whose reason step has just chosen to view."""
    latest = observe_turns("zoom_in", history.turns(shown), Settings.of({}), step=1, cap=None)
    line = MemoryLine(id="1.1", text="kept", sources=list(kept), quote="", verified=True)
    state = {
        "query": "Which seat does Ann have?",
        "observation": [*earlier, latest],
        "memory": [line] if kept else [],
        "argument": argument,
        "step": 2,
    }
    return cast("RecallState", state)


def bound(history: HistoryStore, policy: Reading | None = None, **settings: Any) -> tuple[Run, list[TrajectoryStep]]:
    emitted: list[TrajectoryStep] = []
    made = Run(history, cast("Policy", policy or Reading()), Settings.of(settings), emitted.append)
    return made, emitted


def viewed(history: HistoryStore, shown: Sequence[str], policy: Reading | None = None, **choices: Any) -> Observation:
    where = {name: choices.pop(name) for name in ("kept", "argument", "earlier") if name in choices}
    update = run(view(begun(history, shown, **where), bound(history, policy, **choices)[0]))
    observation: Observation = update["observation"][0]
    return observation


@needs_vision
@pytest.mark.parametrize(
    ("turn", "facts"),
    [
        ("trip:1", ["Seat 61A", "Departs 07:52", "Platform 6", "34.90"]),
        ("dinner:1", ["Sea bream with fennel 19.80", "Closed on Tuesdays"]),
        ("work:0", ["Budget left 4,250", "7294", "Demo Thursday 15:30"]),
    ],
)
def test_the_page_holds_facts_that_no_turn_says(unread: HistoryStore, turn: str, facts: list[str]) -> None:
    said = "\n".join(turn_line(each) for name in TRIP for each in unread.session(name).turns)
    observation = viewed(unread, [turn])
    assert observation["kind"] == "page"
    assert turn in observation["turns"]
    for fact in facts:
        assert fact not in said
        assert fact in observation["text"]


@needs_vision
def test_what_was_read_is_marked_in_its_turn(history: HistoryStore) -> None:
    (line,) = [line for line in viewed(history, ["trip:1"])["text"].splitlines() if line.startswith("[trip:1]")]
    assert (
        line == "[trip:1] Ann: Here's a photo of my ticket. [image: a train ticket on a table; text in it: NORDWAY RAIL"
    )


@needs_vision
def test_the_turns_around_a_picture_stand_on_the_page(history: HistoryStore) -> None:
    policy = Reading()
    assert set(viewed(history, ["trip:1"], policy)["turns"]) == {"trip:0", "trip:1", "trip:2"}
    (request,) = policy.requests
    assert {turn.id for turn in request.turns} == {"trip:0", "trip:1", "trip:2"}
    assert request.page is not None
    assert request.page.startswith(b"\x89PNG")
    assert "Seat 61A" in request.ocr


@needs_vision
def test_a_vision_model_is_quoted_below_the_turns(history: HistoryStore) -> None:
    run_, emitted = bound(history, Reading("The ticket is for seat 61A."))
    (observation,) = run(view(begun(history, ["trip:1"]), run_))["observation"]
    assert observation["text"].endswith("Read from the pictures: The ticket is for seat 61A.")
    (step,) = emitted
    assert (step["source"], step["usage"]["calls"], step["usage"]["prompt_tokens"]) == ("model", 1, 900)


@needs_vision
def test_the_trajectory_says_what_was_viewed(history: HistoryStore) -> None:
    run_, emitted = bound(history)
    update = run(view(begun(history, ["trip:1"]), run_))
    (step,) = emitted
    assert update["trajectory"] == [step]
    assert step["id"] == update["observation"][0]["id"] == "2:view"
    assert (step["node"], step["argument"], step["source"]) == ("view", "trip:1", "store")
    assert set(step["observed"]) == {"trip:0", "trip:1", "trip:2"}
    assert step["tokens"] == update["observation"][0]["tokens"] > 0


@needs_vision
async def test_async_views_the_same_and_leaves_state_alone(history: HistoryStore) -> None:
    state = begun(history, ["trip:1", "dinner:1"])
    before = deepcopy(state)
    update = await arun(view(state, bound(history)[0]))
    assert state == before
    assert update["observation"] == run(view(state, bound(history)[0]))["observation"]


@needs_vision
def test_only_the_named_turn_is_viewed(history: HistoryStore) -> None:
    observation = viewed(history, ["trip:1", "dinner:1"], argument="[dinner:1]")
    assert "THE COPPER LADLE" in observation["text"]
    assert "NORDWAY" not in observation["text"]


@needs_vision
def test_a_name_that_begins_like_another_is_not_that_other() -> None:
    picture = Image(source=str(DATA / "picture_menu.png"), ocr="a menu")
    told: list[Told] = [("Ann", f"message {place}", picture if place in (1, 12) else None) for place in range(14)]
    many = remembered(chat=told)
    assert "chat:1" not in viewed(many, ["chat:1", "chat:12"], argument="chat:12")["turns"]


@needs_vision
def test_without_zoom_out_only_kept_turns_are_looked_at(history: HistoryStore) -> None:
    observation = viewed(history, ["dinner:1"], kept=["trip:1"], zoom_out=False)
    assert observation["turns"] == ["trip:1"]
    assert "Seat 61A" in observation["text"]


@needs_vision
def test_words_lead_to_the_picture_of_the_next_message() -> None:
    picture = Image(source=str(DATA / "picture_ticket.png"), ocr="Seat 61A")
    split = remembered(chat=[("Ann", "Look at this photo:", None), ("Ann", "", picture)])
    assert "Seat 61A" in viewed(split, ["chat:0"])["text"]


@needs_vision
def test_a_page_is_not_shown_twice(history: HistoryStore) -> None:
    first = viewed(history, ["trip:1"])
    again = viewed(history, ["trip:1"], earlier=[first | {"step": 0}])
    assert again["kind"] == "notice"
    assert "not viewed before" in again["text"]


@needs_vision
@pytest.mark.parametrize("cap", [50, 120, 300])
@pytest.mark.parametrize("says", ["", "The page shows a great many things. " * 60])
def test_an_observation_keeps_to_its_cap(history: HistoryStore, cap: int, says: str) -> None:
    observation = viewed(history, ["dinner:1", "trip:1"], Reading(says), observation_tokens=cap)
    assert observation["tokens"] <= cap
    assert text_tokens(observation["text"]) <= cap + 15


BROKEN = [
    pytest.param("http://dead.invalid/a.png", "a web address, which is not fetched", id="a web address"),
    pytest.param("gone.png", "no such file", id="a lost file"),
    pytest.param("data:image/png;base64,iVBORw0KGgo=", "not a picture", id="a broken picture"),
    pytest.param("data:image/png;base64,", "the file is empty", id="an empty picture"),
    pytest.param("R0lGODlh" * 12, "not a picture", id="base64 in place of an address"),
    pytest.param(None, "only its caption", id="a caption alone"),
]


@needs_vision
@pytest.mark.parametrize(("source", "why"), BROKEN)
def test_where_nothing_can_be_read_a_notice_says_why(source: str | None, why: str) -> None:
    policy = Reading()
    told = remembered(chat=[("Ann", "My cat!", Image(source=source, caption="a cat in a box"))])
    observation = viewed(told, ["chat:0"], policy)
    assert observation["kind"] == "notice"
    assert f"[chat:0] a cat in a box: {why}" in observation["text"]
    assert policy.requests == []


@needs_vision
def test_a_picture_looked_at_in_vain_is_not_looked_at_again_whatever_its_chat_is_called() -> None:
    broken: list[Told] = [("Ann", "My cat!", Image(source=None, caption="a cat in a box"))]
    told = remembered(**{"Ann, Bo and I": broken})
    state = begun(told, ["Ann, Bo and I:0"])
    bounded = bound(told)[0]
    first = run(view(state, bounded))
    assert "only its caption" in first["observation"][0]["text"]
    after = state | {"trajectory": first["trajectory"], "observation": [*state["observation"], *first["observation"]]}
    again = run(
        view(cast("RecallState", after | {"memory": begun(told, [], kept=["Ann, Bo and I:0"])["memory"]}), bounded)
    )
    assert "not viewed before" in again["observation"][0]["text"]


@needs_vision
def test_a_dead_picture_becomes_its_caption_beside_a_good_one(history: HistoryStore) -> None:
    told = remembered(
        chat=[
            ("Ann", "My cat!", Image(source="gone.png", caption="a cat in a box")),
            ("Ann", "My seat.", Image(source=str(DATA / "picture_ticket.png"), ocr="Seat 61A")),
        ]
    )
    text = viewed(told, ["chat:0", "chat:1"])["text"]
    assert "[chat:0] Ann: My cat! [image: a cat in a box]" in text
    assert "[chat:0] a cat in a box: no such file: gone.png" in text
    assert "Seat 61A" in text


@needs_vision
def test_a_picture_without_words_is_for_those_with_eyes(tmp_path: Path) -> None:
    from PIL import Image as Pillow

    Pillow.new("RGB", (80, 80), (20, 90, 200)).save(tmp_path / "sea.png")
    told = remembered(chat=[("Ann", "The sea!", Image(source=str(tmp_path / "sea.png"), caption="the sea"))])
    assert "no text in it" in viewed(told, ["chat:0"])["text"]
    assert "A blue sea." in viewed(told, ["chat:0"], Reading("A blue sea."))["text"]


def test_without_a_cue_there_is_nothing_to_view(history: HistoryStore) -> None:
    assert viewed(history, ["trip:0"])["kind"] == "notice"
    assert viewed(history, [])["kind"] == "notice"
    after_nothing = notice("zoom_in", "nothing", step=1)
    assert viewed(history, [], earlier=[after_nothing])["kind"] == "notice"


def test_without_the_extra_a_notice_says_what_to_install(unread: HistoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    observation = viewed(unread, ["trip:1"])
    assert observation["kind"] == "notice"
    assert 'pip install "langrecall[vision]"' in observation["text"]


def test_without_the_extra_text_found_at_ingest_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    told = remembered(chat=[("Ann", "My seat.", Image(source="gone.png", ocr="Seat 61A"))])
    policy = Reading()
    observation = viewed(told, ["chat:0"], policy)
    assert observation["kind"] == "page"
    assert "text in it: Seat 61A" in observation["text"]
    assert policy.requests[0].page is None


@needs_vision
async def test_the_tool_reads_the_pictures_of_a_turn(history: HistoryStore) -> None:
    tool = create_view_tool(history)
    assert list(tool.args) == ["turn_id"]
    read = tool.invoke({"turn_id": "trip:1"})
    assert "text in it: NORDWAY RAIL" in read
    assert await tool.ainvoke({"turn_id": "[trip:1]"}) == read


@pytest.mark.parametrize("name", ["trip:99", "nowhere:0", "the ticket", ""])
async def test_the_tool_answers_a_wrong_id(history: HistoryStore, name: str) -> None:
    tool = create_view_tool(history)
    answer = tool.invoke({"turn_id": name})
    assert repr(name) in answer
    assert await tool.ainvoke({"turn_id": name}) == answer
