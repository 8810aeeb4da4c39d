"""Take off the disk what Chroma leaves of what was removed: free pages with texts in them, and the folders of dropped collections."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from uuid import UUID

_APPLIED = """
UPDATE embeddings_queue SET metadata = '{}' WHERE metadata <> '{}' AND EXISTS (
    SELECT 1 FROM segments JOIN max_seq_id ON max_seq_id.segment_id = segments.id
    WHERE segments.scope = 'METADATA' AND embeddings_queue.topic LIKE '%/' || segments.collection
    AND embeddings_queue.seq_id <= max_seq_id.seq_id
)"""
"""Chroma keeps what it is told in a queue until its vector index has it too, removed texts among it; its other index has them already."""


def erase_removed(database: Path) -> None:
    """Remove both, for the one writer of a folder; the database is written anew, or while another process reads left for the next time.

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
            opened.execute(_APPLIED)
            opened.commit()
            opened.execute("VACUUM")


def _is_segment(name: str) -> bool:
    try:
        UUID(name)
    except ValueError:
        return False
    return True


if __name__ == "__main__":
    _erase(Path(sys.argv[1]))
