"""The walk through the graph, one step a line, as its `custom` events arrive."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console

from langrecall.cli.output import say

if TYPE_CHECKING:
    from langrecall.state import Source, TrajectoryStep

_SHOWN_IDS = 6
_SHOWN_ARGUMENT = 48
"""Characters of an action's argument; often it is the question once more."""
MARGIN = 18
"""Columns left of a step's details: number and node name."""
_SOURCE_STYLES: "dict[Source, str]" = {"model": "dim", "repaired": "yellow", "fallback": "yellow"}
"""How a step's origin is marked; what the store and the extractive policy do goes without saying."""


def show_step(console: Console, step: "TrajectoryStep") -> None:
    """Print one step: what was done, what came back, and why."""
    say(console, *_head(step), indent=2)
    for text, style in _details(step):
        say(console, (text, style), indent=MARGIN)


def _head(step: "TrajectoryStep") -> Iterator[str | tuple[str, str]]:
    yield (f"{step['step']:>2}", "dim")
    yield (f"  {step['node']:<12}", "cyan")
    yield _deed(step)
    if step["tokens"]:
        yield (f" · {step['tokens']:,} tokens", "dim")
    if step["source"] in _SOURCE_STYLES:
        yield (f" · {step['source']}", _SOURCE_STYLES[step["source"]])


def _deed(step: "TrajectoryStep") -> str:
    match step["node"]:
        case "reason":
            return f"→ {step['action']} {_argument(step)}".rstrip()
        case "refine":
            return f"→ {step['argument']}"
        case "judge":
            return step["action"]
        case "answer":
            return f"cites {some(step['observed'])}" if step["observed"] else step["action"]
        case "retrieve":
            return _count(step["observed"])
        case _:
            return f"{_argument(step)}: {_count(step['observed'])}".removeprefix(": ")


def _argument(step: "TrajectoryStep") -> str:
    text = step["argument"]
    return text if len(text) <= _SHOWN_ARGUMENT else text[: _SHOWN_ARGUMENT - 1].rstrip() + "…"


def _details(step: "TrajectoryStep") -> Iterator[tuple[str, str]]:
    if step["reasoning"]:
        yield ("missing: " if step["node"] == "judge" else "") + step["reasoning"], "italic"
    if step["observed"] and step["node"] != "answer":
        yield ("remembers " if step["node"] == "reason" else "") + some(step["observed"]), "dim"
    if step["note"]:
        yield step["note"], "yellow"


def some(ids: Sequence[str]) -> str:
    """The first few ids, and how many more there are."""
    more = f", … {len(ids) - _SHOWN_IDS} more" if len(ids) > _SHOWN_IDS else ""
    return ", ".join(ids[:_SHOWN_IDS]) + more


def _count(observed: Sequence[str]) -> str:
    turns = sum(_is_turn(name) for name in observed)
    counts = {"session": len(observed) - turns, "turn": turns}
    found = [f"{count} {what}{'s' * (count > 1)}" for what, count in counts.items() if count]
    return ", ".join(found) or "nothing found"


def _is_turn(name: str) -> bool:
    session_id, _, index = name.rpartition(":")
    return bool(session_id) and index.isdecimal()
