"""Every number and switch of an ingest."""

from pydantic import Field

from langrecall.choices import Choices
from langrecall.settings import MetadataForm


class IngestSettings(Choices, title="langrecall ingest settings"):
    """How a history is ingested."""

    namespace: str | None = Field(
        default=None, title="Namespace", description="Whose history it is; required unless the graph is bound to one."
    )
    model: str | None = Field(
        default=None, title="Model", description='"extractive" or "provider:model"; unset: the graph\'s own model.'
    )
    form: MetadataForm = Field(
        default="wiki", title="Metadata form", description="What a metadata entry holds (T2Mem: wiki)."
    )
    wave: int = Field(
        default=32,
        ge=1,
        le=1000,
        title="Wave",
        description="Sessions that are described side by side and stored together.",
    )
