"""Exports as other projects keep them for their own tests."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from langrecall.loaders import load
from langrecall.records import Turn, epoch

FORMATS = {"instagram": "json", "signal": "txt", "whatsapp": "txt"}


def spoken(path: Path) -> list[Turn]:
    turns = [turn for session in load(path).histories[0].sessions for turn in session.turns]
    return [turn for turn in turns if turn.role == "speaker"]


@pytest.mark.shared
@pytest.mark.parametrize("app", FORMATS)
def test_each_message_has_its_author_its_time_and_its_text(benchmark_data: Path, app: str) -> None:
    folder = benchmark_data / "exports"
    target = json.loads((folder / f"chatminer_{app}_target.json").read_text(encoding="utf-8"))
    wanted = [(one["author"], one["message"], epoch(datetime.fromisoformat(one["timestamp"]))) for one in target]
    files = [path for path in folder.glob(f"chatminer_{app}_test*") if path.suffix == f".{FORMATS[app]}"]
    assert files
    for path in files:
        found = [(turn.speaker, " ".join(turn.text.split()), epoch(turn.time)) for turn in spoken(path)]
        assert sorted(found) == sorted(wanted), path.name


@pytest.mark.shared
def test_every_export_at_hand_is_read_or_refused_with_a_mend(benchmark_data: Path) -> None:
    counts = {
        "lc_chat_loaders_data_telegram_chat_json_result.json": 4,
        "lc_chat_loaders_data_whatsapp_chat.txt": 8,
        "lc_document_loaders_test_docs_telegram.json": 3,
        "lc_examples_facebook_chat.json": 11,
        "lc_examples_slack_export.zip": 4,
        "lc_examples_whatsapp_chat.txt": 8,
    }
    assert {name: len(spoken(benchmark_data / "exports" / name)) for name in counts} == counts
