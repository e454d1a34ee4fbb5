"""The engine's background work: index turns, learn from episodes, sleep, and when."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..capture.learning import Learner, read
from ..capture.pipeline import Capture
from ..capture.segmentation import Recutting
from ..embedding.backfill import Backfill
from ..feedback.confirmation import confirm
from ..feedback.credit import credit, shown_with_an_answer, verdicts_of
from ..model.conversation import Injected, Turn
from ..model.times import zone
from ..ports import Clock, Extraction, Journal, MemoryStore, Work, WorkKind
from ..privacy.unsharing import Unsharing
from ..queue.worker import Job
from ..settings import Settings
from ..sleep.pipeline import Pipeline
from ..sleep.rhythm import Rhythm
from ..sleep.steps.conflicts import ConflictStep
from ..sleep.sweep import Sweeper
from .wishes import Wishes


@dataclass(frozen=True, slots=True)
class Jobs:
    """One function per kind of work. Each may be repeated and then changes nothing."""

    store: MemoryStore
    journal: Journal
    clock: Clock
    settings: Settings
    capture: Capture
    recutting: Recutting
    learner: Learner
    sweeper: Sweeper
    pipeline: Pipeline
    rhythm: Rhythm
    unsharing: Unsharing
    wishes: Wishes
    backfill: Backfill
    conflicts: ConflictStep

    def table(self) -> Mapping[WorkKind, Job]:
        """The job for each kind of work."""
        return {
            WorkKind.INDEX_TURN: self.index_turn,
            WorkKind.LEARN: self.learn,
            WorkKind.SLEEP: self.pipeline.work,
            WorkKind.UNSHARE: self.unshare,
        }

    async def index_turn(self, work: Work) -> None:
        """Make a turn recallable; one that wishes something of memory is heard instead."""
        seq = int(work.payload["turn"])
        turn = await self.journal.turn(seq)
        if turn is not None:
            if not await self.wishes.heard(turn, self._index):
                await self._index(seq)
            await self.recutting.going_on(turn)
        self.backfill.wake()

    async def _index(self, turn: int) -> None:
        await self.capture.index_turn(turn, zone(self.settings.display.timezone))

    async def learn(self, work: Work) -> None:
        """Learn from a closed episode: memories, corrections, verdicts."""
        episode = await self.journal.episode(str(work.payload["episode"]))
        if episode is None:
            return
        episode = await self.recutting.settled(episode)
        for turn in await self.journal.turns_of(episode.id):
            # Nothing is learnt of what somebody has just wished to be forgotten.
            await self.wishes.heard(turn, self._index)
        last_try = work.attempts + 1 >= self.settings.learning.max_attempts
        now = self.clock.now()
        where = zone(self.settings.display.timezone)
        extraction = await self.learner.extraction(
            episode.id, now=now, last_try=last_try, where=where
        )
        applied = await self.capture.apply(extraction, episode, where)
        turns = await self.journal.turns_of(episode.id)
        injected = await self.journal.injected_in(episode.id)
        # What its people said again themselves has been of use; whether the bot repeated them or
        # the memory nobody can tell.
        others = [item for item in injected if item.memory not in applied.repeated]
        await self._credit(extraction, turns, others, now)
        await confirm(turns, injected, store=self.store, journal=self.journal)
        if applied.fresh and self.settings.sleep.enabled:
            await self.backfill.embed(applied.fresh)
            await self.conflicts.at_write(self.pipeline, applied.fresh)
        self.backfill.wake()

    async def unshare(self, work: Work) -> None:
        """Take back what somebody's private memories have left in other chats."""
        owners = frozenset(map(str, work.payload["owners"]))
        await self.unsharing.purge(owners, in_groups=bool(work.payload["in_groups"]))
        self.backfill.wake()

    async def tick(self) -> None:
        """Close silent episodes, and begin the sleeps that are due."""
        now = self.clock.now()
        quiet_since = now - self.settings.capture.episode_silence_minutes * 60
        closed = await self.journal.close_silent(quiet_since=quiet_since, at=now)
        await self.rhythm.beat(now, closed)

    async def _credit(
        self,
        extraction: Extraction,
        turns: Sequence[Turn],
        injected: Sequence[Injected],
        now: float,
    ) -> None:
        """Verdicts on what the episode was shown."""
        lesson = read(extraction)
        if lesson.useful is None:
            return
        judged = shown_with_an_answer(injected, turns)
        for number in lesson.undecided:
            judged.pop(extraction.known[number], None)
        await credit(
            verdicts_of(judged, extraction.known, lesson.useful),
            store=self.store,
            journal=self.journal,
            policy=self.sweeper.policy,
            bin_policy=self.sweeper.bin_policy,
            source=extraction.source,
            now=now,
        )
