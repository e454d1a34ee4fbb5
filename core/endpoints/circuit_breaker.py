"""When a server that fails is left alone for a while: a circuit breaker. It is told the time."""

from dataclasses import dataclass, field
from threading import Lock

MOST_FAILURES = 5
REST_SECONDS = 15.0


@dataclass(slots=True)
class Breaker:
    """Opens after `most_failures` in a row; lets one call through every `rest_seconds` then.

    That one closes it again if it succeeds. Thread-safe; times are of a monotonic clock.
    """

    most_failures: int = MOST_FAILURES
    rest_seconds: float = REST_SECONDS
    _failures: int = 0
    _open_until: float = 0.0
    _lock: Lock = field(default_factory=Lock)

    def admits(self, now: float) -> bool:
        """Whether a call may be made now. If it is the probe, no other one is let through."""
        with self._lock:
            if self._failures < self.most_failures:
                return True
            if now < self._open_until:
                return False
            self._open_until = now + self.rest_seconds
            return True

    def succeeded(self) -> None:
        """A call has been answered."""
        with self._lock:
            self._failures = 0

    def failed(self, now: float) -> None:
        """A call has not been answered."""
        with self._lock:
            self._failures += 1
            if self._failures >= self.most_failures:
                self._open_until = now + self.rest_seconds
