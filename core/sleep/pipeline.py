"""The sleep of one scope: its steps in order, each kept as it goes. Async.

A unit of work does one sleep. Killed, cancelled or failed it is done again, and goes on where the
journal says that it was.
"""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol

from ..model.errors import ReplyMalformed, StorageError
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
from ..ports import Clock, Journal, Prompt, Work, WorkKind
from ..prompts import story
from ..prompts.instructions import Instructions
from ..prompts.reading import once_more
from .asking import Asking
from .news import NEWS, ScopeState, is_same

MOST_FAILURES = 3
"""A step that fails so often is left out of that sleep, and the report says so."""

LEARNING = frozenset({WorkKind.INDEX_TURN, WorkKind.LEARN})
FULL = frozenset({SleepCause.QUIET, SleepCause.NIGHT, SleepCause.COMMAND})
EVERY = frozenset(SleepCause)

AT_ONCE = 500
"""Decisions that are read at a time."""

SETTLING = 60.0
"""Seconds between the end of an episode and a sleep: it is learnt from, and embedded."""

POLL = 0.1
LONGEST_WAIT = 600.0
"""Seconds that a sleep waits for what is still to be learnt."""


@dataclass(slots=True)
class StepRun:
    """One step in one sleep: what it is told, and where it tells what it did.

    `at` is the time of the sleep, the same after a kill. `cursor` is what the step last kept with
    `advance`, "" at first; `resumed` whether it had begun before. `refused` has the keys of its
    decisions that somebody has undone: they are not made again.
    """

    sleep: Sleep
    step: str
    journal: Journal
    asking: Asking
    refused: frozenset[str]
    state: StepState
    resumed: bool
    began: float = field(default_factory=time.monotonic)
    idle: bool = True
    """Whether it has found nothing to do and nothing to ask so far."""

    _counts: Counter[Deed | Left] = field(default_factory=Counter[Deed | Left])

    @property
    def scope(self) -> str:
        """Key of the scope; `INSTALLATION` for a step of the installation."""
        return self.sleep.scope

    @property
    def at(self) -> float:
        """Unix seconds."""
        return self.sleep.at

    @property
    def cursor(self) -> str:
        """Where the step goes on."""
        return self.state.cursor

    def count(self, what: Deed | Left, number: int = 1) -> None:
        """What is no decision about single memories. Kept with `advance` and at the end."""
        self._counts[what] += number
        self.idle = self.idle and (isinstance(what, Left) or not number)

    async def decide(self, *decisions: Decision) -> None:
        """Keep decisions that are carried out, or that doing the step again carries out."""
        if decisions:
            self.idle = False
            await self.journal.decide(self.sleep.id, self.step, decisions, at=self.at)

    async def decided(self) -> list[Decided]:
        """What the step has decided in this sleep before, and nobody has undone."""
        found: list[Decided] = []
        start, id = 0, self.sleep.id
        while page := await self.journal.decisions(id, limit=AT_ONCE, offset=start):
            found += [each for each in page if each.step == self.step and each.undone_at is None]
            start += len(page)
        return found

    async def advance(self, cursor: str) -> None:
        """Keep where the step is, and let others have their turn."""
        await self._keep(replace(self.state, cursor=cursor))
        await asyncio.sleep(0)

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
        self.idle = self.idle and reply is Left.NO_MODEL
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

    async def done(self) -> None:
        """Keep that nothing is left to do."""
        await self._keep(replace(self.state, done=True, cursor=""))

    async def failed(self) -> None:
        """Keep that it has failed once more."""
        await self._keep(replace(self.state, failures=self.state.failures + 1))

    async def _keep(self, state: StepState) -> None:
        now = time.monotonic()
        counts = Counter(state.counts) + self._counts
        seconds = state.seconds + now - self.began
        self.state = replace(state, seconds=seconds, counts=dict(counts))
        self.began, self._counts = now, Counter[Deed | Left]()
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
class Look:
    """What a sleep told the time `at` had before it when it went on from the sweep.

    `same` as a night in which nothing was left to do; `idle` until a step finds something.
    """

    at: float | None = None
    seen: str = ""
    same: bool = False
    idle: bool = True


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Runs sleeps, one unit of work each, and undoes what they decided."""

    journal: Journal
    clock: Clock
    steps: Steps
    asking: Asking
    quiet_seconds: float
    state: ScopeState

    async def work(self, work: Work) -> None:
        """Do the sleep that the work is about, or go on with it. It may be gone."""
        id = int(work.payload["sleep"])
        look = Look()
        waited: float | None = None
        # The cause may become a greater one meanwhile, with more steps.
        while (sleep := await self.journal.sleep(id)) is not None and sleep.ended_at is None:
            if sleep.cause is not SleepCause.INTERVAL and waited != sleep.at:
                await self._learnt()
                waited = sleep.at
                continue
            disturbed = await self._disturbed(sleep)
            step = None if disturbed else _next(self.steps, sleep)
            if step is not None and SleepCause.INTERVAL not in step.causes and look.at != sleep.at:
                look = await self._look(sleep)
                if look.same:
                    state = StepState(done=True, counts={Left.UNCHANGED: 1})
                    await self.journal.save_step(id, NEWS, state, at=sleep.at)
            told = sleep
            if step is not None and look.same and look.at == sleep.at:
                # Without news the night is a sweep.
                told = replace(sleep, cause=SleepCause.INTERVAL)
                step = _next(self.steps, told)
            if step is not None:
                look.idle &= await self._run(step, told)
                continue
            if look.at == sleep.at and not (look.same or disturbed):
                await self._note(sleep, look)
            if await self.journal.end_sleep(sleep, at=self.clock.now()):
                return

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

    async def _look(self, sleep: Sleep) -> "Look":
        """What the steps have before them; whether a night finds what the last one left."""
        beyond = (each for each in self.steps.of_scope if SleepCause.INTERVAL not in each.causes)
        if any(step.name in sleep.steps for step in beyond):
            # It was cut short there.
            return Look(sleep.at)
        seen = await self.state.seen(sleep.scope)
        known = await self.journal.mark(sleep.scope, NEWS)
        is_night = sleep.cause is SleepCause.NIGHT
        return Look(sleep.at, seen, is_night and is_same(known, seen, sleep.at))

    async def _note(self, sleep: Sleep, look: "Look") -> None:
        """Keep what a sleep went by that found nothing."""
        mark = await self.state.mark(sleep.scope, look.seen, sleep.at) if look.idle else ""
        await self.journal.set_mark(sleep.scope, NEWS, mark)

    async def _run(self, step: Step, sleep: Sleep) -> bool:
        """Whether it found nothing to do."""
        run = await self._step_run(step.name, sleep)
        await run.advance(run.cursor)
        try:
            await step.run(run)
        except StorageError:
            raise
        except Exception:
            await run.failed()
            raise
        await run.done()
        return run.idle

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
        due = await self._to_learn(sys.maxsize)
        newest = max((work.id for work in due), default=0)
        while due and due[0].id <= newest and time.monotonic() < until:
            await asyncio.sleep(POLL)
            due = await self._to_learn(1)

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
