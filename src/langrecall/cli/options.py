"""Options that several commands share, each declared once."""

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
        metavar="E",
        help='"local", "none" (words alone) or "provider:model"; a history that is there remembers its own.',
    ),
]
Preset = Annotated[PresetName, typer.Option("--preset", help="t2mem and memcot as published, or both combined.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout, and nothing else there.")]
