"""How a metadata entry with a graph is shown."""

from langrecall.records import Episode, Relation
from langrecall.rendering import render_episode


def related(subject: str, predicate: str, other: str, *turns: int) -> Relation:
    return Relation(subject=subject, predicate=predicate, object=other, turns=turns)


def test_what_the_same_turns_relate_alike_to_one_subject_shares_a_line() -> None:
    told = (
        related("Mia", "owns", "Bolt", 0, 2),
        related("Mia", "owns", "a canoe", 0, 2),
        related("Mia", "sold", "a piano", 0, 2),
        related("Mia", "owns", "a harp", 1),
        related("Tom", "owns", "a kite", 0, 2),
    )
    lines = render_episode(Episode(session_id="s", title="Things", relations=told)).splitlines()[1:]
    assert lines == [
        "- [s:0, s:2] Mia -> owns -> Bolt, a canoe",
        "- [s:0, s:2] Mia -> sold -> a piano",
        "- [s:1] Mia -> owns -> a harp",
        "- [s:0, s:2] Tom -> owns -> a kite",
    ]
