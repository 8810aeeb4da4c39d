"""A saved run as one HTML page: no script, no outside resource, and everything in it escaped."""

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from langrecall.rendering import day
from langrecall.runs.parts import made_of
from langrecall.runs.tables import facts, setting_rows

if TYPE_CHECKING:
    from jinja2 import Environment

    from langrecall.runs.saved import SavedRun


def render_page(run: "SavedRun") -> str:
    """The page's HTML; every link in it leads to a place on it."""
    parts = made_of(run)
    template = _environment().get_template("page.html.jinja")
    return template.render(run=run, parts=parts, facts=facts(run), settings=setting_rows(run))


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("langrecall", "runs"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"day": day, "when": _when, "count": "{:,}".format}
    return made


def _when(time: str) -> str:
    return day(datetime.fromisoformat(time))
