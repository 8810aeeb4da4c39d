"""The tables of settings on a page, made from the settings themselves."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from langrecall.ingest_state import IngestSettings
from langrecall.settings import Preset, Settings, resolve

Schema = Mapping[str, Any]


def recall_table() -> str:
    """Every setting of a recall: the value of `combined`, the published presets' where it is another, and what it takes."""
    by_preset = {preset: resolve(Settings(preset=preset)).model_dump() for preset in get_args(Preset)}
    ours = by_preset.pop("combined")
    rows = [
        [f"`{name}`", shown(ours[name]), *_differing(name, ours, by_preset.values()), takes(schema), told(schema)]
        for name, schema in _properties(Settings)
    ]
    return _markdown(["setting", "`combined`", *map(shown, by_preset), "takes", "what it does"], rows)


def ingest_table() -> str:
    """Every setting of an ingest."""
    rows = [
        [f"`{name}`", shown(schema["default"]), takes(schema), told(schema)]
        for name, schema in _properties(IngestSettings)
    ]
    return _markdown(["setting", "default", "takes", "what it does"], rows)


def shown(value: object) -> str:
    """A value as `--set` takes it, but for the thousands' commas."""
    match value:
        case None:
            return "`none`"
        case bool():
            return f"`{str(value).lower()}`"
        case float():
            return f"{value:g}"
        case int():
            return f"{value:,}"
        case _:
            return f"`{value}`"


def takes(schema: Schema) -> str:
    """The values that a setting takes."""
    return " or ".join(map(_taken, schema.get("anyOf", [schema])))


def told(schema: Schema) -> str:
    """A setting's title and description, as Studio shows them."""
    return f"**{schema['title']}.** {schema['description']}"


def _taken(kind: Schema) -> str:
    if "enum" in kind:
        return ", ".join(map(shown, kind["enum"]))
    match kind["type"]:
        case "boolean":
            return "`true`, `false`"
        case "null":
            return "`none`"
        case "string":
            return "text"
        case _:
            return _bounds(kind)


def _bounds(kind: Schema) -> str:
    top = shown(kind["maximum"]) if "maximum" in kind else ""
    if "exclusiveMinimum" in kind:
        return f"above {shown(kind['exclusiveMinimum'])}" + (f", up to {top}" if top else "")
    return f"{shown(kind['minimum'])} to {top}" if top else f"from {shown(kind['minimum'])}"


def _properties(settings: type[Settings | IngestSettings]) -> Iterable[tuple[str, Schema]]:
    properties: Mapping[str, Schema] = settings.model_json_schema()["properties"]
    return properties.items()


def _differing(name: str, ours: Schema, others: Iterable[Schema]) -> list[str]:
    return ["" if other[name] == ours[name] else shown(other[name]) for other in others]


def _markdown(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(head)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [names, ["---"] * len(names), *rows])
