"""Settings of what happens by itself: sleep and reminders."""

from dataclasses import dataclass

from ..model.declaration import declared
from .wanted import hours_in


@dataclass(frozen=True, slots=True)
class SleepSettings:
    """When each scope sleeps; model calls and tokens are for each scope and day, 0 for none."""

    enabled: bool = declared(True)
    night_hour: int = declared(4, within=(0, 23), step=1, when=("enabled", True))
    quiet_minutes: float = 30.0
    """Minutes of quiet after which a chat is put in order, as long as an episode waits."""

    calls: int = declared(8, within=(0, 1_000), step=1, when=("enabled", True))
    tokens: int = 20_000
    """Tokens for one chat and day: what `calls` take at most, so that no single one runs away."""

    stale_days: float = 90.0
    """Days after which a plan nobody mentions is archived; it can be restored."""


@dataclass(frozen=True, slots=True)
class ReminderSettings:
    """Hours of the local day in which nobody is sent a reminder; "" or both alike for none."""

    quiet_hours: str = declared("22-8", written="hours")

    @property
    def span(self) -> tuple[int, int]:
        """The hours from and until which it is quiet."""
        return hours_in(self.quiet_hours) or (0, 0)

    def quiet(self, hour: int) -> bool:
        """Whether nobody is to be disturbed in this hour of the day."""
        start, end = self.span
        return (hour - start) % 24 < (end - start) % 24
