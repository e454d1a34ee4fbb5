"""When the questions of these tests are asked, and what is read off their answers."""

from datetime import UTC, datetime, timedelta
from typing import Any

from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.recall.trace import Drop, Hit, Leg, LegReport, Recalled

from ....samples import memory

TODAY = datetime(2026, 8, 12, 14, 30, tzinfo=UTC)
NOW = TODAY.timestamp()


def said(text: str, days_ago: float, **changes: Any) -> Memory:
    """A memory of so many days before the question."""
    at = (TODAY - timedelta(days=days_ago)).timestamp()
    return memory(text, **{"id": text, "created_at": at, "happened_at": at, **changes})


def texts(recalled: Recalled) -> list[str]:
    """What is shown, in its order."""
    return [record.text for record in recalled.memories]


def reports(recalled: Recalled) -> dict[Leg, LegReport]:
    """What is reported of each leg that was of use."""
    return {report.leg: report for report in recalled.trace.legs}


def hits(recalled: Recalled, leg: Leg) -> dict[str, Hit]:
    """The hits of a leg by memory."""
    return {c.memory: hit for c in recalled.trace.candidates for hit in c.hits if hit.leg is leg}


def drops(recalled: Recalled) -> dict[str, Drop | None]:
    """Why each candidate was left out."""
    return {c.memory: c.drop for c in recalled.trace.candidates}
