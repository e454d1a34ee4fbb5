"""Where one episode ends and the next begins. Pure; finer signals come behind this function."""

from ..conversation import Episode, EpisodeEnd, NewTurn, Role
from ..ports import EpisodeLimits, Segmenter
from ..settings import CaptureSettings


def limits_of(settings: CaptureSettings) -> EpisodeLimits:
    """The limits as they are set, silence in seconds."""
    return EpisodeLimits(
        silence=settings.episode_silence_minutes * 60,
        turns=settings.episode_max_turns,
        characters=settings.episode_max_characters,
    )


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
