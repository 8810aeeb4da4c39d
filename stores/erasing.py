"""Take off the disk what Chroma leaves of dropped collections: their vectors' folders, and free pages with texts in them."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from uuid import UUID


def erase_dropped(database: Path) -> None:
    """Remove both, for the one writer of a folder; what another process is reading is left for the next time.

    It is done in a process of its own: two copies of SQLite in one process undo each other's locks, and Chroma brings one.
    """
    if sys.executable:
        subprocess.run([sys.executable, "-I", __file__, database], check=False, capture_output=True)


def _erase(database: Path) -> None:
    with closing(sqlite3.connect(database)) as opened:
        segments = {name for (name,) in opened.execute("SELECT id FROM segments")}
        for path in database.parent.iterdir():
            if path.is_dir() and _is_segment(path.name) and path.name not in segments:
                shutil.rmtree(path)
        with suppress(sqlite3.OperationalError):
            opened.execute("VACUUM")


def _is_segment(name: str) -> bool:
    try:
        UUID(name)
    except ValueError:
        return False
    return True


if __name__ == "__main__":
    _erase(Path(sys.argv[1]))
