"""How the extractive policy walks and what it cites, over a benchmark file: `python -m langrecall.evals.walks FILE`."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from langrecall.data import sample_history, sample_questions
from langrecall.evals.histories import ingest, silent
from langrecall.evals.provenance import described, hashed, manifest
from langrecall.graphs.recall import create_recall_graph
from langrecall.loaders import load
from langrecall.loaders.benchmark import Benchmark, load_benchmark
from langrecall.settings import Preset, Settings, resolve
from langrecall.stores.chroma.history import ChromaHistory


class Walk(NamedTuple):
    """What one question did."""

    question_id: str
    category: str
    nodes: tuple[str, ...]
    stop_reason: str
    abstained: bool
    cited: tuple[str, ...]
    observed: tuple[str, ...]
    gold: tuple[str, ...]


def walked(graph: Any, question: str, *, query_time: str | None = None) -> tuple[dict[str, Any], list[str]]:  # noqa: ANN401 - a compiled graph
    """The final state of one question, and the nodes that ran, in order."""
    nodes: list[str] = []
    state: dict[str, Any] = {}
    asked = {"query": question, "query_time": query_time}
    for mode, chunk in graph.stream(asked, stream_mode=["updates", "values"]):
        if mode == "updates":
            nodes += list(chunk)
        else:
            state = chunk
    return state, nodes


def walk(graph: Any, question: str, **known: Any) -> Walk:  # noqa: ANN401 - a compiled graph
    """Ask one question and keep what can be counted."""
    state, nodes = walked(graph, question)
    return Walk(
        nodes=tuple(nodes),
        stop_reason=state["stop_reason"],
        abstained=state["abstained"],
        cited=tuple(citation["turn"] for citation in state["citations"]),
        observed=tuple(dict.fromkeys(turn for seen in state["observation"] for turn in seen["turns"])),
        **known,
    )


def _walks_of(benchmark: Benchmark, *, embeddings: str | None, preset: Preset) -> list[Walk]:
    """Walk every question of a LoCoMo or LongMemEval file, each over its own history."""
    memory = ChromaHistory.open(None, embeddings=embeddings)
    walks: list[Walk] = []
    for loaded in benchmark.histories:
        history = memory.at(loaded.name or "history")
        ingest(history, loaded.sessions, advance=silent)
        graph = create_recall_graph(history, preset=preset)
        walks += [
            walk(graph, asked.question, question_id=asked.question_id, category=asked.category, gold=asked.evidence)
            for asked in benchmark.questions
            if asked.namespace_name == loaded.name
        ]
        history.clear()
    return walks


def summary(walks: Sequence[Walk]) -> dict[str, Any]:
    """Citations that hold a gold turn, node sequences, stop reasons and abstentions, by category."""
    by_category: dict[str, list[Walk]] = defaultdict(list)
    for each in walks:
        by_category[each.category].append(each)
    return {
        "questions": len(walks),
        "sequences": len({each.nodes for each in walks}),
        "stop_reasons": dict(Counter(each.stop_reason for each in walks)),
        "by_category": {name: _category(found) for name, found in sorted(by_category.items())},
    }


def abstention(*, embeddings: str | None, preset: Preset) -> dict[str, Any]:
    """Balanced accuracy of abstaining on the thirty questions of the sample history."""
    (loaded,) = load(sample_history()).histories
    history = ChromaHistory.open(None, embeddings=embeddings).at("sample")
    ingest(history, loaded.sessions, advance=silent)
    graph = create_recall_graph(history, preset=preset)
    asked = sample_questions().abstention
    walks = [
        walk(graph, each.question, question_id=each.question, category=each.kind, gold=each.evidence) for each in asked
    ]
    answered = [not found.abstained for each, found in zip(asked, walks, strict=True) if each.answerable]
    abstained = [found.abstained for each, found in zip(asked, walks, strict=True) if not each.answerable]
    right, refused = sum(answered) / len(answered), sum(abstained) / len(abstained)
    wrong = [found.question_id for each, found in zip(asked, walks, strict=True) if found.abstained == each.answerable]
    return {"balanced_accuracy": (right + refused) / 2, "answered": right, "abstained": refused, "wrong": wrong}


def _category(walks: Sequence[Walk]) -> dict[str, float | int]:
    known = [each for each in walks if each.gold]
    hits = [bool(set(each.gold) & set(each.cited)) for each in known]
    seen = [len(set(each.gold) & set(each.observed)) / len(set(each.gold)) for each in known]
    return {
        "n": len(walks),
        "cited_gold": round(sum(hits) / max(len(hits), 1), 3),
        "observed_gold": round(sum(seen) / max(len(seen), 1), 3),
        "abstained": round(sum(each.abstained for each in walks) / max(len(walks), 1), 3),
        "cited": round(sum(len(each.cited) for each in walks) / max(len(walks), 1), 2),
    }


def main(
    data: Annotated[Path | None, typer.Argument(help="A LoCoMo or LongMemEval file.")] = None,
    only: Annotated[str | None, typer.Option(help="One conversation of it.")] = None,
    embeddings: Annotated[str, typer.Option(help="local, none, or provider:model.")] = "local",
    preset: Annotated[str, typer.Option(help="t2mem, memcot or combined.")] = "combined",
) -> None:
    """Walk the questions of DATA and the sample history's thirty, without a model."""
    model = None if embeddings == "none" else embeddings
    chosen: Any = preset
    found: dict[str, Any] = {"abstention": abstention(embeddings=model, preset=chosen)}
    sources = [hashed(sample_history())]
    if data:
        benchmark = load_benchmark(data, only=only)
        sources.append(described(data, benchmark))
        found["walks"] = summary(_walks_of(benchmark, embeddings=model, preset=chosen))
    settings = resolve(Settings(preset=chosen)).model_dump()
    found["provenance"] = manifest(settings, sources, embeddings=model)
    typer.echo(json.dumps(found, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    typer.run(main)
