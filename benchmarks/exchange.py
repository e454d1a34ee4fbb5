"""One message and its answer, driven through the engine as the host's hooks do it, timed."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, fields
from statistics import fmean
from typing import Any

from ..core.engine.engine import MemoryEngine, RecallRequest
from ..core.model.conversation import NewTurn, Place, Role, Scope, Speaker
from ..core.ports import WorkState
from ..core.recall.trace import Leg, Recalled
from .figures import spread, timed
from .installation import TimedEmbedder

THINKING = 0.02
"""Seconds between recall and answer, for the provider; not part of any figure."""

SEEN = 20
"""Earlier questions that are in the history the model sees."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of one turn's steps; `injected` None if recall missed its deadline."""

    capture: float
    reconcile: float
    recall: float
    reply: float
    embedding: float
    text_leg: float
    semantic_leg: float
    injected: int | None

    @property
    def total(self) -> float:
        """What the turn took longer because of the plugin."""
        return self.capture + self.reconcile + self.recall + self.reply


_TIMES = tuple(field.name for field in fields(Cost) if field.name != "injected")


class Conversation:
    """A person's private chat, one turn after the other."""

    def __init__(self, engine: MemoryEngine, embedder: TimedEmbedder, scope: Scope) -> None:
        self.engine = engine
        self.embedder = embedder
        self._scope = scope
        self._place = Place(f"bench:{scope.subject}", "c1", scope.key)
        self._asked: list[str] = []

    async def take_turn(self, said: str, answer: str) -> Cost:
        """The four steps; `settle` waits for the background work they queue."""
        engine = self.engine
        with timed() as capture:
            turn = (await engine.observe(self._turn(Role.USER, said))).turn
        with timed() as reconcile:
            await engine.answered_before(turn.place.session, turn.seq)
        history = frozenset(self._asked[-SEEN:])
        self.embedder.last_query_ms = 0.0
        with timed() as recall:
            recalled = await engine.recall(RecallRequest(self._scope, said, turn.seq, history))
        await asyncio.sleep(THINKING)
        with timed() as reply:
            await engine.observe(self._turn(Role.ASSISTANT, answer))
        self._asked.append(said)
        legs = _leg_times(recalled)
        return Cost(
            capture=capture.milliseconds,
            reconcile=reconcile.milliseconds,
            recall=recall.milliseconds,
            reply=reply.milliseconds,
            embedding=self.embedder.last_query_ms,
            text_leg=legs.get(Leg.TEXT, 0.0),
            semantic_leg=legs.get(Leg.SEMANTIC, 0.0),
            injected=None if recalled is None else len(recalled.memories),
        )

    async def settle(self, *, vectors: bool) -> None:
        """Wait until nothing is queued and, with `vectors`, nothing is left to embed."""
        while await self._queued(vectors):  # noqa: ASYNC110 - the queue is on disk and wakes nobody
            await asyncio.sleep(0.005)

    async def _queued(self, vectors: bool) -> bool:
        parts = self.engine.parts
        if any(state is WorkState.READY for _, state in await parts.journal.backlog()):
            return True
        fingerprint = (await self.embedder.identity()).fingerprint
        return vectors and bool(await parts.store.unembedded(fingerprint, limit=1))

    def _turn(self, role: Role, text: str) -> NewTurn:
        speaker = Speaker("bot", "") if role is Role.ASSISTANT else Speaker("user", "Ann")
        return NewTurn(self._place, role, speaker, text, self.engine.parts.clock.now())


def summary(first: Cost, costs: list[Cost], embedder: str) -> dict[str, Any]:
    """Costs as JSON; the first turn is kept apart."""
    times = {f"{name}_ms": spread(getattr(cost, name) for cost in costs) for name in _TIMES}
    return {
        "embedder": embedder,
        "first_ms": round(first.total, 3),
        "total_ms": spread(cost.total for cost in costs),
        "without_embedding_ms": spread(cost.total - cost.embedding for cost in costs),
        **times,
        "injected": _mean(cost.injected for cost in costs if cost.injected is not None),
        "late": sum(cost.injected is None for cost in costs),
    }


def _leg_times(recalled: Recalled | None) -> dict[Leg, float]:
    reports = recalled.trace.legs if recalled is not None else ()
    return {report.leg: report.milliseconds for report in reports}


def _mean(numbers: Iterable[int]) -> float | None:
    every = list(numbers)
    return round(fmean(every), 2) if every else None
