"""Zip files, as messengers hand their exports out: nothing is unpacked to disk."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from langrecall.loaders.exports import chatgpt, claude, slack, whatsapp
from langrecall.loaders.faults import Location
from langrecall.loaders.files import as_records, decode, parse_json
from langrecall.loaders.loaded import LoadedHistory

MOST_BYTES = 1_000_000_000
"""Of one file in the archive, unpacked: a larger one is refused before it is read."""

_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
"""Of an archive, and of one that holds nothing."""
_CONVERSATIONS = "conversations"


def is_zip(data: bytes) -> bool:
    """Whether the bytes begin as a zip file does."""
    return data.startswith(_MARKS)


def histories(data: bytes, location: Location, *, day_first: bool | None) -> tuple[LoadedHistory, ...]:
    """Slack's export, ChatGPT's, Claude's, or a chat's text with or without its pictures, which are not opened inside an archive.

    Raises `InputError` for a damaged or locked archive, and for one that holds nothing of the kind.
    """
    with _opened(data, location) as archive:
        names = [name for name in archive.namelist() if not name.startswith("__MACOSX/")]

        def read_text(name: str) -> str:
            if archive.getinfo(name).file_size > MOST_BYTES:
                raise location.at(name).fault(f"larger than {MOST_BYTES:,} bytes", "unpack it and give the parts")
            return decode(archive.read(name), location.at(name))

        def read_json(name: str) -> object:
            return parse_json(read_text(name), location.at(name))

        if slack.matches(names):
            return slack.histories(names, read_json, location)
        conversations = [
            name for name in sorted(names) if Path(name).name.startswith(_CONVERSATIONS) and name.endswith(".json")
        ]
        records = [record for name in conversations for record in as_records(read_json(name))]
        if chatgpt.matches(records):
            return chatgpt.histories(records, location)
        if claude.matches(records):
            return claude.histories(records, location)
        texts = [name for name in names if name.endswith(".txt")]
        if len(texts) == 1 and whatsapp.matches(text := read_text(texts[0])):
            return whatsapp.histories(text, location, day_first=day_first)
    raise location.fault(
        "a zip file of none of the known exports (Slack, ChatGPT, Claude, WhatsApp)",
        "unpack it and give the file inside",
    )


@contextmanager
def _opened(data: bytes, location: Location) -> Iterator[ZipFile]:
    try:
        with ZipFile(BytesIO(data)) as archive:
            yield archive
    except BadZipFile as error:
        raise location.fault(f"a damaged zip file ({error})", "download or export it again") from None
    except (
        RuntimeError,
        NotImplementedError,
    ) as error:  # zipfile's own for a password and for a compression it has not
        raise location.fault(
            f"a zip file that cannot be read ({error})", "unpack it and give the file inside"
        ) from None
