"""A report says what made it, and names no folder."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from langrecall.evals.provenance import PACKAGES, described, manifest, versions
from langrecall.evals.walks import main
from langrecall.loaders.benchmark import load_benchmark
from langrecall.testing import HashEmbedder


def test_versions_are_those_of_what_is_installed() -> None:
    found = versions(["numpy", "no-such-library"])
    assert found.keys() == {"python", "numpy"}
    assert versions().keys() <= {"python", *PACKAGES}


def test_a_manifest_names_models_settings_seed_and_data(locomo_file: Path) -> None:
    source = described(locomo_file, load_benchmark(locomo_file))
    made = manifest({"tokens": 1000}, [source], embeddings=HashEmbedder(), seed=3)
    assert made.keys() == {"langrecall", "versions", "models", "settings", "seed", "data"}
    assert made["models"] == {"chat": None, "embeddings": "HashEmbedder"}
    assert (made["settings"], made["seed"]) == ({"tokens": 1000}, 3)
    assert (source["file"], source["sha256"]) == (locomo_file.name, sha256(locomo_file.read_bytes()).hexdigest())


def test_walks_say_what_made_them(locomo_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(locomo_file, only="talk-1", embeddings="none", preset="combined")
    report = json.loads(capsys.readouterr().out)
    assert report["walks"]["questions"] == 7
    made = report["provenance"]
    assert [source["file"] for source in made["data"]] == ["sample_history.json", locomo_file.name]
    assert made["settings"]["preset"] == "combined"
    assert made["models"]["embeddings"] is None
