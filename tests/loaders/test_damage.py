"""However a file is damaged, loading it gives a history or one clear line."""

import copy
import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from langrecall.errors import InputError
from langrecall.loaders import load, locomo
from langrecall.loaders.benchmark import load_benchmark

SAMPLES: dict[str, list[Any]] = {
    "locomo": [
        {
            "sample_id": "c1",
            "conversation": {
                "session_1_date_time": "1:56 pm on 8 May, 2023",
                "session_1": [
                    {"speaker": "Bo", "dia_id": "D1:1", "text": "hi", "img_url": ["u"], "blip_caption": "a cat"},
                    {"speaker": "Odalys", "dia_id": "D1:2", "text": "ho"},
                ],
            },
            "observation": {"session_1_observation": {"Bo": [["Bo says hi.", "D1:1"]]}},
            "qa": [{"question": "Who?", "answer": 1, "evidence": ["D1:1"], "category": 1}],
        }
    ],
    "longmemeval": [
        {
            "question_id": "q1",
            "question": "Who?",
            "answer": "Bo",
            "question_date": "2023/05/20 (Sat) 02:21",
            "haystack_session_ids": ["a"],
            "haystack_dates": ["2023/05/20 (Sat) 02:21"],
            "haystack_sessions": [[{"role": "user", "content": "hi", "has_answer": True}]],
            "answer_session_ids": ["a"],
        }
    ],
    "sessions": [
        {
            "session_id": "a",
            "time": "8 May 2023",
            "source": "x",
            "turns": [
                {"speaker": "Bo", "role": "user", "text": "hi", "time": 1692821483, "id": "m1"},
                {"speaker": "Bo", "images": [{"source": "u", "caption": "a cat", "ocr": "x"}]},
            ],
        }
    ],
    "messages": [
        {"role": "user", "name": "Bo", "content": [{"type": "image_url", "image_url": {"url": "u"}}, {"type": "text", "text": "x"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]},
        {"type": "ai", "data": {"content": "x", "tool_calls": [{"name": "f", "args": {}}]}},
        {"role": "user", "content": [{"type": "image", "source": {"data": "AA", "media_type": "image/png"}}]},
    ],
    "chatgpt": [
        {
            "id": "c1",
            "create_time": 1692821483,
            "current_node": "b",
            "mapping": {
                "a": {"parent": None, "children": ["b"], "message": None},
                "b": {
                    "parent": "a",
                    "children": [],
                    "message": {
                        "author": {"role": "user", "name": None},
                        "content": {"content_type": "text", "parts": ["hi", {"asset_pointer": "u"}]},
                        "metadata": {},
                    },
                },
            },
        }
    ],
}  # fmt: skip
JUNK: tuple[object, ...] = (
    *(None, True, -1, 1e300, "", " ", "\udc00", "a\nb"),
    *([], [None], [[]], {}, {"type": "text"}, {"a": []}),
)


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    keys = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in keys:
        yield (*path, key)
        yield from places(inner, (*path, key))


def damaged(sample: list[Any], path: tuple[Any, ...], junk: object) -> list[Any]:
    copied = copy.deepcopy(sample)
    inner: Any = copied
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = junk
    return copied


def fault(read: Callable[[Path], object], file: Path) -> str | None:
    try:
        read(file)
    except InputError as error:
        return str(error)
    return None


@pytest.mark.parametrize("kind", SAMPLES)
def test_damage_anywhere_is_one_clear_line_or_harmless(write: Callable[..., Path], kind: str) -> None:
    readers: tuple[Callable[[Path], object], ...] = (load, load_benchmark, locomo.given_episodes)
    faults = 0
    for path, junk in product(places(SAMPLES[kind]), JUNK):
        file = write(json.dumps(damaged(SAMPLES[kind], path, junk)))
        for line in filter(None, (fault(read, file) for read in readers)):
            assert line.startswith(f"{file}: ")
            assert "\n" not in line
            faults += 1
    assert faults > 50
