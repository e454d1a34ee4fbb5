"""The sleep pipeline over the parts of an engine, and what people are told of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..capture.pipeline import Capture
from ..forgetting.lifecycle import BinPolicy
from ..forgetting.tmd import initial_strength
from ..model.memory import Memory
from ..model.sleeping import Deed
from ..model.times import day_of, local_date, zone
from ..ports import Clock, EmbedderSource, Journal, MemoryStore, ModelSource
from ..privacy.retention import Retention
from ..settings import Settings
from ..similarity.calibration import Frames
from ..sleep.asking import Asking
from ..sleep.memory_similarity import MemorySimilarity
from ..sleep.news import ScopeState
from ..sleep.pipeline import Pipeline, Step
from ..sleep.rhythm import Rhythm
from ..sleep.steps.communities import CommunityStep
from ..sleep.steps.conflicts import ConflictStep
from ..sleep.steps.coverage import CoverageStep
from ..sleep.steps.decay import DecayStep
from ..sleep.steps.enrichment import EnrichmentStep
from ..sleep.steps.intentions import IntentionStep
from ..sleep.steps.linking import LinkStep
from ..sleep.steps.merging import MergingStep
from ..sleep.steps.order import in_order
from ..sleep.steps.profile import ProfileStep
from ..sleep.steps.threads import ThreadStep
from ..sleep.steps.upkeep import CensusStep, CondenseStep, PurgeStep
from ..sleep.sweep import Sweeper
from ..text.token_count import CountTokens
from .profiles import key_of

MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class SleepReport:
    """What one sleep of the whole installation did. `over` unless something is still to be done."""

    episodes_closed: int
    learnt_all: bool
    over: bool
    counts: Mapping[Deed, int] = field(default_factory=dict[Deed, int])


class SleepParts(Protocol):
    """Of an engine's parts, those that sleep needs."""

    @property
    def store(self) -> MemoryStore: ...
    @property
    def journal(self) -> Journal: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def models(self) -> ModelSource: ...
    @property
    def embedders(self) -> EmbedderSource: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def count_tokens(self) -> CountTokens: ...


@dataclass(frozen=True, slots=True)
class SleepSetup:
    """What a pipeline and its rhythm are made of."""

    parts: SleepParts
    retention: Retention
    sweeper: Sweeper
    frames: Frames

    def pipeline(self) -> Pipeline:
        """Runs sleeps."""
        store, journal, settings = self.parts.store, self.parts.journal, self.parts.settings
        where, bin_policy = zone(settings.display.timezone), BinPolicy(settings.decay.bin_days)
        asking = Asking(
            journal,
            self.parts.models,
            settings.sleep,
            settings.learning,
            lambda at: day_of(at, where)[0],
        )
        capture = Capture(store, journal, self.sweeper.policy)
        conflicts = self.conflicts()
        similarity = conflicts.similarity
        steps: list[Step] = [
            DecayStep(store, self.retention, self.sweeper, _strength),
            CoverageStep(store, journal, capture, similarity, where, bin_policy),
            conflicts,
            EnrichmentStep(store, journal, lambda at: local_date(at, where)),
            LinkStep(store),
            MergingStep(store, journal, similarity, self.sweeper.bin_policy),
            IntentionStep(store, journal, settings.sleep.stale_days, _strength, bin_policy),
            ProfileStep(
                store, self.parts.count_tokens, key_of, settings.recall.tells_profile, where
            ),
            ThreadStep(store, journal, similarity, lambda at: local_date(at, where)),
            CommunityStep(store, journal),
            PurgeStep(store, journal, journal, settings.decay.purge_hours),
            CensusStep(store, self.sweeper.policy.tmd),
            CondenseStep(self.retention),
        ]
        quiet = settings.sleep.quiet_minutes * MINUTE
        state = ScopeState(
            store,
            journal,
            self.parts.embedders,
            asking,
            settings.sleep.stale_days,
            (
                settings.sleep,
                settings.learning.extractor,
                settings.display.timezone,
                (settings.recall.enabled, settings.recall.profile),
                [step.name for step in steps],
            ),
        )
        return Pipeline(journal, self.parts.clock, in_order(steps), asking, quiet, state)

    def conflicts(self) -> ConflictStep:
        """Looks at what may not both be so, in sleep and as it is learnt."""
        where = zone(self.parts.settings.display.timezone)
        similarity = MemorySimilarity(self.parts.store, self.parts.embedders, self.frames)
        return ConflictStep(self.parts.store, self.parts.journal, similarity, where)

    def rhythm(self) -> Rhythm:
        """Begins sleeps."""
        settings = self.parts.settings
        return Rhythm(
            self.parts.store,
            self.parts.journal,
            settings.decay.interval_hours,
            settings.sleep.enabled,
            settings.sleep.night_hour,
            settings.sleep.quiet_minutes * MINUTE,
            zone(settings.display.timezone),
        )


def _strength(memory: Memory) -> int:
    return initial_strength(memory.importance)


async def counted(journal: Journal, sleeps: Sequence[int]) -> Mapping[Deed, int]:
    """What these sleeps did altogether."""
    counts = Counter[Deed]()
    for id in sleeps:
        if (sleep := await journal.sleep(id)) is not None:
            counts.update(sleep.counts)
    return counts
