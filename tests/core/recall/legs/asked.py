"""When the questions of these tests are asked, and what is read off their answers."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import MemoryStore
from astrbot_plugin_tidemark.core.recall.pipeline import recall
from astrbot_plugin_tidemark.core.recall.question import Question, Sources
from astrbot_plugin_tidemark.core.recall.trace import Drop, Hit, Leg, LegReport, Recalled

from ....deciding import showing
from ....kit import FakeEmbedder
from ....samples import memory

TODAY = datetime(2026, 8, 12, 14, 30, tzinfo=UTC)
NOW = TODAY.timestamp()


def said(text: str, days_ago: float, **changes: Any) -> Memory:
    at = (TODAY - timedelta(days=days_ago)).timestamp()
    return memory(text, **{"id": text, "created_at": at, "happened_at": at, **changes})


@dataclass
class Shelf:
    """Memories on a store, and who asks of them."""

    store: MemoryStore
    embedder: FakeEmbedder
    question: Question

    @property
    def dense(self) -> Sources:
        return showing(self.store, self.embedder)

    async def keep(self, *memories: Memory) -> None:
        await self.store.put(memories)
        vectors = await self.embedder.embed_documents([record.text for record in memories])
        fingerprint = (await self.embedder.identity()).fingerprint
        ids = [record.id for record in memories]
        await self.store.set_vectors(fingerprint, dict(zip(ids, vectors, strict=True)))

    async def ask(self, text: str, sources: Sources | None = None, **changes: Any) -> Recalled:
        """By words alone unless told otherwise."""
        asked = replace(self.question, text=text, **changes)
        return await recall(asked, sources or showing(self.store))


def texts(recalled: Recalled) -> list[str]:
    return [record.text for record in recalled.memories]


def reports(recalled: Recalled) -> dict[Leg, LegReport]:
    return {report.leg: report for report in recalled.trace.legs}


def hits(recalled: Recalled, leg: Leg) -> dict[str, Hit]:
    return {c.memory: hit for c in recalled.trace.candidates for hit in c.hits if hit.leg is leg}


def drops(recalled: Recalled) -> dict[str, Drop | None]:
    return {c.memory: c.drop for c in recalled.trace.candidates}
