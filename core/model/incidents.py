"""Failures since the start, counted by place, with the last error text, for `/memory health`."""

from collections.abc import Mapping
from dataclasses import dataclass

from .redaction import masked


@dataclass(frozen=True, slots=True)
class Incident:
    """Failures at one place: how many, when last (Unix seconds), and the last error text."""

    count: int
    last_at: float
    text: str


class Incidents:
    """Counts failures by place. Bounded by the number of places."""

    def __init__(self) -> None:
        self._by_place: dict[str, Incident] = {}

    def record(self, place: str, error: BaseException | str, now: float) -> Incident:
        """Count one failure; returns the state after it."""
        words = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        before = self._by_place.get(place)
        incident = Incident((before.count if before else 0) + 1, now, masked(words)[:300])
        self._by_place[place] = incident
        return incident

    def snapshot(self) -> Mapping[str, Incident]:
        """All places that failed, by name."""
        return dict(sorted(self._by_place.items()))
