"""Zip files, as messengers hand their exports out: nothing is unpacked to disk."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from langrecall.loaders import chatgpt, claude
from langrecall.loaders.exports import slack, whatsapp
from langrecall.loaders.files import as_records, decode, parse_json
from langrecall.loaders.loaded import LoadedHistory
from langrecall.loaders.places import Place

MOST_BYTES = 1_000_000_000
"""Of one file in the archive, unpacked: a larger one is refused before it is read."""

_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
"""Of an archive, and of one that holds nothing."""
_CONVERSATIONS = "conversations"


def is_zip(data: bytes) -> bool:
    """Whether the bytes begin as a zip file does."""
    return data.startswith(_MARKS)


def histories(data: bytes, place: Place, *, day_first: bool | None) -> tuple[LoadedHistory, ...]:
    """Slack's export, ChatGPT's, Claude's, or a chat's text with or without its pictures, which are not opened inside an archive.

    Raises `InputError` for a damaged or locked archive, and for one that holds nothing of the kind.
    """
    with _opened(data, place) as archive:
        names = [name for name in archive.namelist() if not name.startswith("__MACOSX/")]

        def read_text(name: str) -> str:
            if archive.getinfo(name).file_size > MOST_BYTES:
                raise place.at(name).fault(f"larger than {MOST_BYTES:,} bytes", "unpack it and give the parts")
            return decode(archive.read(name), place.at(name))

        def read_json(name: str) -> object:
            return parse_json(read_text(name), place.at(name))

        if slack.matches(names):
            return slack.histories(names, read_json, place)
        conversations = [
            name for name in sorted(names) if Path(name).name.startswith(_CONVERSATIONS) and name.endswith(".json")
        ]
        records = [record for name in conversations for record in as_records(read_json(name))]
        if chatgpt.matches(records):
            return chatgpt.histories(records, place)
        if claude.matches(records):
            return claude.histories(records, place)
        texts = [name for name in names if name.endswith(".txt")]
        if len(texts) == 1 and whatsapp.matches(text := read_text(texts[0])):
            return whatsapp.histories(text, place, day_first=day_first)
    raise place.fault(
        "a zip file of none of the known exports (Slack, ChatGPT, Claude, WhatsApp)",
        "unpack it and give the file inside",
    )


@contextmanager
def _opened(data: bytes, place: Place) -> Iterator[ZipFile]:
    try:
        with ZipFile(BytesIO(data)) as archive:
            yield archive
    except BadZipFile as error:
        raise place.fault(f"a damaged zip file ({error})", "download or export it again") from None
    except (
        RuntimeError,
        NotImplementedError,
    ) as error:  # zipfile's own for a password and for a compression it has not
        raise place.fault(f"a zip file that cannot be read ({error})", "unpack it and give the file inside") from None
