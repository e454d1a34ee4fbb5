"""Moves the end of an episode that reached its size limit to where its topic ended."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ..model.conversation import Episode, EpisodeEnd, Turn
from ..model.errors import EmbeddingUnavailable
from ..ports import EmbedderSource, Journal, Vector
from ..scoring.boundaries import BoundaryModels, best_place
from ..settings import CaptureSettings
from .segmentation import limits_of

HASHED = "hashed"
"""The provider of vectors that know words alone."""

AFTER = 7
"""Turns of the next episode that tell whether the talk goes on there."""


@dataclass(frozen=True, slots=True)
class Recutting:
    """Moves the end of an episode to where the talk turns to something else. No model is asked.

    May be repeated: an episode whose end has been moved, or that has been learnt from, is left.
    """

    journal: Journal
    embedders: EmbedderSource
    settings: CaptureSettings
    models: BoundaryModels | None

    async def settled(self, episode: Episode) -> Episode:
        """The episode as it is learnt from."""
        if self.models is None or episode.end is not EpisodeEnd.SIZE:
            return episode
        if await self.journal.extraction(episode.id):
            return episode
        turns = await self.journal.turns_of(episode.id)
        following = await self.journal.open_episode(episode.place.session)
        after = await self.journal.turns_of(following.id) if following else []
        if not turns or (after and after[0].seq < turns[-1].seq):
            return episode
        stretch = [*turns, *after[:AFTER]]
        vectors = await self._vectors(stretch)
        place = await asyncio.to_thread(
            best_place, stretch, vectors, self.models, earliest=len(turns) // 2, end=len(turns)
        )
        if place is None:
            return episode
        await self.journal.recut(episode.id, before=turns[place].seq, most=limits_of(self.settings))
        return await self.journal.episode(episode.id) or episode

    async def _vectors(self, turns: Sequence[Turn]) -> list[Vector] | None:
        """By meaning; None where nobody knows it."""
        try:
            embedder = await self.embedders.choose()
            if embedder is None or (await embedder.identity()).provider == HASHED:
                return None
            return await embedder.embed_documents([turn.text for turn in turns])
        except EmbeddingUnavailable:
            return None
