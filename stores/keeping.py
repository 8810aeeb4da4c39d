"""Put sessions into a history as another one kept them, with their entries: nothing is described again."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Protocol

from langrecall.records import Episode, Kept, Session
from langrecall.stores.base import PutReport

# Sessions put together: enough texts to fill an encoder's batches.
_WAVE = 32


class Putting(Protocol):
    """Whatever sessions can be put into."""

    def put(
        self, sessions: Sequence[Session], episodes: Mapping[str, Episode], *, describer: str, form: str
    ) -> PutReport:
        """As `HistoryStore.put`."""
        ...


def put_kept(place: Putting, kept: Iterable[Kept]) -> Iterator[PutReport]:
    """Put them in their order, a wave at a time, and tell of each wave once it is stored."""
    for wave in _waves(kept):
        episodes = {each.session.session_id: each.episode for each in wave if each.episode is not None}
        sessions = [each.session for each in wave]
        yield place.put(sessions, episodes, describer=wave[0].describer, form=wave[0].form)


def _waves(kept: Iterable[Kept]) -> Iterator[list[Kept]]:
    """At most a wave of neighbours that are of one describer and form, for `put` takes one of each."""
    for _, run in groupby(kept, key=lambda each: (each.describer, each.form)):
        while wave := list(islice(run, _WAVE)):
            yield wave
