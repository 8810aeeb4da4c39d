"""Open a history, use it, fork, and use it in the child, which then ends as programs do; see test_chroma_processes."""

import os
import sys

from langchain_core.embeddings import Embeddings

from langrecall.errors import StoreError
from langrecall.records import Session, Turn
from langrecall.stores.chroma.bound import BoundHistory
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder


def main(place: str | None, *, parent_uses_it: bool, embeddings: str | Embeddings) -> None:
    history = ChromaHistory.open(place, embeddings=embeddings).at("forks")
    if parent_uses_it:
        use(history, "parent", "I keep bees")
    child = os.fork()
    if child == 0:
        use(history, "child", "I sing")
        sys.exit(0)
    _, status = os.waitpid(child, 0)
    use(history, "parent again", "I paint")
    sys.stdout.write(f"child's end: {status}\n")


def use(history: BoundHistory, who: str, text: str) -> None:
    try:
        history.put([session(who, text)], {}, describer="test", form="wiki")
        found = sorted(hit.id for hit in history.search_turns("who keeps bees or sings or paints", 9))
        sys.stdout.write(f"{who}: {found}\n")
    except StoreError as error:
        sys.stdout.write(f"{who}: {error}\n")
    sys.stdout.flush()


def session(name: str, text: str) -> Session:
    return Session(session_id=name, turns=(Turn(session_id=name, index=0, speaker="A", role="speaker", text=text),))


if __name__ == "__main__":
    main(
        None if sys.argv[1] == "memory" else sys.argv[1],
        parent_uses_it=sys.argv[2] == "used",
        embeddings="local" if "local" in sys.argv else HashEmbedder(8),
    )
