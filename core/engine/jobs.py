"""The engine's background work: index turns, learn from episodes, sleep, and when."""

from collections.abc import Mapping, Sequence
from functools import partial

from ..capture.known import Gathering
from ..capture.learning import Learner, read
from ..capture.pipeline import Capture
from ..capture.segmentation import Recutting
from ..embedding.backfill import Backfill
from ..feedback.credit import credit, shown_with_an_answer, verdicts_of
from ..model.conversation import Injected, Turn
from ..model.times import day_of, local_date, zone
from ..ports import Extraction, Work, WorkKind
from ..privacy.retention import Retention
from ..privacy.unsharing import Unsharing
from ..queue.worker import Job
from ..sleep.pipeline import Asking, Pipeline, Step, Steps
from ..sleep.rhythm import Rhythm
from ..sleep.steps.conflicts import ConflictStep
from ..sleep.steps.coverage import CoverageStep
from ..sleep.steps.decay import DecayStep
from ..sleep.steps.enrichment import EnrichmentStep
from ..sleep.steps.intentions import IntentionStep
from ..sleep.steps.merging import MergingStep
from ..sleep.steps.names import CommunityStep, LinkStep
from ..sleep.steps.profile import ProfileStep
from ..sleep.steps.threads import ThreadStep
from ..sleep.steps.upkeep import UpkeepStep
from ..sleep.sweep import Sweeper
from .parts import Parts
from .profiles import key_of
from .wishes import Wishes

MINUTE = 60.0


class Jobs:
    """One function per kind of work. Each may be repeated and then changes nothing."""

    def __init__(
        self,
        parts: Parts,
        known: Gathering,
        sweeper: Sweeper,
        pipeline: Pipeline,
        conflicts: ConflictStep,
        wishes: Wishes,
        backfill: Backfill,
    ) -> None:
        store, journal, settings = parts.store, parts.journal, parts.settings
        self.parts, self.sweeper, self.wishes = parts, sweeper, wishes
        self.pipeline, self.conflicts, self.backfill = pipeline, conflicts, backfill
        self.where = where = zone(settings.display.timezone)
        self.capture = Capture(store, journal, sweeper.policy)
        self.recutting = Recutting(journal, parts.embedders, parts.boundaries)
        self.learner = Learner(
            journal,
            store,
            parts.models,
            settings.learning,
            partial(local_date, where=where),
            known,
            parts.note,
        )
        self.rhythm = Rhythm(
            store,
            journal,
            settings.decay.interval_hours,
            settings.sleep.enabled,
            settings.sleep.night_hour,
            settings.sleep.quiet_minutes * MINUTE,
            where,
        )
        self.unsharing = Unsharing(store, journal)

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
        turn = await self.parts.journal.turn(seq)
        if turn is not None:
            if not await self.wishes.heard(turn, self._index):
                await self._index(seq)
            await self.recutting.going_on(turn)
        self.backfill.wake()

    async def _index(self, turn: int) -> None:
        await self.capture.index_turn(turn, self.where)

    async def learn(self, work: Work) -> None:
        """Learn from a closed episode: memories, corrections, verdicts."""
        episode = await self.parts.journal.episode(str(work.payload["episode"]))
        if episode is None:
            return
        episode = await self.recutting.settled(episode)
        for turn in await self.parts.journal.turns_of(episode.id):
            # Nothing is learnt of what somebody has just wished to be forgotten.
            await self.wishes.heard(turn, self._index)
        last_try = work.attempts + 1 >= self.parts.settings.learning.max_attempts
        now = self.parts.clock.now()
        extraction = await self.learner.extraction(
            episode.id, now=now, last_try=last_try, where=self.where
        )
        applied = await self.capture.apply(extraction, episode, self.where)
        turns = await self.parts.journal.turns_of(episode.id)
        injected = await self.parts.journal.injected_in(episode.id)
        # What its people said again themselves has been of use; whether the bot repeated them or
        # the memory nobody can tell.
        others = [item for item in injected if item.memory not in applied.repeated]
        await self._credit(extraction, turns, others, now)
        if applied.fresh and self.parts.settings.sleep.enabled:
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
        now = self.parts.clock.now()
        quiet_since = now - self.parts.settings.capture.episode_silence_minutes * 60
        closed = await self.parts.journal.close_silent(quiet_since=quiet_since, at=now)
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
            store=self.parts.store,
            journal=self.parts.journal,
            policy=self.sweeper.policy,
            bin_policy=self.sweeper.bin_policy,
            source=extraction.source,
            now=now,
        )


def sleep_pipeline(
    parts: Parts, retention: Retention, sweeper: Sweeper, conflicts: ConflictStep
) -> Pipeline:
    """Runs sleeps."""
    store, journal, settings = parts.store, parts.journal, parts.settings
    where, bin_policy = zone(settings.display.timezone), sweeper.bin_policy
    show_date = partial(local_date, where=where)
    asking = Asking(
        journal, parts.models, settings.sleep, settings.learning, lambda at: day_of(at, where)[0]
    )
    capture, similarity = Capture(store, journal, sweeper.policy), conflicts.similarity
    of_scope: list[Step] = [
        DecayStep(store, retention, sweeper),
        CoverageStep(store, journal, capture, similarity, where, bin_policy),
        conflicts,
        EnrichmentStep(store, journal, show_date),
        LinkStep(store),
        MergingStep(store, journal, similarity, bin_policy),
        IntentionStep(store, journal, settings.sleep.stale_days, bin_policy),
        ProfileStep(store, key_of, settings.recall.tells_profile),
        ThreadStep(store, journal, similarity, show_date),
        CommunityStep(store, journal),
    ]
    upkeep = UpkeepStep(store, journal, retention, sweeper.policy.tmd, settings.decay.purge_hours)
    return Pipeline(
        store,
        journal,
        parts.clock,
        parts.embedders,
        Steps(of_scope, [upkeep]),
        asking,
        settings.sleep.quiet_minutes * MINUTE,
        (
            settings.sleep,
            settings.learning.extractor,
            settings.display.timezone,
            (settings.recall.enabled, settings.recall.profile),
            [step.name for step in of_scope],
        ),
    )
