"""MemoryEngine: observe, recall, learn, credit, sleep. Composes the pipelines, owns their jobs."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ..capture.known import Gathering
from ..capture.segmentation import limits_of, segmenter
from ..embedding.backfill import Backfill
from ..embedding.cached import CachedEmbedder
from ..embedding.calibrator import Calibrator
from ..forgetting.fsrs import FsrsMissing
from ..forgetting.lifecycle import BinPolicy
from ..forgetting.policy import ForgettingPolicy
from ..forgetting.rates import Posterior, UsefulnessRates
from ..forgetting.tiered import Tiered
from ..forgetting.tmd import Tmd
from ..model.conversation import EpisodeEnd, NewTurn, Role, Scope, reply_id
from ..model.knowledge import Media
from ..model.sleeping import SleepCause
from ..model.times import local_date, zone
from ..ports import Appended, MemoryReader, Recalls, WorkKind
from ..privacy.consents import Admission, Consents, ScopeAccess
from ..privacy.erasure import Eraser
from ..privacy.retention import Retention
from ..privacy.unsharing import Revelations
from ..queue.worker import Worker, ended, requeue_dead, supervised
from ..recall.people import People
from ..records.background import spared
from ..records.evidence import described, worded
from ..scoring.decision import Fitted
from ..settings import ForgettingSettings
from ..sleep.memory_similarity import MemorySimilarity
from ..sleep.steps.conflicts import ConflictStep
from ..sleep.sweep import Sweeper
from .jobs import Jobs, sleep_pipeline
from .manual_edits import Curation
from .parts import Parts
from .past import noted_beginning
from .profiles import Profiles
from .recalls import RecallRequests, TurnRecalls
from .reminders import Reminders
from .wishes import Wishes

MOST_PREPARED = 20_000
"""Memories that a first search by hand need not wait for."""

PREPARING = "tide"
"""Looked for to read them: any word will do."""

INDEX_AFTER = 0.15
"""Seconds between a person's turn and its indexing."""


