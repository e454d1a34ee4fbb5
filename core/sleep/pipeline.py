"""The sleep of one scope: its steps in order, each told the scope and the time. Async.

A unit of work does one sleep. Killed, cancelled or failed it is done again: what is over is not
begun anew, and a step that was cut short begins again and changes nothing twice.
"""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from math import inf
from typing import Any, ClassVar, Protocol

from ..model.errors import ModelUnavailable, ReplyMalformed, StorageError
from ..model.sleeping import (
    INSTALLATION,
    Decided,
    Decision,
    Deed,
    Left,
    Sleep,
    SleepCause,
    StepState,
    Undone,
)
from ..model.times import utc_day
from ..ports import (
    ChatModel,
    Clock,
    EmbedderSource,
    Journal,
    MemoryStore,
    ModelSource,
    Prompt,
    Purpose,
    Work,
    WorkKind,
)
from ..prompts import story
from ..prompts.instructions import Instructions
from ..prompts.reading import once_more
from ..settings import LearningSettings, SleepSettings

MOST_FAILURES = 3
"""A step that fails so often is left out of that sleep, and the report says so."""

LEARNING = frozenset({WorkKind.INDEX_TURN, WorkKind.LEARN})
FULL = frozenset({SleepCause.QUIET, SleepCause.NIGHT, SleepCause.COMMAND})
EVERY = frozenset(SleepCause)

NEWS = "news"
"""Names the mark of a scope that tells what a sleep went by which found nothing to do."""

SETTLING = 60.0
"""Seconds between the end of an episode and a sleep: it is learnt from, and embedded."""

POLL = 0.1
LONGEST_WAIT = 600.0
"""Seconds that a sleep waits for what is still to be learnt."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Asks the model that learning would ask. `day_start` tells when a time's local day began."""

    journal: Journal
    models: ModelSource
    settings: SleepSettings
    learning: LearningSettings
    day_start: Callable[[float], float]

    @property
    def allowed(self) -> bool:
        """Whether the settings let sleep ask a model at all."""
        wanted = self.learning.extractor != "rules"
        return wanted and self.settings.calls > 0 and self.settings.tokens > 0

    async def has_model(self, scope: str) -> bool:
        """Whether there is a model that could be asked about the scope, whatever the budget."""
        try:
            return await self._model(scope) is not None
        except ModelUnavailable:
            return True

    async def reply(self, sleep: Sleep, prompt: Prompt) -> str | Left:
        """The model's words, else why there are none: no model, a failure, or a budget is spent.

        A call is counted before it is made: a kill in between cannot make it free.
        """
        try:
            if (found := await self._model(sleep.scope)) is None:
                return Left.NO_MODEL
            if not await self._affordable(sleep):
                return Left.BUDGET
            model, session = found
            await self._spend(sleep, 1, prompt.tokens)
            completion = await model.complete(prompt, session=session)
        except ModelUnavailable:
            return Left.FAILED if await self._affordable(sleep) else Left.BUDGET
        await self._spend(sleep, 0, completion.cost(prompt) - prompt.tokens)
        return completion.text

    async def _model(self, scope: str) -> tuple[ChatModel, str] | None:
        """With the session in which it is asked. Raises ModelUnavailable."""
        episode = await self.journal.latest_episode(scope)
        if episode is None or not self.allowed:
            return None
        model = await self.models.choose(episode.place.session)
        return None if model is None else (model, episode.place.session)

    async def _spend(self, sleep: Sleep, calls: int, tokens: int) -> None:
        await self.journal.spend(sleep.id, calls=calls, tokens=tokens)
        day = utc_day(sleep.at)
        await self.journal.count_usage(day, Purpose.SLEEP, calls=calls, tokens=tokens)

    async def _affordable(self, sleep: Sleep) -> bool:
        """Whether the budgets of the scope and of the day allow one more call."""
        spent = await self.journal.spent(sleep.scope, self.day_start(sleep.at))
        if spent.calls >= self.settings.calls or spent.tokens >= self.settings.tokens:
            return False
        used = await self.journal.usage(utc_day(sleep.at))
        return used.tokens < self.learning.daily_tokens


