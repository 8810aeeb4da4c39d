"""A benchmark file read once: its histories, its questions, and the metadata it brings along."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from langrecall.loaders import locomo, longmemeval
from langrecall.loaders.faults import Location
from langrecall.loaders.files import read_records
from langrecall.loaders.loaded import Kind, LoadedHistory
from langrecall.loaders.questions import BenchmarkQuestion
from langrecall.records import Episode


@dataclass(frozen=True, slots=True)
class Benchmark:
    """`given` has LoCoMo's observations as metadata entries, by history and session; LongMemEval brings none."""

    kind: Kind
    histories: tuple[LoadedHistory, ...]
    questions: tuple[BenchmarkQuestion, ...]
    given: Mapping[str, Mapping[str, Episode]] = field(default_factory=dict)


def load_benchmark(path: Path, *, only: str | None = None, errata: Path | None = None) -> Benchmark:
    """Load a LoCoMo or LongMemEval file with its questions; `errata` overrides LoCoMo's gold."""
    location, records = Location(str(path)), read_records(path)
    if locomo.matches(records):
        return Benchmark(
            kind="locomo",
            histories=locomo.histories(records, location, only=only),
            questions=tuple(locomo.ask(records, location, only=only, errata=errata)),
            given=locomo.given(records, location, only=only),
        )
    if longmemeval.matches(records):
        return Benchmark(
            kind="longmemeval",
            histories=longmemeval.histories(records, location, only=only),
            questions=tuple(longmemeval.ask(records, location, only=only)),
        )
    raise location.fault("neither a LoCoMo nor a LongMemEval file", "give one that holds questions with their evidence")