class MemoryEngine:
    """One installation's memory. `start` it once; whoever started it closes it."""

    def __init__(self, parts: Parts) -> None:
        settings = parts.settings
        bin_policy, keeping = BinPolicy(settings.decay.bin_days), settings.forgetting
        self.parts = parts
        self.store, self.journal, self.clock = parts.store, parts.journal, parts.clock
        self.models, self.embedders = parts.models, parts.embedders
        self.settings = settings
        self.policy = Tmd(settings.decay.parameters(), keeping.keep_current, keeping.patience)
        self.incidents = parts.incidents
        self.count_failure, self.note_failure = parts.count, parts.note
        self._tasks: set[asyncio.Task[Any]] = set()
        self.consents = Consents(parts.journal)
        self.admission = Admission(self.consents, settings.capture)
        self.people = People(parts.journal)
        self.access = ScopeAccess(parts.store, self.consents, settings.scope)
        self.revelations = Revelations(parts.journal, self.consents, parts.clock)
        policy = chosen(settings.forgetting, self.policy, parts.count)
        self.sweeper = Sweeper(parts.store, parts.journal, policy, bin_policy)
        self.usefulness = Usefulness(parts.store, parts.journal)
        self.retention = Retention(
            parts.store, parts.journal, self.consents, bin_policy, settings.capture.keep_turns_days
        )
        self.curation = Curation(
            parts.store, parts.journal, parts.clock, bin_policy, policy, parts.note
        )
        self.calibrator = Calibrator(parts.store)
        self.wishes = Wishes(
            parts.store, parts.journal, self.curation, parts.embedders, self.calibrator
        )
        self.reminders = Reminders(parts)
        self.profiles = Profiles(parts, self.access, self.show_date)
        self.recall_requests = RecallRequests(
            parts, self.calibrator, self.people, self.access, self.reminders, _fitted(parts)
        )
        seconds = settings.recall.deadline_ms / 1000
        self.recalls = TurnRecalls(self.recall_requests, seconds, self._own)
        learn, over = self.calibrator.learn_some, self.recalls.over
        self.backfill = Backfill(
            parts.store, parts.embedders, parts.note, learn=learn, gives_way=over
        )
        similarity = MemorySimilarity(parts.store, parts.embedders, self.calibrator)
        where = zone(settings.display.timezone)
        conflicts = ConflictStep(parts.store, parts.journal, similarity, where)
        self.pipeline = sleep_pipeline(parts, self.retention, self.sweeper, conflicts)
        readable, page = self.access.readable, self.profiles.memories
        known = Gathering(parts.journal, parts.store, readable, page, self.calibrator)
        self.jobs = Jobs(
            parts, known, self.sweeper, self.pipeline, conflicts, self.wishes, self.backfill
        )
        self.rhythm, self.unsharing = self.jobs.rhythm, self.jobs.unsharing
        self.worker = self._background()
        at_rest = self.recalls.all_recorded
        self.eraser = Eraser(
            parts.store, parts.journal, self.consents, self.worker, at_rest, self._forget
        )
        self._segment = segmenter(limits_of(settings.capture))
        self._stack = AsyncExitStack()
        self.prepared: asyncio.Task[Any] | None = None
        """Reads what a search by hand looks through; None before anybody is about to search."""

    def _background(self) -> Worker:
        parts, learning = self.parts, self.settings.learning
        return Worker(
            parts.journal,
            parts.clock,
            {**self.jobs.table(), WorkKind.ERASE: lambda work: self.eraser.work(work)},
            parts.note,
            learning.max_attempts,
            learning.concurrency,
            tick=self.jobs.tick,
            slow_ready=lambda: parts.models.settled,
            check=parts.store.check,
            returned=self.backfill.wake,
            gives_way=self.recalls.over,
        )

    def start(self) -> None:
        """Start the background jobs. Returns at once; loads nothing."""
        embedding = supervised("embedding", self.backfill.run, self.note_failure)
        self._own(noted_beginning(self.journal, self.clock.now()))
        for job in (self.worker.run(), embedding):
            task = self._own(job)
            self._stack.push_async_callback(ended, task)

    async def stop(self) -> None:
        """Stop the background jobs. Turns under way are still served. Idempotent."""
        await self._stack.aclose()

    async def finish(self) -> None:
        """Stop the jobs and finish pending writes; store and journal stay open. Idempotent."""
        await self.stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def close(self) -> None:
        """Stop the jobs, finish pending writes, close store and journal."""
        await self.finish()
        await self.store.close()
        await self.journal.close()

    def show_date(self, at: float) -> str:
        """The day in the configured time zone."""
        return local_date(at, zone(self.settings.display.timezone))

    # --- the turn -------------------------------------------------------------------------

    async def observe(self, turn: NewTurn) -> Appended:
        """Journal a turn. On disk when this returns; recallable shortly after.

        With an answer, what was injected for it is on disk too.
        """
        if turn.role is Role.ASSISTANT:
            await self.recalls.recorded()
        appended = await self.journal.append(turn, self._segment)
        self.people.notice(turn)
        # A turn is indexed after the recall that it is about to ask for, not beside it.
        self.worker.wake(0.0 if turn.role is Role.ASSISTANT else INDEX_AFTER)
        return appended

    async def answer(self, turn: NewTurn, *, to: int) -> Appended | None:
        """Journal the bot's answer to the turn `to`; None if that has been erased meanwhile."""
        await self.recalls.recorded()
        async with self.eraser.answers:
            if await self.journal.turn(to) is None:
                return None
            return await self.observe(replace(turn, message_id=reply_id(to)))

    async def reset(self, session: str, *, before: int | None = None) -> None:
        """The conversation was reset: what came before is an episode of its own."""
        now = self.clock.now()
        await self.recalls.recorded()
        await self.journal.close_episode(session, EpisodeEnd.RESET, at=now, before=before)
        self.worker.wake()

    async def answered_before(self, session: str, seq: int) -> bool:
        """Whether the bot has answered in the open episode before this turn."""
        episode = await self.journal.open_episode(session)
        turns = await self.journal.turns_of(episode.id) if episode else []
        return any(turn.role is Role.ASSISTANT and turn.seq < seq for turn in turns)

    def prepare_search(self, live: Mapping[str, int]) -> None:
        """Have what a search by hand of these scopes reads in memory before somebody waits for it.

        Once, and not of more memories than stay there together: those are read anew each time.
        """
        if self.prepared is None and sum(live.values()) <= MOST_PREPARED:
            search = self.recall_requests.search(frozenset(live), PREPARING, limit=1)
            self.prepared = self._own(spared(search, None, partial(self.note_failure, "search")))
            self._stack.push_async_callback(ended, self.prepared)

    def worded(self, said: str, media: Sequence[Media]) -> str:
        """What was said, with the pictures, voices and files that came with it in words."""
        language = self.settings.display.language
        return worded(said, media, "zh" if language == "auto" else language)

    async def describe(self, seq: int, captions: Sequence[str]) -> None:
        """Put what a turn's pictures show into its words; nothing if it is not plain which."""
        turn = await self.journal.turn(seq)
        if turn is None or not turn.text:
            return
        media = described(turn.media, captions)
        if media == turn.media:
            return
        # What came with it is the last line, see `worded`.
        said = turn.text.rpartition("\n")[0]
        await self.journal.describe_turn(seq, self.worded(said, media), media)
        self.worker.wake()

    # --- sleep and background work --------------------------------------------------------

    async def begin_sleep(self) -> tuple[int, list[int]]:
        """Close open episodes and put every scope to sleep: how many were closed, the sleeps.

        A scope that sleeps already goes on with that sleep. Work that had been given up is tried
        again.
        """
        now, journal = self.clock.now(), self.journal
        await self.recalls.recorded()
        closed = await journal.close_silent(quiet_since=now, at=now)
        await requeue_dead(journal)
        sleeps = await self.rhythm.begin_all(SleepCause.COMMAND, now)
        self.worker.wake()
        return len(closed), sleeps

    async def _forget(self, accounts: frozenset[Scope]) -> None:
        """Drop what is in memory of those whose data is gone."""
        self.people.forget((one.platform, one.subject) for one in accounts)
        self.calibrator.clear()
        embedder = await self.embedders.choose()
        if isinstance(embedder, CachedEmbedder):
            embedder.clear()

    def wake(self) -> None:
        """Look for background work now, for instance because a provider has appeared."""
        self.worker.wake()
        self.backfill.wake()

    def _own[T](self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _fitted(parts: Parts) -> Fitted:
    weights = parts.settings.recall.meaning_weight, parts.settings.recall.graph_weight
    return {footing: model.reweighted(*weights) for footing, model in parts.fitted.items()}


RENEWED_AFTER = 3_600.0
"""Seconds for which rates are reused before they are read again."""


@dataclass(slots=True)
class Usefulness:
    """Rates from the ledger. Purged memories are not counted: their kind is no longer known."""

    store: MemoryReader
    journal: Recalls
    _rates: UsefulnessRates = field(default_factory=UsefulnessRates)
    _read_at: float | None = None

    async def rates(self, *, now: float) -> UsefulnessRates:
        """As of `now`, at most an hour old."""
        if self._read_at is None or not 0 <= now - self._read_at < RENEWED_AFTER:
            self._rates, self._read_at = await self._read(), now
        return self._rates

    async def _read(self) -> UsefulnessRates:
        rates, after = UsefulnessRates(), ""
        while page := await self.journal.judged(after=after):
            verdicts = {each.memory: Posterior(each.useful, each.useless) for each in page}
            for memory in await self.store.find(list(verdicts)):
                rates = rates.with_verdicts(memory, verdicts[memory.id])
            after = page[-1].memory
        return rates


def chosen(
    settings: ForgettingSettings, tmd: Tmd, failed: Callable[[str, BaseException], object]
) -> ForgettingPolicy:
    """As asked for; if a package is missing, `failed` is told what to install and TMD decides."""
    try:
        return settings.in_force(tmd)
    except FsrsMissing as error:
        failed("forgetting", error)
        return Tiered(tmd)
