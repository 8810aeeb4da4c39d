"""The small tables of a run's page: what it rests on and cost, and its settings."""

from typing import NamedTuple

from langrecall.runs.saved import SavedRun
from langrecall.settings import Settings


class SettingRow(NamedTuple):
    """A setting: its title, its value, and whether it was set by hand."""

    title: str
    name: str
    value: str
    chosen: bool


def facts(run: SavedRun) -> list[tuple[str, str]]:
    """What the run rests on and cost, a few words each."""
    usage, coverage = run.output["usage"], run.output["coverage"]
    tokens = usage["prompt_tokens"] + usage["completion_tokens"]
    ended = f"{run.output['stop_reason']}, abstained" if run.output["abstained"] else run.output["stop_reason"]
    return [
        ("Stopped", ended),
        ("Sessions", f"{coverage['seen']} seen, {coverage['read']} read raw, of {coverage['sessions']}"),
        ("Model calls", f"{usage['calls']:,}" if usage["calls"] else "none"),
        ("Tokens", f"{tokens:,}" if usage["calls"] else "none"),
        ("Time", f"{usage['seconds']:.1f} s"),
    ]


def setting_rows(run: SavedRun) -> list[list[SettingRow]]:
    """The settings of each leg; those that hold from the start first."""
    return [
        [
            SettingRow(field.title or name, name, _value(leg.settings.get(name)), name in leg.chosen)
            for name, field in Settings.model_fields.items()
            if name in leg.settings
        ]
        for leg in run.legs
    ]


def _value(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "on" if value else "off"
        case int():
            return f"{value:,}"
    return str(value)
