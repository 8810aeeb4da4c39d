"""Histories are stored with the entries that were asked for."""

from pathlib import Path

from langrecall.evals.histories import ingest, put_extractive, put_history, silent
from langrecall.loaders.benchmark import load_benchmark
from langrecall.stores.chroma.history import ChromaHistory


def test_given_facts_are_the_files_observations(memory: ChromaHistory, locomo_file: Path) -> None:
    benchmark = load_benchmark(locomo_file)
    history = memory.at("talk")
    put_history(history, benchmark.histories[0], benchmark, facts="given", advance=silent)
    (episode,) = history.episodes(["session_1"])
    assert [fact.text for fact in episode.facts] == ["Mia said that I adopted a beagle yesterday."]


def test_putting_entries_directly_is_what_ingest_does(memory: ChromaHistory, locomo_file: Path) -> None:
    sessions = load_benchmark(locomo_file).histories[0].sessions
    ingest(memory.at("graph"), sessions, advance=silent)
    put_extractive(memory.at("direct"), sessions, advance=silent)
    names = [session.session_id for session in sessions]
    assert memory.at("graph").episodes(names) == memory.at("direct").episodes(names)
    changes = memory.at("direct").changes(sessions, describer="extractive", form="wiki")
    assert changes.unchanged == tuple(names)
    assert memory.at("graph").changes(sessions, describer="extractive", form="wiki").unchanged == tuple(names)
