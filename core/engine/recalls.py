"""Recalls of turns: the question made of a request, within a deadline, disclosed and recorded."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from ..languages.markers import is_question, without_own_name
from ..languages.scripts import language_of
from ..languages.terms import content_terms
from ..model.conversation import Injected, Place, Scope, ScopeKind
from ..model.errors import StorageError, TidemarkError
from ..model.memory import Memory
from ..model.times import local_date, zone
from ..ports import Recollection
from ..privacy.consents import ScopeAccess
from ..recall import pipeline, trace
from ..recall.block import Participants, Style
from ..recall.people import People
from ..recall.question import Question, Sources, comparable, turns_before, turns_seen
from ..recall.selection import Context, matters
from ..recall.trace import LegState, Recalled, SilenceReason, Trace
from ..records.background import spared
from ..records.disclosure import owners_among
from ..records.evidence import evidence_id, raw_turns
from ..records.names import joined, linked_names
from ..scoring.decision import Eagerness, Fitted, Fusion
from ..settings import Settings
from ..similarity.calibration import Frames
from .parts import Parts
from .reminders import Reminders

LONGEST_QUERY = 2_000
BY_HAND = 5.0
"""Seconds that a search by hand may take."""

UNBOUNDED = 1_000_000
"""Tokens of a search by hand, whose result no model reads."""


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A turn that wants memories: its scope, text and seq, and the history the model sees.

    `waited` is how many seconds of its deadline have gone by; `asker` is the platform's id of the
    person who gets the answer; `earlier` is what the model has been shown in this turn already;
    `alone` asks for the text by itself, not in the light of the turns before. `place` is where the
    answer is given, None where the turn tells it; `instructions` are the model's, which may name
    the bot.
    """

    scope: Scope
    text: str
    turn: int | None
    history: frozenset[str] = frozenset()
    waited: float = 0.0
    asker: str | None = None
    earlier: Recalled | None = None
    alone: bool = False
    place: Place | None = None
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class RecallRequests:
    """Puts questions to the recall pipeline."""

    parts: Parts
    frames: Frames
    people: People
    access: ScopeAccess
    reminders: Reminders
    fitted: Fitted

    def with_settings(self, settings: Settings) -> "RecallRequests":
        """The same by other settings, for a trial."""
        return replace(self, parts=replace(self.parts, settings=settings))

    async def recall(self, ask: RecallRequest, deadline: float) -> Recalled:
        """Memories for the turn. `deadline` in seconds.

        Whose memories may be shown has to be known. What else cannot be read, of what was said
        before and of who goes by which name, is done without and counted as a failure.
        """
        scopes = await self.access.readable(ask.scope, ask.asker)
        history = await comparable(ask.history)
        own = frozenset[int]() if ask.turn is None else frozenset({ask.turn})
        seen = await self._spared(turns_seen(ask.turn, history, self.parts.journal), own)
        earlier = turns_before(None if ask.alone else ask.turn, self.parts.journal)
        text = without_own_name(ask.text, ask.instructions)
        unwanted = matters(self.parts.store, scopes, ask.asker, text)
        # At once: what is asked for together is read together.
        due, unmentioned, before, participants, sources = await asyncio.gather(
            self._due(ask, scopes, seen),
            self._spared(unwanted, ()),
            self._spared(earlier, ()),
            self._participants(ask),
            self._sources(await self.access.consents.owners(ask.scope), scopes),
        )
        context = Context(history, ask.turn, seen, unmentioned=unmentioned)
        question = self._question(text, scopes, context, deadline=deadline)
        if not ask.alone and not is_question(text):
            told = replace(question.context, told=question.style.wanted)
            question = replace(question, context=told)
        due_ids = {memory.id for memory in due}
        style = replace(question.style, participants=participants, due=due_ids)
        first = 1 if ask.earlier is None else 1 + len(ask.earlier.memories)
        said = tuple(without_own_name(one, ask.instructions) for one in before)
        return await pipeline.recall(
            replace(
                question,
                style=style,
                first=first,
                earlier=said,
                due=due,
                insists=ask.alone,
                own="" if ask.turn is None else evidence_id(self.parts.journal.id, ask.turn),
            ),
            sources,
        )

    async def _due(
        self, ask: RecallRequest, scopes: frozenset[str], seen: frozenset[int]
    ) -> tuple[Memory, ...]:
        """What the asker is to be reminded of in this turn; nothing where nobody notes it."""
        if ask.turn is None or ask.earlier is not None:
            return ()
        return await self.reminders.due(ask.scope, ask.asker, scopes, seen)

    async def disclose(self, ask: RecallRequest, owners: frozenset[str]) -> bool:
        """Note whose private memories are shown in the turn; False if it is unknown where."""
        place = ask.place
        if place is None and ask.turn is not None:
            turn = await self.parts.journal.turn(ask.turn)
            place = turn.place if turn is not None else None
        if place is None:
            return False
        await self.parts.journal.disclose(place, owners)
        return True

    async def search(self, scopes: frozenset[str], text: str, *, limit: int) -> Recalled:
        """The recall of a turn without a turn."""
        question = self._question(text, scopes, Context(), deadline=BY_HAND)
        chats = frozenset(Scope.parse(key).owner for key in scopes)
        return await pipeline.recall(
            replace(question, limit=limit, budget=UNBOUNDED, insists=True),
            await self._sources(chats, scopes),
        )

    async def _sources(self, chats: frozenset[str], scopes: frozenset[str]) -> Sources:
        store, journal = self.parts.store, self.parts.journal
        linked = await self._spared(linked_names(store, journal, scopes), {})
        return Sources(
            store,
            await self.parts.embedders.choose(),
            self.frames,
            self.parts.reranker,
            partial(raw_turns, journal.id),
            joined(await self._spared(self.people.same(chats), {}), linked),
            self.fitted,
        )

    async def _participants(self, ask: RecallRequest) -> Participants:
        asker = None if ask.asker is None else (ask.scope.platform, ask.asker)
        several = ask.scope.kind is ScopeKind.GROUP
        chats = await self.access.consents.owners(ask.scope)
        nobody = frozenset[str]()
        called = await self._spared(self.people.called(chats), nobody) if several else nobody
        names = await self._spared(self.people.names(chats), {})
        return Participants(names, asker, several, called, ask.scope.owner)

    async def _spared[T](self, work: Awaitable[T], otherwise: T) -> T:
        return await spared(work, otherwise, partial(self.parts.note, "recall"))

    def _question(
        self, text: str, scopes: frozenset[str], context: Context, *, deadline: float
    ) -> Question:
        display, recall = self.parts.settings.display, self.parts.settings.recall
        text = text[:LONGEST_QUERY]
        language = language_of(text) if display.language == "auto" else display.language
        where, now = zone(display.timezone), self.parts.clock.now()
        return Question(
            text=text,
            scopes=scopes,
            context=context,
            deadline=deadline,
            budget=recall.budget_tokens,
            limit=recall.max_items,
            style=Style(
                language,
                cache(partial(local_date, where=where)),
                content_terms(text),
                now=now,
                where=where,
            ),
            without=self.parts.without,
            now=now,
            where=where,
            eagerness=Eagerness(recall.eagerness),
            fusion=Fusion(recall.fusion),
        )


