"""The notebooks run as they stand, without a key, and are kept without outputs."""

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
SHOWN = {
    "01_quickstart.ipynb": (
        "12 sessions, 153 turns",
        "'created': 12",
        "'skipped': 12",
        "14 March 2024",
        "chat-03:2 Tavish 2024-03-16T11:05:00 True",
        "True - I found nothing in this history",
        "combined  retrieve > reason",
        "memcot    zoom_in > reason",
        "chat-09:2",
    ),
    "02_inside_the_loop.ipynb": (
        "__start__ -.-> retrieve;",
        "0 retrieve",
        "('reason',)",
        "## chat-",
        "verified   ['chat-",
        "Marigold",
        "True Ilka had the Ibach for 250 euros.",
        "False Ilka had the Ibach for 900 euros.",
        "next: none",
        "ramp of the boathouse",
    ),
    "03_embed_in_your_agent.ipynb": (
        "Dear doctor,",
        "(from chat-03:2",
        "recall > answer",
        "'query'",
        "No walnuts, please.",
        "<recalled_history>",
        "('human', 'On which day did Tavish break his wrist?')",
        "assistant: You asked for the date of the fracture.",
        "for 250 euros",
    ),
}
SECONDS = 240


def text(notebook: Any) -> str:
    """All that its code cells print or show; what one call prints may come in several pieces."""
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return "".join(
        output.text
        if output.output_type == "stream"
        else f"{output.data.get('text/markdown', output.data['text/plain'])}\n"
        for output in shown
    )


def test_every_notebook_is_run_here() -> None:
    assert sorted(SHOWN) == sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_runs_and_shows_what_it_promises(name: str, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jupyter's own; those of the notebook would show among its outputs
        client = nbclient.NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(tmp_path)}})
        client.execute()
    shown = text(notebook)
    assert [promise for promise in SHOWN[name] if promise not in shown] == []
    assert [
        output for cell in notebook.cells for output in cell.get("outputs", ()) if output.get("name") == "stderr"
    ] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_is_kept_without_outputs(name: str) -> None:
    notebook = json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert code
    assert [(cell["outputs"], cell["execution_count"]) for cell in code] == [([], None)] * len(code)
    assert [cell["metadata"] for cell in notebook["cells"] if cell["metadata"]] == []


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_notebook_links_to_is_there(name: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", (NOTEBOOKS / name).read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (NOTEBOOKS / link).is_file()] == []
