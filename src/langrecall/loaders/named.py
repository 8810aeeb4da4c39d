"""Benchmark files hold many histories, each under a name."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from langrecall.loaders.faults import Location, listed


class Named(NamedTuple):
    """One record of a benchmark file, its name, and its place for messages."""

    name: str
    record: Mapping[str, Any]
    location: Location


def named(records: Sequence[object], key: str, location: Location, only: str | None) -> Iterator[Named]:
    """The records under their names, or the one called `only`; raises when there is none such, or two of one name."""
    whole = [location.at(f"record {number}").object(record) for number, record in enumerate(records, 1)]
    names = [location.at(f"record {number}").identifier(record, key) for number, record in enumerate(whole, 1)]
    insist_unique(names, location, key=key, unit="record")
    if only is not None and only not in names:
        raise location.fault(f"holds nothing called {only!r}", f"there are {listed(names)}")
    for name, record in zip(names, whole, strict=True):
        if only in (None, name):
            yield Named(name, record, location.at(name))


def refuse_only(only: str | None, location: Location) -> None:
    """For shapes that are one history a file."""
    if only is not None:
        raise location.fault(
            f"holds one history without a name, so {only!r} picks nothing", "ask for the file as a whole"
        )


def insist_unique(names: Sequence[str], location: Location, *, key: str, unit: str) -> None:
    """Two of one name would overwrite each other."""
    first: dict[str, int] = {}
    for number, name in enumerate(names, 1):
        if (before := first.setdefault(name, number)) != number:
            problem = f'"{key}" {name!r} is already that of {unit} {before}'
            raise location.at(f"{unit} {number}").fault(problem, f"give each {unit} its own")