LEG_SHARE = 0.8
MOST_AFTER_LEGS = 0.6
EASING = 0.95
"""Of a deadline that has passed with nothing ready, more is left for what follows the legs: on a
busy machine words alone then answer in time. With every recall that is ready it eases off again.
"""

CROWDED = 0.01
"""Of the deadline, more is left for each other recall that is under way."""

LATEST_RECALL = 10.0
"""Seconds, the longest deadline there is."""


type Own = Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any]]
"""Starts a task that outlives whoever waits for it."""

GIVES_WAY = 0.1
"""Seconds that a unit of background work waits for recalls at most: it is to be done, too."""


@dataclass(slots=True)
class TurnRecalls:
    """Those under way, and what of them is still to be recorded. `deadline` in seconds."""

    requests: RecallRequests
    deadline: float
    own: Own
    _records: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    _under_way: set[asyncio.Task[Any]] = field(default_factory=set[asyncio.Task[Any]])
    _after_legs: float = 1.0 - LEG_SHARE

    @property
    def _parts(self) -> Parts:
        return self.requests.parts

    async def recall(self, ask: RecallRequest) -> Recalled | None:
        """Memories for the turn; None if nothing is ready at the deadline.

        What was recalled is recorded under the turn in the background, after what was shown
        earlier: the chat does not wait for that write, the answer's own record does. Private
        memories are shown in a group only once it is on disk that they are.
        """
        began = time.monotonic()
        deadline = self.deadline - ask.waited
        # Side by side they would wait for the same late vectors until the same moment.
        after = min(self._after_legs + CROWDED * len(self._under_way), MOST_AFTER_LEGS)
        legs = deadline * (1.0 - after)
        recalled = await self._in_time(self.requests.recall(ask, legs), deadline)
        if recalled is None:
            self._parts.note("recall", TimeoutError("nothing ready at the deadline"))
            self.record_late(ask)
            self._after_legs = min(2 * self._after_legs, MOST_AFTER_LEGS)
            return None
        self._after_legs = max(self._after_legs * EASING, 1.0 - LEG_SHARE)
        self._count_missing(recalled.trace)
        recalled = await self._showable(ask, recalled, deadline - (time.monotonic() - began))
        if ask.turn is not None:
            shown = recalled if ask.earlier is None else ask.earlier.followed_by(recalled)
            self._begin_record(ask.turn, shown)
        return recalled

    def record_late(self, ask: RecallRequest) -> None:
        """Record that a turn, if it is known, was answered without memory."""
        if ask.turn is not None and ask.earlier is None:
            late = Trace(ask.text, (ask.scope.key,), (), silence=SilenceReason.LATE)
            self._begin_record(ask.turn, Recalled((), "", late))

    def _begin_record(self, turn: int, recalled: Recalled) -> None:
        record = self.own(self._record(turn, recalled))
        self._records.add(record)
        record.add_done_callback(self._records.discard)

    async def all_recorded(self) -> None:
        """Wait for recalls under way and then their records; one that hangs is left behind."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=LATEST_RECALL)
        # Whoever waited for them has its turn first, and starts to record.
        await asyncio.sleep(0)
        await self.recorded()

    async def recorded(self) -> None:
        """Wait until every recall so far is on disk."""
        # Not gather: a caller that is cancelled must not take the records with it.
        if self._records:
            await asyncio.wait(self._records)

    async def _showable(self, ask: RecallRequest, recalled: Recalled, seconds: float) -> Recalled:
        """All of it, once its disclosure is on disk; without private memories if that fails."""
        owners = owners_among(recalled.memories, ask.scope)
        if not owners or recalled.in_common is None:
            return recalled
        try:
            if await self._in_time(self.requests.disclose(ask, owners), seconds):
                return recalled
            late = TimeoutError("a disclosure is not on disk at the deadline")
            self._parts.count("record", late)
        except StorageError as error:
            self._parts.note("record", error)
        return recalled.in_common

    def _count_missing(self, told: Trace) -> None:
        reports = [(f"{report.leg} leg", report) for report in told.legs]
        for place, report in (*reports, ("rerank", told.rerank)):
            if report.state is LegState.LATE:
                self._parts.note(place, TimeoutError("no answer at the deadline"))
            elif report.state is LegState.FAILED:
                self._parts.note(place, TidemarkError(report.problem))

    async def _record(self, turn: int, recalled: Recalled) -> None:
        injected = tuple(
            Injected(turn, number, memory.id)
            for number, memory in enumerate(recalled.memories, start=1)
        )
        told = trace.recorded(recalled.trace)
        now = self._parts.clock.now()
        recollection = Recollection(
            turn, now, told, recalled.block, injected, recalled.trace.tokens
        )
        try:
            await self._parts.journal.record_recall(recollection)
            if due := frozenset(recalled.trace.due):
                await self.requests.reminders.shown(due, now)
        except StorageError as error:
            self._parts.note("record", error)

    async def over(self) -> None:
        """Wait for those under way, at most `GIVES_WAY` seconds: people wait for them."""
        until = time.monotonic() + GIVES_WAY
        while self._under_way and (left := until - time.monotonic()) > 0:
            await asyncio.wait({*self._under_way}, timeout=left)

    async def _in_time[T](self, work: Coroutine[Any, Any, T], seconds: float) -> T | None:
        # Cancelled and left behind: a read that hangs in the disk cannot be waited out.
        task = self.own(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            await asyncio.wait({task}, timeout=max(0.0, seconds))
            return task.result() if task.done() else None
        finally:
            task.cancel()
