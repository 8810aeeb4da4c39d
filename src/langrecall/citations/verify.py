"""Check that a memory line rests on the turn it names: the quote is there, and so is every number, date and name it claims."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from langrecall.citations.evidence import Evidence, lacking
from langrecall.citations.quotes import holding, why_not_found, without_own_insertions
from langrecall.records import Turn
from langrecall.state import MemoryLine


class Check(NamedTuple):
    """What became of one line: the turn that holds its quote, if any, and why the line is verified or not."""

    verified: bool
    turn: Turn | None
    reason: str


def checked(line: MemoryLine, turns: Sequence[Turn], *, people: Collection[str] = ()) -> MemoryLine:
    """The line as the turns among its sources bear it out, the turn that holds its quote first; `people` as in `verify`."""
    by_id = {turn.id: turn for turn in turns}
    rest_on = [by_id[source] for source in line["sources"] if source in by_id]
    check = verify(line["text"], line["quote"], rest_on, people=people)
    first = [check.turn.id] if check.turn else []
    return line | {"sources": list(dict.fromkeys([*first, *line["sources"]])), "verified": check.verified}


def verify(text: str, quote: str, turns: Sequence[Turn], *, people: Collection[str] = ()) -> Check:
    """Check the line `text`, which is said to rest on `quote` of one of `turns`.

    The quote is a whole turn or at least five words of one, word for word but for white space and quotation marks; it runs from the text
    into a caption only where it shows that a picture begins. Every number, date and proper name of the line is in one of the turns
    (captions and text of its pictures included), or is its speaker, or the date of its session; a date may also be what the turn's own
    time expressions were grounded to, in any rendering, or lie as many days, weeks, months or years from one of them as the turn counts.
    A name may also be that of one of `people`, who speak around it, where the turn says `you`. More is out of reach: a line that
    negates or twists its quote but names nothing new passes.
    """
    named = [Evidence(turn, people) for turn in turns]
    offered = [named[turns.index(turn)] for turn in holding(quote, turns)]
    if not offered:
        return Check(verified=False, turn=None, reason=why_not_found(quote, turns))
    alone_then_together = [*([each] for each in offered), *([each, *named] for each in offered)]
    for held in alone_then_together:
        turn = held[0].turn
        if (failure := lacking(without_own_insertions(text, turn), held)) is None:
            return Check(verified=True, turn=turn, reason=f"quote, numbers, dates and names are in {turn.id}")
    return Check(
        verified=False, turn=offered[0].turn, reason=f"{failure} is not in {', '.join(turn.id for turn in turns)}"
    )
