"""From the lines that a policy proposes to those that the memory takes: new, resting on turns it can know of, and checked."""

from collections.abc import Collection, Iterable, Sequence

from langrecall.citations.naming import sessions_of, turns_named
from langrecall.citations.verify import checked
from langrecall.engine.observations import looked_at
from langrecall.engine.run import Run
from langrecall.engine.turns import people_of, turns_read
from langrecall.policies.base import Line
from langrecall.records import Turn, TurnId
from langrecall.state import MemoryLine, RecallState


async def distil(lines: Sequence[Line], state: RecallState, run: Run) -> tuple[list[MemoryLine], str]:
    """The lines that are new, resting on turns that the policy can know of; and a note on what else they name."""
    shown = set(looked_at(state["observation"]))
    sessions = {*state["seen"], *sessions_of(shown)}
    named = [[turns_named(source, sessions) for source in line.sources] for line in lines]
    ids = {turn_id for sources in named for source in sources for turn_id in source.ids}
    known = {turn_id for turn_id in ids if turn_id in shown or TurnId.parse(turn_id).session_id in state["seen"]}
    turns: list[Turn] = []
    if run.settings.raw_data:
        turns = await turns_read(sorted(known), state, run)
        known = {turn.id for turn in turns}
    rest_on = [[turn_id for source in sources for turn_id in source.ids if turn_id in known] for sources in named]
    others = [name for sources in named for source in sources for name in [*source.ids, *source.unknown]]
    dropped = dict.fromkeys(name for name in others if name not in known)
    note = f"dropped unknown ids: {', '.join(dropped)}" if dropped else ""
    proposed = zip(lines, rest_on, strict=True)
    return _new_lines(proposed, turns, await people_of(turns, run), known=state), note


def _new_lines(
    lines: Iterable[tuple[Line, list[str]]], turns: Sequence[Turn], people: Collection[str], *, known: RecallState
) -> list[MemoryLine]:
    """The lines that say something not in memory yet, each checked against the turns it rests on."""
    texts = {line["text"] for line in known["memory"]}
    made: list[MemoryLine] = []
    for line, sources in lines:
        text = line.text.strip()
        if text and text not in texts:
            texts.add(text)
            key = f"{known['step'] + 1}.{len(made) + 1}"
            new = MemoryLine(id=key, text=text, sources=sources, quote=line.quote.strip() or text, verified=False)
            made.append(checked(new, turns, people=people))
    return made
