"""Turns of the history as a question knows them: what they rest on, what pages read in them, what still waits to be viewed."""

from collections.abc import Iterable, Sequence

from langrecall.effects import call
from langrecall.engine.run import Run
from langrecall.pictures.cues import has_image_cue
from langrecall.records import Turn, TurnId
from langrecall.state import RecallState

_CONTEXT = 3
"""How many turns before a turn count as its context."""


async def turns_read(turn_ids: Iterable[str], state: RecallState, run: Run) -> list[Turn]:
    """Those of the turns that the history holds, with the text that pages gave to their pictures, where ingest had read none."""
    turns = await call(run.history.turns, list(turn_ids))
    pages = [seen["readings"] for seen in state["observation"] if "readings" in seen]
    readings = {turn_id: texts for page in pages for turn_id, texts in page.items() if texts}
    return [_with_texts(turn, readings[turn.id]) if turn.id in readings else turn for turn in turns]


async def cued_turns(turn_ids: Iterable[str], state: RecallState, run: Run) -> list[Turn]:
    """Those of the turns with an image cue that no page has shown, and whose pictures were not looked at in vain."""
    pages = [seen for seen in state["observation"] if "readings" in seen]
    viewed = {turn_id for page in pages for turn_id in [*page["turns"], *page["readings"]]}
    turns = await call(run.history.turns, [turn_id for turn_id in turn_ids if turn_id not in viewed])
    return [turn for turn in turns if has_image_cue(turn)]


async def turns_of_sessions(session_ids: Iterable[str], run: Run) -> list[Turn]:
    """The turns of raw sessions, in this order: what stands for entries when metadata is switched off."""
    turns: list[Turn] = []
    for session_id in session_ids:
        session = await call(run.history.session, session_id)
        turns += session.turns
    return turns


async def turns_before(turn_ids: Iterable[str], run: Run) -> list[Turn]:
    """The few turns before each, by which policies that cannot read tell what `it` and `yes` are about."""
    before: dict[str, None] = {}
    for turn_id in map(TurnId.parse, turn_ids):
        near = range(max(turn_id.index - _CONTEXT, 0), turn_id.index)
        before |= {str(TurnId(turn_id.session_id, index)): None for index in near}
    return await call(run.history.turns, list(before))


async def people_of(turns: Iterable[Turn], run: Run) -> frozenset[str]:
    """Who speaks just before, in and just after these turns: one that says `you` may mean any of them."""
    around = {
        str(TurnId(turn.session_id, index)): None
        for turn in turns
        for index in range(max(turn.index - _CONTEXT, 0), turn.index + _CONTEXT + 1)
    }
    return frozenset(turn.speaker for turn in await call(run.history.turns, list(around)))


def _with_texts(turn: Turn, texts: Sequence[str]) -> Turn:
    pairs = zip(turn.images, texts, strict=False)
    images = tuple(image.model_copy(update={"ocr": image.ocr or text or None}) for image, text in pairs)
    return turn.model_copy(update={"images": images}) if len(images) == len(turn.images) else turn
