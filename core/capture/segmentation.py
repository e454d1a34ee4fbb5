"""Where one episode ends and the next begins. Pure. Algorithms, section 10.2."""

from ..model.conversation import Episode, EpisodeEnd, NewTurn, Role
from ..ports import EpisodeLimits, Segmenter
from ..settings import CaptureSettings


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
