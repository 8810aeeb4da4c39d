"""Options that several commands share, each declared once."""

from pathlib import Path
from typing import Annotated

import typer

from langrecall.settings import Preset as PresetName


def _not_blank(text: str) -> str:
    if not text.strip():
        msg = "it is empty"
        raise typer.BadParameter(msg)
    return text


Question = Annotated[
    str, typer.Argument(metavar="QUESTION", help="What to find out.", callback=_not_blank, show_default=False)
]
Database = Annotated[
    str,
    typer.Option(
        "--db", envvar="LANGRECALL_DB", metavar="DIR", help="Folder of the history, or the address of a Chroma server."
    ),
]
Namespace = Annotated[
    str, typer.Option("--namespace", envvar="LANGRECALL_NAMESPACE", metavar="NS", help="Whose history.")
]
Model = Annotated[
    str,
    typer.Option(
        "--model",
        envvar="LANGRECALL_MODEL",
        metavar="M",
        help='"extractive" (no model, no key), or "provider:model", such as openai:gpt-4o-mini.',
    ),
]
Embeddings = Annotated[
    str | None,
    typer.Option(
        "--embeddings",
        envvar="LANGRECALL_EMBEDDINGS",
        metavar="E",
        help='"local", "none" (words alone) or "provider:model"; a history that is there remembers its own.',
    ),
]
EmbeddingModel = Annotated[
    str,
    typer.Option(
        "--embeddings",
        metavar="E",
        help='"local", "none" (words alone) or "provider:model".',
    ),
]
VectorModel = Annotated[str, typer.Option("--embeddings", metavar="E", help='"local" or "provider:model".')]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change one setting of the preset; may be repeated."),
]
Trace = Annotated[bool, typer.Option("--trace", help="Show each step as it happens.")]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save", metavar="FILE", help="Keep the run: langrecall replay and langrecall view take it from there."
    ),
]
Preset = Annotated[PresetName, typer.Option("--preset", help="t2mem and memcot as published, or both combined.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout, and nothing else there.")]
