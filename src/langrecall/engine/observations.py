"""Turn what an action brought back into the next observation, within its token cap."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from langrecall.engine.passages import passage
from langrecall.language.words import terms
from langrecall.records import Episode, Session, Turn
from langrecall.rendering import (
    header_tokens,
    render_episode,
    render_turns,
    text_tokens,
    turn_tokens,
    turns_tokens,
)
from langrecall.settings import Settings
from langrecall.state import Node, Observation
from langrecall.stores.ranking.token_budget import PASSAGE


@dataclass(frozen=True)
class Fit:
    """Turns that fit a cap, best first; of those in `clipped`, too long for it by themselves, a passage is shown."""

    whole: tuple[Turn, ...]
    clipped: tuple[Turn, ...]
    hidden: int
    tokens: int


def fit(turns: Sequence[Turn], cap: int | None, *, grounded: bool, query: str = "") -> Fit:
    """Keep turns best first while they fit; one that does not is passed over for smaller ones after it.

    One that could never fit is shown as a passage, the one that says most of the query's words.
    """
    if cap is None:
        return Fit(tuple(turns), (), 0, turns_tokens(turns, grounded=grounded))
    whole: list[Turn] = []
    clipped: list[Turn] = []
    spent = 0
    for turn in turns:
        heading = _heading(turn, [*whole, *clipped])
        room = cap - spent - heading
        cost = turn_tokens(turn, grounded=grounded)
        if cost <= room:
            whole.append(turn)
            spent += heading + cost
        elif cost > cap - header_tokens(turn.session_id, turn.time) and room >= min(PASSAGE, cap - heading):
            clipped.append(passage(turn, min(PASSAGE, room), query))
            spent += heading + turn_tokens(clipped[-1], grounded=grounded)
    return Fit(tuple(whole), tuple(clipped), len(turns) - len(whole), spent)


def around(turns: Sequence[Turn], ranked: Sequence[str]) -> list[Turn]:
    """A session's turns, best first: each ranked turn followed by its two neighbours, then the rest as spoken."""
    by_id = {turn.id: place for place, turn in enumerate(turns)}
    order: dict[int, None] = {}
    for turn_id in ranked:
        if turn_id in by_id:
            place = by_id[turn_id]
            order |= {near: None for near in (place, place - 1, place + 1) if 0 <= near < len(turns)}
    order |= dict.fromkeys(range(len(turns)))
    return [turns[place] for place in order]


def observe_turns(
    node: Node,
    turns: Sequence[Turn],
    settings: Settings,
    *,
    step: int,
    key: str = "",
    cap: int | None,
    query: str = "",
) -> Observation:
    """Raw turns, given best first, shown in the order they were spoken; `query` says which passage of a long one matters."""
    fitted = fit(turns, cap, grounded=settings.time_grounding, query=query)
    shown = [*fitted.whole, *fitted.clipped]
    text = render_turns(_as_spoken(shown), grounded=settings.time_grounding)
    return Observation(
        id=":".join(filter(None, [str(step), node, key])),
        step=step,
        node=node,
        kind="turns",
        episodes=[],
        turns=[turn.id for turn in fitted.whole],
        clipped=[turn.id for turn in fitted.clipped],
        text=_with_hidden(text, fitted.hidden),
        tokens=fitted.tokens,
        hidden=fitted.hidden,
    )


def observe_episodes(
    node: Node, episodes: Sequence[Episode], floor: Sequence[Turn], settings: Settings, *, step: int, query: str
) -> Observation:
    """Metadata entries, best first, and the raw floor under them; entries are shortened to what the cap leaves.

    Beside raw turns an entry is a signpost, and is shown as one: within `entry_tokens`.
    """
    cap = settings.observation_tokens
    below = observe_turns(node, floor, settings, step=step, cap=_floor_cap(settings), query=query)
    entries = _entries(
        episodes, None if cap is None else cap - below["tokens"], query, each=_entry_cap(below, settings)
    )
    text = "\n\n".join(filter(None, [*entries, below["text"]]))
    tokens = sum(map(text_tokens, entries)) + below["tokens"]
    return below | Observation(
        id=f"{step}:{node}",
        step=step,
        node=node,
        kind="episodes",
        episodes=[episode.session_id for episode in episodes],
        turns=below["turns"],
        clipped=below["clipped"],
        text=text,
        tokens=tokens,
        hidden=below["hidden"],
    )


def observe_session(
    session: Session, ranked: Sequence[str], settings: Settings, *, step: int, query: str
) -> Observation:
    """A raw session; over the cap, its turns around the ranked ones."""
    turns, cap = around(session.turns, ranked), settings.observation_tokens
    seen = observe_turns("read_raw", turns, settings, step=step, cap=cap, query=query)
    return seen | {"kind": "session"}


