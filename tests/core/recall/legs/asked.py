"""When the questions of these tests are asked, and what is read off their answers."""

from datetime import UTC, datetime, timedelta
from typing import Any

from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.recall.trace import Drop, Hit, Leg, LegReport, Recalled

from ....samples import memory

TODAY = datetime(2026, 8, 12, 14, 30, tzinfo=UTC)
NOW = TODAY.timestamp()


def said(text: str, days_ago: float, **changes: Any) -> Memory:
    at = (TODAY - timedelta(days=days_ago)).timestamp()
    return memory(text, **{"id": text, "created_at": at, "happened_at": at, **changes})


def texts(recalled: Recalled) -> list[str]:
    return [record.text for record in recalled.memories]


def reports(recalled: Recalled) -> dict[Leg, LegReport]:
    return {report.leg: report for report in recalled.trace.legs}


def hits(recalled: Recalled, leg: Leg) -> dict[str, Hit]:
    return {c.memory: hit for c in recalled.trace.candidates for hit in c.hits if hit.leg is leg}


def drops(recalled: Recalled) -> dict[str, Drop | None]:
    return {c.memory: c.drop for c in recalled.trace.candidates}
