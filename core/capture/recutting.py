"""Ends an episode where its topic ends: while the talk goes on, and before it is learnt from."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ..model.conversation import Episode, EpisodeEnd, Turn
from ..model.errors import EmbeddingUnavailable
from ..ports import EmbedderSource, Journal, Vector
from ..scoring.boundaries import BoundaryModels, best_place

HASHED = "hashed"
"""The provider of vectors that know words alone."""

EVERY = 6
"""Turns of an open episode after which it is looked at, from twice as many on."""


@dataclass(frozen=True, slots=True)
class Recutting:
    """Cuts where the talk turns to something else. No model is asked.

    May be repeated: what has been learnt from is left.
    """

    journal: Journal
    embedders: EmbedderSource
    models: BoundaryModels | None

    async def going_on(self, turn: Turn) -> None:
        """End the open episode of a turn that has just been said, where its topic ended."""
        episode = await self.journal.open_episode(turn.place.session)
        if self.models is None or episode is None or episode.id != turn.episode:
            return
        turns = [one for one in await self.journal.turns_of(episode.id) if one.seq <= turn.seq]
        if len(turns) < 2 * EVERY or len(turns) % EVERY:
            return
        place = await self._place(turns, await self._vectors(turns), self.models)
        if place is not None:
            await self.journal.close_episode(
                turn.place.session, EpisodeEnd.TOPIC, at=turn.at, before=turns[place].seq
            )

    async def settled(self, episode: Episode) -> Episode:
        """The episode as it is learnt from: its first topic, the others are episodes of their own.

        The past is learnt from in the pieces whose price was told.
        """
        if self.models is None or episode.end is EpisodeEnd.HISTORY:
            return episode
        if await self.journal.extraction(episode.id):
            return episode
        turns = await self.journal.turns_of(episode.id)
        vectors = await self._vectors(turns)
        while (place := await self._place(turns, vectors, self.models)) is not None:
            if not await self.journal.recut(episode.id, before=turns[place].seq):
                break
            turns, vectors = turns[:place], vectors and vectors[:place]
        return await self.journal.episode(episode.id) or episode

    @staticmethod
    async def _place(
        turns: Sequence[Turn], vectors: Sequence[Vector] | None, models: BoundaryModels
    ) -> int | None:
        return await asyncio.to_thread(best_place, turns, vectors, models)

    async def _vectors(self, turns: Sequence[Turn]) -> list[Vector] | None:
        """By meaning; None where nobody knows it."""
        try:
            embedder = await self.embedders.choose()
            if embedder is None or (await embedder.identity()).provider == HASHED:
                return None
            return await embedder.embed_documents([turn.text for turn in turns])
        except EmbeddingUnavailable:
            return None
