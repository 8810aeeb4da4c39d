"""Put sessions one wave at a time under a name of its own, or the same ones as everybody; see test_chroma_processes."""

import sys

from langrecall.records import Session, Turn
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder


def main(place: str, name: str, waves: int, size: int) -> None:
    history = ChromaHistory.open(place, embeddings=HashEmbedder(8)).at("ns")
    for wave in range(waves):
        sessions = [session(f"{name}-{wave}-{number}") for number in range(size)]
        history.put(sessions, {}, describer="test", form="wiki")
    sys.stdout.write("done")


def session(name: str) -> Session:
    turns = [
        Turn(session_id=name, index=index, speaker="A", role="speaker", text=f"{name} says {index}")
        for index in range(3)
    ]
    return Session(session_id=name, turns=tuple(turns))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
