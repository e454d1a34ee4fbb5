"""An engine whose clock moves by the data's times, its background work done in order.

In use the work runs on the machine's time, a tick every two seconds; months would take months.
Here the same jobs run as soon as they are due, one after the other, before time goes on.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from ...core.embedding.cached import CachedEmbedder
from ...core.embedding.hashed import HashedEmbedder
from ...core.engine.engine import MemoryEngine
from ...core.ports import Embedder, Work, WorkKind
from ...core.queue.worker import perform
from ...core.settings import (
    DecayOverride,
    DecaySettings,
    DisplaySettings,
    LearningSettings,
    RecallSettings,
    Settings,
)
from ...core.settings.groups import SleepSettings
from ...core.sleep.sweep import LAST_SWEEP
from ..installation import FixedEmbedder, NoModel, installed
from .recorded import OneModel, RecordedModel
from .script import DAY, Recorded

type Learning = Literal["rules", "recorded", "none"]

NIGHT = 4 * 3_600.0
"""The hour at which a day's decay is done."""

DEFAULTS = Settings(
    recall=RecallSettings(deadline_ms=10_000),
    display=DisplaySettings(timezone="UTC"),
    learning=LearningSettings(daily_tokens=2_000_000_000),
)
"""The defaults, on a machine that may take its time, with the days of the data."""

KEPT = replace(
    DEFAULTS, decay=DecaySettings(override=DecayOverride(enabled=True, cycle_tier0_days=365.0))
)
"""A cycle of a year: what is told stays, so that a store has the size it is said to have."""

AWAKE = replace(
    DEFAULTS, sleep=SleepSettings(enabled=False), decay=DecaySettings(interval_hours=1e12)
)
"""It never sleeps, so that all is kept."""

EVERY_KIND = frozenset(WorkKind)


def nights(after: float, before: float, quiet: float) -> Iterator[float]:
    """The nights between two times: the first two, then one every `quiet` seconds."""
    first = (after // DAY) * DAY + NIGHT
    first += DAY * (first <= after)
    night = first
    while night < before:
        yield night
        night += DAY if night == first else quiet


@dataclass(slots=True)
class MovingClock:
    """Shows what it is set to."""

    at: float = 0.0

    def now(self) -> float:
        """That."""
        return self.at


@dataclass(slots=True)
class Installation:
    """The engine, its clock, and which turns of the journal are which line of the data.

    `quiet` are the seconds from one night to the next after the second night on which nothing was
    heard.
    """

    engine: MemoryEngine
    clock: MovingClock
    model: RecordedModel
    told: dict[int, str] = field(default_factory=dict[int, str])
    quiet: float = DAY

    async def until(self, at: float) -> None:
        """Let time go on, with the nights on the way; nothing is done for a clock set back."""
        silence = self.engine.settings.capture.episode_silence_minutes * 60
        if at - self.clock.at > silence:
            # What was said has its vectors long before anybody learns from it.
            await self.settle()
            await self._wait_until(min(at, self.clock.at + silence + 1))
            for night in nights(self.clock.at, at, self.quiet):
                await self._wait_until(night)
            await self._wait_until(at)
        self.clock.at = max(at, self.clock.at)

    async def _wait_until(self, at: float) -> None:
        self.clock.at = at
        await self.engine.jobs.tick()
        await self.settle()

    async def settle(self) -> None:
        """Do all the work that is due, and make every vector."""
        await self.work()
        while await self.engine.backfill.once():
            pass

    async def work(self) -> None:
        """Do all the work that is due."""
        journal = self.engine.journal
        table = {**self.engine.jobs.table(), WorkKind.ERASE: self.engine.eraser.work}
        asleep = frozenset({WorkKind.SLEEP})

        async def due(kinds: frozenset[WorkKind]) -> list[Work]:
            return await journal.due(self.clock.now(), kinds=kinds, limit=1, skip=frozenset())

        # One after the other, sleeps last: a sleep would wait for learning that comes after it.
        while works := await due(EVERY_KIND - asleep) or await due(asleep):
            [work] = works
            job = self._learn if work.kind is WorkKind.LEARN else table[work.kind]
            await perform(work, job, journal)

    async def drop_work(self) -> None:
        """Leave undone what is due: what was asked for measuring leaves no trace."""
        journal = self.engine.journal
        while works := await journal.due(
            self.clock.now(), kinds=EVERY_KIND, limit=200, skip=frozenset()
        ):
            for work in works:
                await journal.finish(work.id)

    async def _learn(self, work: Work) -> None:
        journal, episode = self.engine.journal, str(work.payload["episode"])
        if (own := await journal.episode(episode)) is not None:
            self.model.episode = await journal.turns_of(own.id)
        self.model.told = self.told
        await self.engine.jobs.learn(work)


@asynccontextmanager
async def opened(
    folder: Path,
    embedder: Embedder | None,
    settings: Settings,
    learning: Learning,
    recordings: Sequence[Recorded],
) -> AsyncIterator[Installation]:
    """An installation in `folder`, which must be empty."""
    clock, recorded = MovingClock(), learning == "recorded"
    model = RecordedModel(recordings if recorded else (), rules_too=recorded)
    async with installed(folder, HashedEmbedder()) as bare:
        parts = replace(
            bare.parts,
            clock=clock,
            embedders=FixedEmbedder(None if embedder is None else CachedEmbedder(embedder)),
            settings=settings,
            models=NoModel() if learning == "rules" else OneModel(model),
        )
        await parts.journal.set_note(LAST_SWEEP, "0.0")
        engine = MemoryEngine(parts)
        yield Installation(engine, clock, model)
        await engine.finish()
