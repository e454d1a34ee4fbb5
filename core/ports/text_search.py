"""Part of the memory store: finding memories by words."""

from dataclasses import dataclass
from typing import Protocol

from ..model.memory import Kind


@dataclass(frozen=True, slots=True)
class Scored:
    """A memory's id and its score on one leg, 0..1, higher is better.

    `rarest`, of a search for words: how rare the rarest one is that matches, 0..1; `nats`: the
    BM25 itself, whatever the rest of the query reaches. `view`, of a search by meaning: which view
    was nearest, "" for the whole.
    """

    id: str
    score: float
    rarest: float = 0.0
    view: str = ""
    nats: float = 0.0


class TextSearch(Protocol):
    """The text index, which follows the records."""

    async def search_text(
        self,
        query: str,
        scopes: frozenset[str],
        *,
        limit: int = 50,
        kinds: frozenset[Kind] | None = None,
        own: str = "",
    ) -> list[Scored]:
        """BM25 over the terms of text, summary and cues (`core.text`).

        With `kinds`, the best among memories of these; the statistics are still of all but `own`,
        the id of the turn that asks: it says every word of itself.
        """
        ...

    async def indexed(self, scopes: frozenset[str]) -> dict[str, int]:
        """How many memories of each of these scopes the index holds, at no cost of their number.

        Scopes without any may be missing.
        """
        ...
