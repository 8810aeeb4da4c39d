"""Kill a process after its n-th write to Chroma, for every n, and print what a reader then sees; see test_chroma_processes.

Each write happens in a forked child: this process itself never opens a client.
"""

import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import Any

from chromadb.api.models.Collection import Collection
from chromadb.api.rust import RustBindingsAPI

from langrecall.records import Episode, Fact, Session, Turn
from langrecall.stores.chroma.history import ChromaHistory
from langrecall.testing import HashEmbedder

OLD = {"kept": ["a", "b"], "grown": ["a", "b"], "changed": ["old secret", "old talk"], "gone": ["x"]}
NEW = {"kept": ["a", "b"], "grown": ["a", "b", "c"], "changed": ["new talk"], "added": ["hello", "there"]}
WRITES = (
    (Collection, "upsert"),
    (Collection, "delete"),
    (Collection, "modify"),
    (RustBindingsAPI, "create_collection"),
)


def main(folder: Path) -> None:
    in_child(partial(put, folder / "old", OLD))
    in_child(partial(put, folder / "new", NEW))
    report = {
        "first": killed_everywhere(folder / "first", None),
        "again": killed_everywhere(folder / "again", folder / "old"),
        "fresh": told_by_child(folder / "new", complete=False),
    }
    sys.stdout.write(json.dumps(report))


def killed_everywhere(folder: Path, before: Path | None) -> list[dict[str, Any]]:
    """From a copy of `before`, put `NEW` killed after ever more writes, then once more, until the killer comes too late."""
    runs: list[dict[str, Any]] = []
    while not runs or runs[-1]["died"]:
        place = folder / str(len(runs))
        if before is not None:
            copytree(before, place)
        died = in_child(partial(put, place, NEW, kill_after=len(runs)))
        runs.append({"died": died, "told": told_by_child(place, complete=True)})
    return runs


def put(folder: Path, wanted: dict[str, list[str]], *, kill_after: int | None = None) -> None:
    if kill_after is not None:
        die_after(kill_after)
    sessions = [session(name, texts) for name, texts in wanted.items()]
    entries = {each.session_id: entry(each) for each in sessions}
    history = ChromaHistory.open(folder, embeddings=HashEmbedder(8)).at("ns")
    history.put(sessions, entries, describer="test", form="wiki")
    if "gone" not in wanted:
        history.delete("gone")


def read(folder: Path) -> dict[str, Any]:
    memory = ChromaHistory.open(folder, embeddings=HashEmbedder(8))
    history = memory.at("ns")
    names = [info.session_id for info in history.sessions()]
    rows = history._rows
    return {
        "namespaces": memory.namespaces(),
        "sessions": {name: [turn.text for turn in history.session(name).turns] for name in names},
        "entries": {episode.session_id: episode.facts[0].text for episode in history.episodes(names)},
        "turns_found": sorted(hit.id for hit in history.search_turns("a b c x hello old new talk", 99)),
        "sessions_found": sorted(hit.id for hit in history.search_episodes("a b c x hello", 99)),
        "rows": {
            part: len(rows._ask(part, lambda each: each.get(include=[])["ids"]) or ()) for part in ("chunks", "notes")
        },
    }


def die_after(writes: int) -> None:
    done = 0

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal done
            if done == writes:
                os.kill(os.getpid(), signal.SIGKILL)
            done += 1
            return real(*args, **kwargs)

        return call

    for owner, name in WRITES:
        setattr(owner, name, counted(getattr(owner, name)))


def in_child(work: Callable[[], None]) -> bool:
    """Whether the child was killed; any other end but a good one is an error."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status) == signal.SIGKILL
    if status:
        msg = "the child failed"
        raise RuntimeError(msg)
    return False


def told_by_child(folder: Path, *, complete: bool) -> list[Any]:
    """What another process sees, and sees again once it has completed what was begun."""
    out = folder.with_suffix(".json")
    out.parent.mkdir(parents=True, exist_ok=True)
    in_child(partial(tell, folder, out, complete=complete))
    told: list[Any] = json.loads(out.read_text())
    return told


def tell(folder: Path, out: Path, *, complete: bool) -> None:
    told = [read(folder)]
    if complete:
        put(folder, NEW)
        told.append(read(folder))
    out.write_text(json.dumps(told))


def session(name: str, texts: Sequence[str]) -> Session:
    turns = [
        Turn(session_id=name, index=index, speaker="A", role="speaker", text=text) for index, text in enumerate(texts)
    ]
    return Session(session_id=name, turns=tuple(turns))


def entry(session: Session) -> Episode:
    fact = Fact(text=f"{len(session.turns)} turns, first {session.turns[0].text}", turns=(0,))
    return Episode(session_id=session.session_id, title=session.session_id, facts=(fact,))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
