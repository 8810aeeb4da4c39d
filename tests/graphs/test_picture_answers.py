"""Questions that only a picture answers: with `view` they are answered by OCR, without it they are not."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from langrecall.graphs.ingest import create_ingest_graph
from langrecall.graphs.recall import create_recall_graph
from langrecall.pictures.reader import Reader
from langrecall.stores.base import HistoryStore
from langrecall.stores.chroma.history import ChromaHistory

DATA = Path(str(files("langrecall.data")))
TALKS = {
    "trip": ("All booked for Friday!", "Here's a photo of my ticket.", "picture_ticket.png", "a train ticket"),
    "dinner": ("Where shall we eat?", "Look at this menu!", "picture_menu.png", "a menu on a dark board"),
    "work": ("Long day.", "A photo from the meeting.", "picture_whiteboard.png", "a whiteboard with a note"),
}
ASKED = [
    ("Which seat is on Ann's train ticket?", "61A", "trip:1"),
    ("How much is the sea bream on the menu?", "19.80", "dinner:1"),
    ("How much budget is left according to the whiteboard?", "4,250", "work:1"),
]


@pytest.fixture(scope="module")
def history() -> Iterator[HistoryStore]:
    """Ann's pictures as an ingest leaves them that may open no file: their captions are known, their text is not."""
    pytest.importorskip("PIL", reason="needs the extra `vision`")
    pytest.importorskip("rapidocr", reason="needs the extra `vision`")
    sessions = [
        {
            "session_id": name,
            "time": f"2024-05-0{day}T18:00:00",
            "turns": [
                {"speaker": "Ben", "text": first},
                {"speaker": "Ann", "text": then, "images": [{"source": str(DATA / picture), "caption": caption}]},
                {"speaker": "Ben", "text": "I see, thank you."},
            ],
        }
        for day, (name, (first, then, picture, caption)) in enumerate(TALKS.items(), start=1)
    ]
    with ChromaHistory.open(None, embeddings=None) as memory:
        create_ingest_graph(memory.at("ann"), reader=Reader(base=None)).invoke({"sessions": sessions})
        yield memory.at("ann")


def asked(history: HistoryStore, query: str, **settings: Any) -> dict[str, Any]:
    graph = create_recall_graph(history, settings=settings)
    state: dict[str, Any] = list(graph.stream({"query": query}, stream_mode="values"))[-1]
    return state


@pytest.mark.parametrize("preset", ["combined", "memcot"])
@pytest.mark.parametrize(("query", "answer", "turn"), ASKED)
def test_the_view_changes_the_answer(history: HistoryStore, preset: str, query: str, answer: str, turn: str) -> None:
    seen, blind = (asked(history, query, preset=preset, view=view) for view in (True, False))
    assert "view" in [step["node"] for step in seen["trajectory"]]
    assert "view" not in [step["node"] for step in blind["trajectory"]]
    assert answer in seen["answer"]
    assert answer not in blind["answer"]
    assert turn in [citation["turn"] for citation in seen["citations"]]


def test_what_a_page_says_stays_out_of_the_history(history: HistoryStore) -> None:
    asked(history, ASKED[0][0])
    (turn,) = history.turns(["trip:1"])
    assert [image.ocr for image in turn.images] == [None]
