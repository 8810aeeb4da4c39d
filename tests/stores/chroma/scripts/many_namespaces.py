"""Fill 300 namespaces with room for 1,024 open files, then read every one of them; see test_chroma_processes."""

import resource
import sys
from pathlib import Path

from langrecall.records import Session, Turn
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder

NAMESPACES = 300


def main(folder: Path) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (1_024, 1_024))
    memory = ChromaHistory.open(folder, embeddings=HashEmbedder(8))
    names = [f"user{number}" for number in range(NAMESPACES)]
    most = 0
    for name in names:
        assert memory.at(name).search_turns("anything") == []
        memory.at(name).put([session(name)], {}, describer="test", form="wiki")
    for name in names:
        (hit,) = memory.at(name).search_turns(f"who is {name}", 1)
        (turn,) = memory.at(name).turns([hit.id])
        assert turn.text == f"I am {name}", turn
        most = max(most, len(list(Path("/dev/fd").iterdir())))
    assert memory.namespaces() == sorted(names)
    sys.stdout.write(str(most))


def session(name: str) -> Session:
    turn = Turn(session_id="s1", index=0, speaker="A", role="speaker", text=f"I am {name}")
    return Session(session_id="s1", turns=(turn,))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