def notice(node: Node, text: str, *, step: int, key: str = "") -> Observation:
    """Nothing came back, and why."""
    return Observation(
        id=":".join(filter(None, [str(step), node, key])),
        step=step,
        node=node,
        kind="notice",
        episodes=[],
        turns=[],
        clipped=[],
        text=text,
        tokens=text_tokens(text),
        hidden=0,
    )


def merge(observations: Sequence[Observation]) -> Observation:
    """What `reason` reads after parallel branches: their observations as one, in their order."""
    if len(observations) == 1:
        return observations[0]
    first = observations[0]
    return Observation(
        id=first["id"],
        step=first["step"],
        node=first["node"],
        kind=first["kind"],
        episodes=[name for seen in observations for name in seen["episodes"]],
        turns=list(dict.fromkeys(name for seen in observations for name in seen["turns"])),
        clipped=list(dict.fromkeys(name for seen in observations for name in seen["clipped"])),
        text="\n\n".join(seen["text"] for seen in observations),
        tokens=sum(seen["tokens"] for seen in observations),
        hidden=sum(seen["hidden"] for seen in observations),
    )


def shown_once(observations: Sequence[Observation], turns: Sequence[Turn], settings: Settings) -> Observation:
    """As `merge`, and a turn that several branches found is shown once; `turns` holds those of all observations."""
    merged = merge(observations)
    if len(merged["turns"]) == sum(len(seen["turns"]) for seen in observations):
        return merged
    whole = [turn for turn in turns if turn.id in merged["turns"]]
    shown = observe_turns("zoom_in", whole, settings, step=merged["step"], cap=None)
    return merged | {"text": _with_hidden(shown["text"], merged["hidden"]), "tokens": shown["tokens"]}


def readings_of(turns: Iterable[Turn]) -> dict[str, list[str]]:
    """The text in the pictures of each turn that has any, as an observation carries it."""
    return {
        turn.id: [image.ocr or "" for image in turn.images] for turn in turns if any(image.ocr for image in turn.images)
    }


def _as_spoken(turns: Sequence[Turn]) -> list[Turn]:
    """Grouped by session in the order the sessions first come, each session's turns by index."""
    order = {name: place for place, name in enumerate(dict.fromkeys(turn.session_id for turn in turns))}
    return sorted(turns, key=lambda turn: (order[turn.session_id], turn.index))


def shown_turns(observations: Sequence[Observation]) -> list[str]:
    """Ids of all turns shown whole so far."""
    return list(dict.fromkeys(turn for seen in observations for turn in seen["turns"]))


def looked_at(observations: Sequence[Observation]) -> list[str]:
    """Ids of all turns shown so far, whole or by a passage."""
    return list(dict.fromkeys(turn for seen in observations for turn in [*seen["turns"], *seen["clipped"]]))


def shorten(episode: Episode, cap: int, query: str) -> str:
    """An entry within `cap` tokens: its title, then the statements nearest to the query, in their own order."""
    whole = render_episode(episode)
    if text_tokens(whole) <= cap:
        return whole
    title, *lines = whole.splitlines()
    wanted = set(terms(query))
    nearest = sorted(range(len(lines)), key=lambda place: (-len(wanted & set(terms(lines[place]))), place))
    kept: set[int] = set()
    spent = text_tokens(title)
    for place in nearest:
        cost = text_tokens(lines[place])
        if spent + cost <= cap:
            kept.add(place)
            spent += cost
    return "\n".join([title, *(lines[place] for place in sorted(kept))])


def _entries(episodes: Sequence[Episode], cap: int | None, query: str, *, each: int | None) -> list[str]:
    share = None if cap is None else max(cap, 0) // max(len(episodes), 1)
    room = min((limit for limit in (share, each) if limit is not None), default=None)
    if room is None:
        return [render_episode(episode) for episode in episodes]
    return [shorten(episode, room, query) for episode in episodes]


def _entry_cap(below: Observation, settings: Settings) -> int | None:
    return settings.entry_tokens if below["turns"] or below["clipped"] else None


def _floor_cap(settings: Settings) -> int:
    cap = settings.observation_tokens
    return settings.raw_floor_tokens if cap is None else min(settings.raw_floor_tokens, cap)


def _heading(turn: Turn, kept: Sequence[Turn]) -> int:
    known = any(turn.session_id == other.session_id for other in kept)
    return 0 if known else header_tokens(turn.session_id, turn.time)


def _with_hidden(text: str, hidden: int) -> str:
    return f"{text}\n({hidden} more turns hidden by the cap)" if hidden else text
