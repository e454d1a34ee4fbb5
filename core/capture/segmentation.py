"""Where one episode ends and the next begins: at silence, at its size, where its topic ends."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ..model.conversation import Episode, EpisodeEnd, NewTurn, Role, Turn
from ..model.errors import EmbeddingUnavailable
from ..ports import EmbedderSource, EpisodeLimits, Journal, Segmenter, Vector
from ..scoring.boundaries import BoundaryModels, best_place
from ..settings import CaptureSettings

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
        if episode.turns < 2 * EVERY:
            return
        every = await self.journal.turns_of(episode.id)
        turns = [one for one in every if one.seq <= turn.seq]
        # A private reply stays in the episode that it was given in.
        stays = any(one.private_reply for one in every)
        if stays or len(turns) < 2 * EVERY or len(turns) % EVERY:
            return
        vectors = await self._vectors(turns)
        place = await asyncio.to_thread(best_place, turns, vectors, self.models)
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
        while place := await asyncio.to_thread(best_place, turns, vectors, self.models):
            if not await self.journal.recut(episode.id, before=turns[place].seq):
                break
            turns, vectors = turns[:place], vectors and vectors[:place]
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


def segmenter(limits: EpisodeLimits) -> Segmenter:
    """Ends an episode after silence or at its size cap. A clock set back ends nothing.

    The cap does not part an answer from its question: what was recalled for it is judged by it.
    """

    def segment(episode: Episode, turn: NewTurn) -> EpisodeEnd | None:
        if turn.at - episode.last_at >= limits.silence:
            return EpisodeEnd.SILENCE
        if turn.role is Role.ASSISTANT:
            return None
        if episode.turns >= limits.turns or episode.characters >= limits.characters:
            return EpisodeEnd.SIZE
        return None

    return segment


def limits_of(capture: CaptureSettings) -> EpisodeLimits:
    """Where episodes end, as the settings say."""
    return EpisodeLimits(
        silence=capture.episode_silence_minutes * 60,
        turns=capture.episode_max_turns,
        characters=capture.episode_max_characters,
    )
