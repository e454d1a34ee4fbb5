"""Failures that are survived: counted for `/memory health`, and some of them logged."""

from dataclasses import dataclass

from ..model.errors import Incident, Incidents
from ..ports import Clock
from ..queue.worker import Report

TOLD_EVERY = 100
"""Of the failures in one place the first is reported, and every one of this number."""


@dataclass(frozen=True, slots=True)
class FailureReports:
    """Of one engine."""

    incidents: Incidents
    clock: Clock
    report: Report

    def count(self, place: str, error: BaseException) -> Incident:
        """Count a failure; the state after it."""
        return self.incidents.record(place, error, self.clock.now())

    def note(self, place: str, error: BaseException) -> None:
        """Count a failure and report it if it is its turn; what follows a colon is no place."""
        incident = self.count(place.partition(":")[0], error)
        if incident.count == 1 or incident.count % TOLD_EVERY == 0:
            self.report(f"{place} (failure {incident.count})", error)
