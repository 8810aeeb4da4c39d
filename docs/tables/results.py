"""The tables of docs/results.md, made from what the benches printed."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

Report = Mapping[str, Any]

_REPORTS = Path(__file__).parents[1] / "results"
"""Where the reports lie."""
_SYSTEMS = {
    "langrecall": "**langrecall**",
    "naive_rag": "dense turns (naive RAG)",
    "bm25": "BM25 over turns",
    "episode_vector": "one vector a session (T2Mem's form)",
    "whole_sessions": "whole sessions, langrecall's order",
}

_WALKS = {
    "combined": "**combined**",
    "combined_no_rollout": "combined, rollout off",
    "combined_no_rollout_full": "combined, rollout off, the whole budget at once",
    "one_shot": "one retrieval",
    "one_shot_equal_in_sum": "one retrieval, as many tokens in sum",
    "one_shot_equal_each": "one retrieval, as many tokens each",
    "one_shot_equal_in_sum_capped": "one retrieval, as many in sum within the cap",
}


def table(kind: str, report: str, *, folder: Path = _REPORTS) -> str:
    """One of the tables below, of the report of that name; KeyError for a kind that there is none of."""
    return _TABLES[kind](json.loads((folder / report).read_text(encoding="utf-8")))


def retrieval(report: Report) -> str:
    """Shares of gold turns and sessions by system, the interval at 95 % in brackets; `n` is the number of questions."""
    systems = report["systems"]
    rows = [
        [
            _SYSTEMS.get(name, name),
            _interval(system["turn_recall"]["1000"]["all"]),
            _interval(system["turn_recall"]["2000"]["all"]),
            " / ".join(_share(system["turn_recall"][budget].get("multi-hop")) for budget in ("1000", "2000")),
            _share(system["session_recall"]["5"]["all"]),
        ]
        for name, system in systems.items()
    ]
    asked = next(iter(systems.values()))  # every system is asked the same questions
    turns, sessions = asked["turn_recall"]["1000"], asked["session_recall"]["5"]["all"]
    head = [
        f"turns in 1,000 tokens{_number(turns['all'])}",
        "in 2,000",
        f"multi-hop{_number(turns.get('multi-hop'))}",
        f"sessions in the first 5{_number(sessions)}",
    ]
    return markdown(["", *head], rows)


def markdown(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table whose first column is text and whose others are figures."""
    names = list(head)
    lines = [names, ["---", *["---:"] * (len(names) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def temporal(report: Report) -> str:
    """How grounded dates agree with the gold's."""
    found = report["temporal"]
    figures = [*(f"{100 * found[name]:.1f} %" for name in ("right", "wrong", "unresolved")), str(found["n"])]
    return markdown(["", "right", "wrong", "unresolved", "n"], [["grounded dates", *figures]])


def loop(report: Report) -> str:
    """Gold turns observed by each walk, within the budget and as run, and what that cost."""
    rows = [
        [
            _WALKS.get(name, name),
            _share(walk["capped"]["all"]),
            _share(walk["capped"].get("multi-hop")),
            _share(walk["as_run"]["all"]),
            _share(walk["as_run"].get("multi-hop")),
            f"{walk['evidence_tokens']['mean']:,.0f}",
            _tokens(walk["evidence_tokens_by_type"].get("multi-hop")),
            f"{walk['prompt_tokens']['mean']:,.0f}",
        ]
        for name, walk in report["systems"].items()
    ]
    capped = f"first {report['tokens']:,} tokens"
    head = ["", capped, "multi-hop", "as run", "multi-hop", "evidence tokens", "multi-hop", "prompt tokens"]
    return markdown(head, rows)


def gains(report: Report) -> str:
    """What `combined` observes more than each other walk, with the interval of a paired bootstrap at 95 %."""
    rows = [
        [
            f"{_WALKS.get(other, other)}, {kind.replace('_', ' ')}",
            _gain(by_type["all"]),
            _gain(by_type.get("multi-hop")),
        ]
        for kind, others in report["differences"].items()
        for other, by_type in _named(others)
    ]
    return markdown(["combined, less", "all", "multi-hop"], rows)


def walks(report: Report) -> str:
    """What an answer without a model cites, by kind of question."""
    rows = [
        [
            kind,
            str(found["n"]),
            *(f"{100 * found[name]:.1f} %" for name in ("cited_gold", "observed_gold", "abstained")),
        ]
        for kind, found in report["walks"]["by_category"].items()
    ]
    return markdown(["", "n", "cites a gold turn", "gold turns observed", "abstains"], rows)


def speed(report: Report) -> str:
    """One run: ratios, each to the least its part could cost; then what is measured by itself."""
    held = report["peak_memory_mb"]
    rows = [
        ["ingest, against the encoder alone", f"{report['ingest']['ratio']:.2f}"],
        ["retrieval, median, against encoding and a dot product", f"{report['retrieval']['p50_ratio']:.2f}"],
        ["retrieval, 95th percentile, likewise", f"{report['retrieval']['p95_ratio']:.2f}"],
        ["a step of the graph, against an empty node", f"{report['overhead']['ratio']:.2f}"],
        ["cold start", f"{report['cold_start_ms'] / 1000:.1f} s"],
        ["peak memory of the process that measures", f"{held:,.0f} MB" if held else "unknown"],
    ]
    return markdown(["", "measured"], rows)


def pauses(report: Report) -> str:
    """How long an event loop stands still for each kind of call."""
    found = report["event_loop"]["pauses_ms"]
    return markdown(["", "longest pause"], [[name.replace("_", " "), f"{found[name]:.0f} ms"] for name in found])


def growth(report: Report) -> str:
    """What a search takes beyond encoding the question, by the size of what is searched; of a size that failed, why."""
    head = ["", "namespaces", "a search beyond encoding", "memory", "storing"]
    return markdown(head, [_grown(row) for row in report["growth"]["sizes"]])


def peers(report: Report) -> str:
    """Other libraries on the same turns and questions; those that could not be measured say why."""
    found = report["peers"]
    head = ["", f"turns in {found['tokens']:,} tokens", "a search, median", "storing"]
    rows = [[f"{name} {row.get('version', '')}".strip(), *_peer(row)] for name, row in found["libraries"].items()]
    return markdown(head, rows)


def _grown(row: Report) -> list[str]:
    limit = f", {row['descriptors']:,} files" if row["descriptors"] else ""
    name, spaces = f"{row['turns']:,} turns{limit}", f"{row['namespaces']:,}"
    if "failed" in row:
        return [name, spaces, row["failed"], "-", "-"]
    beyond = row["p50_ms"] - row["encode_ms"]
    return [name, spaces, f"{beyond:.0f} ms", f"{row['rss_mb']:,.0f} MB", f"{row['write_seconds']:,.0f} s"]


def _peer(row: Report) -> list[str]:
    if "skipped" in row:
        return [row["skipped"], "-", "-"]
    return [_interval(row["turn_recall"]), f"{row['p50_ms']:.0f} ms", f"{row['put_seconds']:.1f} s"]


def _named(others: Mapping[str, Any]) -> Iterable[tuple[str, Report]]:
    """Those compared with in that way; where there is one alone, it is the retrieval that takes no steps."""
    return [("one_shot", others)] if "all" in others else list(others.items())


def _gain(difference: Report | None) -> str:
    if not difference or difference["mean"] is None:
        return "-"
    return f"{100 * difference['mean']:+.1f} ({100 * difference['low']:+.1f} to {100 * difference['high']:+.1f})"


def _interval(estimate: Report) -> str:
    return f"{_share(estimate)} ({100 * estimate['low']:.1f} to {100 * estimate['high']:.1f})"


def _number(estimate: Report | None) -> str:
    return f", n = {estimate['n']:,}" if estimate else ""


def _tokens(spread: Report | None) -> str:
    return f"{spread['mean']:,.0f}" if spread else "-"


def _share(estimate: Report | None) -> str:
    return f"{100 * estimate['mean']:.1f} %" if estimate else "-"


_TABLES: Mapping[str, Callable[[Report], str]] = {
    "retrieval": retrieval,
    "temporal": temporal,
    "loop": loop,
    "gains": gains,
    "walks": walks,
    "speed": speed,
    "pauses": pauses,
    "growth": growth,
    "peers": peers,
}
