"""Take off the disk what Chroma leaves of dropped collections: their vectors' folders, and free pages with texts in them."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import UUID

from langrecall.stores.places import DATABASE


def erase_dropped(folder: Path) -> None:
    """Remove both; for the one writer of a folder, with its own client closed. Another reader's lock leaves the pages for next time."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        segments = {name for (name,) in database.execute("SELECT id FROM segments")}
        for path in folder.iterdir():
            if path.is_dir() and _is_segment(path.name) and path.name not in segments:
                shutil.rmtree(path)
        try:
            database.execute("VACUUM")
        except sqlite3.OperationalError:
            return


def _is_segment(name: str) -> bool:
    try:
        UUID(name)
    except ValueError:
        return False
    return True
