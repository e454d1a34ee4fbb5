"""Part of the journal: what an extractor made of an episode."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Extraction:
    """A model's or the rules' reply for one episode, kept before it is applied.

    `known` maps the numbers shown in the prompt to memory ids; `body` is the reply as JSON
    text; `source` names the extractor.
    """

    episode: str
    known: Mapping[int, str]
    body: str
    source: str


class Extractions(Protocol):
    """One kept reply per episode."""

    async def save_extraction(self, extraction: Extraction) -> Extraction:
        """Keep the first reply of an episode; returns the one that is kept."""
        ...

    async def extraction(self, episode: str) -> Extraction | None:
        """The kept reply, or None."""
        ...