@dataclass(slots=True)
class StepRun:
    """One step in one sleep: what it is told, and where it tells what it did.

    `at` is the time of the sleep, the same after a kill; `resumed` whether it had begun before.
    `refused` has the keys of its decisions that somebody has undone: they are not made again.
    """

    sleep: Sleep
    step: str
    journal: Journal
    asking: Asking
    refused: frozenset[str]
    state: StepState
    resumed: bool
    due: float = inf
    """When, without anything new, there is something to do again."""

    _began: float = field(default_factory=time.monotonic)
    _counts: Counter[Deed | Left] = field(default_factory=Counter[Deed | Left])

    @property
    def scope(self) -> str:
        """Key of the scope; `INSTALLATION` for a step of the installation."""
        return self.sleep.scope

    @property
    def at(self) -> float:
        """Unix seconds."""
        return self.sleep.at

    def count(self, what: Deed | Left, number: int = 1) -> None:
        """What is no decision about single memories. Kept at the end."""
        self._counts[what] += number

    def wait_for(self, due: float) -> None:
        """There is something to do at that time, whatever happens until then."""
        self.due = min(self.due, due)

    async def decide(self, *decisions: Decision) -> None:
        """Keep decisions that are carried out, or that doing the step again carries out."""
        if decisions:
            await self.journal.decide(self.sleep.id, self.step, decisions, at=self.at)

    async def decided(self) -> list[Decided]:
        """What the step has decided in this sleep before, and nobody has undone."""
        every = await self.journal.decisions(self.sleep.id, step=self.step, limit=sys.maxsize)
        return [each for each in every if each.undone_at is None]

    @property
    def may_ask(self) -> bool:
        """Whether the settings allow any call at all."""
        return self.asking.allowed

    @property
    def prompts(self) -> Instructions:
        """What each call says to the model."""
        return self.asking.learning.prompts

    async def ask(self, prompt: Prompt) -> str | None:
        """A model's reply; None without a model, where it fails, or past the budget."""
        reply = await self.asking.reply(self.sleep, prompt)
        if isinstance(reply, Left):
            self.count(reply)
            return None
        return reply

    async def read[T](self, prompt: Prompt, parse: Callable[[str], T], nothing: T) -> T | None:
        """What is read of a reply, or of a second one; `nothing` of neither, None without one."""
        for each in (prompt, once_more(prompt)):
            if (reply := await self.ask(each)) is None:
                return None
            try:
                return parse(reply)
            except ReplyMalformed:
                continue
        return nothing

    async def story(
        self, lines: Sequence[str], names: Collection[str]
    ) -> Sequence[tuple[str, Sequence[int]]] | None:
        """Sentences of a model that the lines bear out; empty for none, None if none was asked."""
        found = await self.read(story.build(lines, self.prompts), story.parse, ())
        if found is None:
            return None
        return [(s.text, s.cites) for s in found if story.is_grounded(s, lines, names)]

    async def mark(self) -> str:
        """What the step has kept about the scope in an earlier sleep; "" at first."""
        return await self.journal.mark(self.scope, self.step)

    async def set_mark(self, mark: str) -> None:
        """Keep it for the next sleep."""
        await self.journal.set_mark(self.scope, self.step, mark)

    async def keep(self, *, done: bool = False, failed: bool = False) -> None:
        """Keep that it has begun, that nothing is left to do, or that it has failed once more."""
        counts = Counter(self.state.counts) + self._counts
        self.state = StepState(
            done,
            self.state.failures + failed,
            self.state.seconds + time.monotonic() - self._began,
            dict(counts),
        )
        await self.journal.save_step(self.sleep.id, self.step, self.state, at=self.at)


