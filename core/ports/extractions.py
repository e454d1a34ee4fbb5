"""Part of the journal: what an extractor made of an episode."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ..model.conversation import Episode


@dataclass(frozen=True, slots=True)
class Extraction:
    """A model's or the rules' reply for one episode, kept before it is applied.

    `known` maps the numbers shown in the prompt to memory ids; `body` is the reply as JSON
    text; `source` names the extractor. `again`: of an episode that was read once more.
    """

    episode: str
    known: Mapping[int, str]
    body: str
    source: str
    again: bool = False


class Extractions(Protocol):
    """One kept reply per episode."""

    async def extraction(self, episode: str) -> Extraction | None:
        """The kept reply, or None."""
        ...

    async def save_extraction(self, extraction: Extraction) -> Extraction:
        """Keep the first reply of an episode; returns the one that is kept."""
        ...


class Rereadings(Protocol):
    """Episodes that sleep compares with what was learnt of them, once each."""

    async def uncompared(self, scope: str, *, limit: int) -> list[Episode]:
        """Closed ones with a kept reply that `finish_rereading` was not told of, oldest first."""
        ...

    async def save_rereading(self, extraction: Extraction) -> Extraction:
        """Keep the first second reply until it is applied; returns the one that is kept.

        Nothing is kept of an episode whose first reply is gone: somebody was forgotten there.
        """
        ...

    async def rereading(self, episode: str) -> Extraction | None:
        """The one that is still to be applied, or None."""
        ...

    async def finish_rereading(self, episode: str) -> None:
        """The episode needs no more comparing; the text of its second reply is dropped."""
        ...
