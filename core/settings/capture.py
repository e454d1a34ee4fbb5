"""Settings of what is recorded."""

from dataclasses import dataclass

from ..model.declaration import declared
from ..model.recording import ANY, EntryKind, RecordingRules, entries_in


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """What is recorded, when an episode ends, and for how many days turns keep their text.

    0 days means for ever; memories are not touched.
    """

    enabled: bool = declared(True)
    group_chatter: bool = declared(True, basic=True, when=("enabled", True))
    tool_calls: bool = declared(True, when=("enabled", True))
    allow: str = declared(
        "", when=("enabled", True), written="rules", fallback=f"{EntryKind.PLATFORM}:(unreadable)"
    )
    deny: str = declared(
        "", when=("enabled", True), written="rules", fallback=f"{EntryKind.PLATFORM}:{ANY}"
    )
    episode_silence_minutes: float = 30.0
    """Minutes of silence that end an episode: who returns later begins something new."""

    episode_max_turns: int = 40
    """Messages that end an episode; where the topic turns ends it sooner."""

    episode_max_characters: int = 12_000
    """What a learning call reads at once."""

    keep_turns_days: float = declared(365.0, within=(0.0, 36_500.0))

    def rules(self) -> RecordingRules:
        """What may be recorded at all."""
        return RecordingRules(entries_in(self.allow) or (), entries_in(self.deny) or ())


@dataclass(frozen=True, slots=True)
class MediaSettings:
    """What is kept of pictures besides where they were, and how many are described a day."""

    captions_per_day: int = declared(100, within=(0, 10_000), step=10)
    keep: bool = declared(False)