class Step(Protocol):
    """One step. It may be cut short anywhere and run again; what was done then changes nothing."""

    name: ClassVar[str]
    """Unique and never changed: reports and marks are kept under it."""

    causes: ClassVar[frozenset[SleepCause]]
    """Of which sleeps it is part: `FULL`, or `EVERY` if it is part of the sweep."""

    async def run(self, run: StepRun) -> None:
        """Do the step in the scope, told the time of the sleep."""
        ...

    async def undo(self, decided: Decided, now: float) -> Undone:
        """Take back one of its decisions; twice changes nothing more. By itself none can be."""
        return Undone.NEVER


@dataclass(frozen=True, slots=True)
class Steps:
    """In order: those of a scope, and those of the whole installation."""

    of_scope: Sequence[Step]
    of_installation: Sequence[Step]

    def of(self, scope: str, cause: SleepCause) -> list[Step]:
        """Those that are part of a sleep."""
        every = self.of_installation if scope == INSTALLATION else self.of_scope
        return [step for step in every if cause in step.causes]

    @property
    def by_name(self) -> Mapping[str, Step]:
        """All of them."""
        return {step.name: step for step in (*self.of_scope, *self.of_installation)}


@dataclass(slots=True)
class Night:
    """More than the sweep: what it has before it, "" where it goes on with what was cut short.

    `quiet` if nothing has changed since a sleep that found nothing; `due` is when time alone will
    give a step something to do.
    """

    seen: str
    quiet: bool
    due: float = inf


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Runs sleeps, one unit of work each, and undoes what they decided.

    `under` are the settings that decide what the steps do.
    """

    store: MemoryStore
    journal: Journal
    clock: Clock
    embedders: EmbedderSource
    steps: Steps
    asking: Asking
    quiet_seconds: float
    under: Sequence[Any] = ()

    async def work(self, work: Work) -> None:
        """Do the sleep that the work is about, or go on with it. It may be gone."""
        id = int(work.payload["sleep"])
        at, night = 0.0, None
        while (sleep := await self.journal.sleep(id)) is not None and sleep.ended_at is None:
            # The cause may become a greater one meanwhile, with more steps and a later time.
            if sleep.cause is not SleepCause.INTERVAL and at != sleep.at:
                await self._learnt()
                at, night = sleep.at, None
                continue
            told = replace(sleep, cause=SleepCause.INTERVAL) if night and night.quiet else sleep
            disturbed = await self._disturbed(sleep)
            step = None if disturbed else _next(self.steps, told)
            if step is None:
                if night is not None and not (night.quiet or disturbed):
                    await self._note(sleep, night)
                if await self.journal.end_sleep(sleep, at=self.clock.now()):
                    return
            elif night is None and SleepCause.INTERVAL not in step.causes:
                night = await self._begun(sleep)
            else:
                due = await self._run(step, told)
                if night is not None:
                    night.due = min(night.due, due)

    async def beside_sleep(self, step: str, scope: str) -> StepRun:
        """A run of one step at once, told of in the next sleep of the scope, a sweep at least."""
        now = self.clock.now()
        [id] = await self.journal.begin_sleeps(
            [scope], SleepCause.INTERVAL, at=now, not_before=now + SETTLING
        )
        sleep = await self.journal.sleep(id)
        return await self._step_run(step, sleep or Sleep(id, scope, SleepCause.INTERVAL, now))

    async def undo(self, id: int) -> Undone:
        """Take back the decision of this number."""
        decided = await self.journal.decision(id)
        if decided is None:
            return Undone.GONE
        if decided.undone_at is not None:
            return Undone.DONE
        step = self.steps.by_name.get(decided.step)
        if step is None:
            return Undone.NEVER
        now = self.clock.now()
        undone = await step.undo(decided, now)
        if undone is Undone.DONE:
            await self.journal.note_undone(id, now)
        return undone

    async def _begun(self, sleep: Sleep) -> Night:
        """Look whether a night finds what the last one left; without news it is a sweep."""
        beyond = (each for each in self.steps.of_scope if SleepCause.INTERVAL not in each.causes)
        if any(step.name in sleep.steps for step in beyond):
            return Night("", quiet=False)
        seen = await self._seen(sleep.scope)
        due, _, was = (await self.journal.mark(sleep.scope, NEWS)).partition(" ")
        quiet = sleep.cause is SleepCause.NIGHT and was == seen and sleep.at < float(due)
        if quiet:
            state = StepState(done=True, counts={Left.UNCHANGED: 1})
            await self.journal.save_step(sleep.id, NEWS, state, at=sleep.at)
        return Night(seen, quiet)

    async def _seen(self, scope: str) -> str:
        """All that the steps go by: what is set, what was said last, the count of changes."""
        last, embedder = await self.journal.latest_episode(scope), await self.embedders.choose()
        spoken = None if last is None else (last.id, last.last_at)
        has_model = await self.asking.has_model(scope)
        told = repr((tuple(self.under), spoken, embedder is None, has_model)).encode()
        return f"{blake2b(told, digest_size=16).hexdigest()} {await self.store.changes(scope)}"

    async def _note(self, sleep: Sleep, night: Night) -> None:
        """Keep what a sleep went by that changed no memory and left no question open."""
        asked = sleep.calls or {Left.BUDGET, Left.FAILED} & sleep.left.keys()
        failed = any(state.failures for state in sleep.steps.values())
        idle = not (asked or failed) and night.seen == await self._seen(sleep.scope)
        mark = f"{night.due!r} {night.seen}" if idle else ""
        await self.journal.set_mark(sleep.scope, NEWS, mark)

    async def _run(self, step: Step, sleep: Sleep) -> float:
        """When there is something to do for it again without anything new."""
        run = await self._step_run(step.name, sleep)
        await run.keep()
        try:
            await step.run(run)
        except StorageError:
            raise
        except Exception:
            await run.keep(failed=True)
            raise
        await run.keep(done=True)
        return run.due

    async def _step_run(self, step: str, sleep: Sleep) -> StepRun:
        state = sleep.steps.get(step, StepState())
        refused = await self.journal.refused(sleep.scope, step)
        resumed = step in sleep.steps
        return StepRun(sleep, step, self.journal, self.asking, refused, state, resumed)

    async def _learnt(self) -> None:
        """Wait for what is due now; what failed and is to be tried later is not waited for.

        The sleep itself may have been queued long before, as one of a quiet chat that an admin now
        asks for. It has a place of its own in the worker, so it keeps nobody from learning.
        """
        until = time.monotonic() + LONGEST_WAIT
        newest = max((work.id for work in await self._to_learn(sys.maxsize)), default=0)
        while time.monotonic() < until:
            if not any(work.id <= newest for work in await self._to_learn(1)):
                return
            await asyncio.sleep(POLL)

    async def _to_learn(self, limit: int) -> list[Work]:
        now, nothing = self.clock.now(), frozenset[int]()
        return await self.journal.due(now, kinds=LEARNING, limit=limit, skip=nothing)

    async def _disturbed(self, sleep: Sleep) -> bool:
        """Whether somebody has spoken since quiet fell: the next quiet begins a new sleep."""
        if sleep.cause is not SleepCause.QUIET:
            return False
        last = await self.journal.latest_episode(sleep.scope)
        now = self.clock.now()
        return last is not None and 0 <= now - last.last_at < self.quiet_seconds


def _next(steps: Steps, sleep: Sleep) -> Step | None:
    """The first that is neither done nor given up."""
    for step in steps.of(sleep.scope, sleep.cause):
        state = sleep.steps.get(step.name, StepState())
        if not state.done and state.failures < MOST_FAILURES:
            return step
    return None
