"""The present time, shifted where a developer asks for it."""

import os
import time
from pathlib import Path

CLOCK_FILE = "TIDEMARK_CLOCK_FILE"


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        """Unix time in seconds."""
        return time.time()


class ShiftedClock:
    """The machine's clock plus the seconds a file holds; a missing or odd file means none.

    For replays and tests only: the file is read again whenever its time stamp changes.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp = -1
        self._shift = 0.0

    def now(self) -> float:
        """Shifted Unix time in seconds."""
        try:
            stamp = self._path.stat().st_mtime_ns
            if stamp != self._stamp:
                self._shift = float(self._path.read_text("ascii"))
                self._stamp = stamp
        except (OSError, ValueError):
            pass
        return time.time() + self._shift


def present() -> SystemClock | ShiftedClock:
    """The machine's clock, or the shifted one that the environment names a file for."""
    shifted = os.environ.get(CLOCK_FILE)
    return ShiftedClock(Path(shifted)) if shifted else SystemClock()
