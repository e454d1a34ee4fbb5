"""The clock of a plugin under test: the real time plus an offset kept in a file."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "TIDEMARK_CLOCK_FILE"
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class ClockFile:
    """The file the plugin reads its offset from (seconds, a decimal number)."""

    path: Path

    def offset(self) -> float:
        """Seconds ahead of the real time; 0 while there is no file."""
        return float(self.path.read_text("ascii")) if self.path.exists() else 0.0

    def set_offset(self, seconds: float) -> None:
        """Replace the file in one step, so that a reader never sees half a number."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(".draft")
        draft.write_text(repr(seconds), "ascii")
        os.replace(draft, self.path)

    def advance(self, days: float) -> float:
        """Move forward by so many days; returns the new offset in seconds."""
        self.set_offset(self.offset() + days * DAY)
        return self.offset()

    def set_time(self, moment: float) -> None:
        """Make the present `moment` (Unix seconds); it goes on running from there."""
        self.set_offset(moment - time.time())

    def now(self) -> float:
        """What the plugin takes for the present."""
        return time.time() + self.offset()
