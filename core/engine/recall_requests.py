"""Makes a recall request into a question: whose scopes, among whom, after what was said."""

import asyncio
from collections.abc import Awaitable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Protocol

from ..languages.detection import language_of
from ..languages.telling import is_question
from ..languages.terms import content_terms
from ..languages.vocative import without_own_name
from ..model.conversation import Place, Scope, ScopeKind
from ..model.errors import StorageError
from ..model.memory import Memory
from ..model.times import local_date, zone
from ..ports import (
    Clock,
    Disclosures,
    EmbedderSource,
    JournalIdentity,
    MemoryStore,
    Reranker,
    Turns,
)
from ..privacy.access import ScopeAccess
from ..queue.worker import Report
from ..recall import pipeline
from ..recall.block import Participants, Style
from ..recall.history import comparable, turns_before, turns_seen
from ..recall.people import People
from ..recall.question import Question, Sources
from ..recall.selection import Context
from ..recall.trace import Leg, Recalled
from ..recall.unmentioned import matters
from ..records.evidence import evidence_id, raw_turns
from ..records.linked_names import joined, linked_names
from ..records.sparing import spared
from ..scoring.decision import Eagerness, Fitted, Fusion
from ..scoring.fitted import FITTED
from ..settings import Settings
from ..similarity.calibration import Frames
from ..text.token_count import CountTokens
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


class RecallJournal(JournalIdentity, Turns, Disclosures, Protocol):
    """What was said just before, and where private memories are shown."""

    async def marks(self, scopes: Collection[str], step: str) -> Mapping[str, str]:
        """What a step of sleep has kept, by scope."""
        ...


@dataclass(frozen=True, slots=True)
class RecallRequests:
    """Puts questions to the recall pipeline. Legs in `without` are never asked."""

    store: MemoryStore
    journal: RecallJournal
    clock: Clock
    embedders: EmbedderSource
    frames: Frames
    people: People
    access: ScopeAccess
    reminders: Reminders
    settings: Settings
    count_tokens: CountTokens
    without: frozenset[Leg]
    failed: Report
    reranker: Reranker | None = None
    fitted: Fitted = FITTED

    async def recall(self, ask: RecallRequest, deadline: float) -> Recalled:
        """Memories for the turn. `deadline` in seconds.

        Whose memories may be shown has to be known. What else cannot be read, of what was said
        before and of who goes by which name, is done without and counted as a failure.
        """
        scopes = await self.access.readable(ask.scope, ask.asker)
        history = await comparable(ask.history)
        own = frozenset[int]() if ask.turn is None else frozenset({ask.turn})
        seen = await self._spared(turns_seen(ask.turn, history, self.journal), own)
        earlier = turns_before(None if ask.alone else ask.turn, self.journal)
        text = without_own_name(ask.text, ask.instructions)
        unwanted = matters(self.store, scopes, ask.asker, text)
        # At once: what is asked for together is read together.
        due, unmentioned, before, participants, sources = await asyncio.gather(
            self._due(ask, scopes, seen),
            self._spared(unwanted, ()),
            self._spared(earlier, ()),
            self._participants(ask),
            self._sources(await self.access.chats(ask.scope), scopes),
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
                own="" if ask.turn is None else evidence_id(self.journal.id, ask.turn),
            ),
            sources,
        )

    async def _due(
        self, ask: RecallRequest, scopes: frozenset[str], seen: frozenset[int]
    ) -> tuple[Memory, ...]:
        """What the asker is to be reminded of in this turn; nothing where nobody notes it."""
        if ask.turn is None or ask.earlier is not None:
            return ()
        where = zone(self.settings.display.timezone)
        now = self.clock.now()
        try:
            return await self.reminders.due(
                ask.scope, ask.asker, scopes, seen=seen, now=now, where=where
            )
        except StorageError:
            # The legs say what is wrong with the store; a reminder must not end the recall.
            return ()

    async def disclose(self, ask: RecallRequest, owners: frozenset[str]) -> bool:
        """Note whose private memories are shown in the turn; False if it is unknown where."""
        place = ask.place
        if place is None and ask.turn is not None:
            turn = await self.journal.turn(ask.turn)
            place = turn.place if turn is not None else None
        if place is None:
            return False
        await self.journal.disclose(place, owners)
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
        embedder = await self.embedders.choose()
        turns_of = partial(raw_turns, self.journal.id)
        linked = await self._spared(linked_names(self.store, self.journal, scopes), {})
        same = joined(await self._spared(self.people.same(chats), {}), linked)
        return Sources(
            self.store, embedder, self.frames, self.reranker, turns_of, same, self.fitted
        )

    async def _participants(self, ask: RecallRequest) -> Participants:
        asker = None if ask.asker is None else (ask.scope.platform, ask.asker)
        several = ask.scope.kind is ScopeKind.GROUP
        chats = await self.access.chats(ask.scope)
        nobody = frozenset[str]()
        called = await self._spared(self.people.called(chats), nobody) if several else nobody
        names = await self._spared(self.people.names(chats), {})
        return Participants(names, asker, several, called, ask.scope.owner)

    async def _spared[T](self, work: Awaitable[T], otherwise: T) -> T:
        return await spared(work, otherwise, partial(self.failed, "recall"))

    def _question(
        self, text: str, scopes: frozenset[str], context: Context, *, deadline: float
    ) -> Question:
        display, recall = self.settings.display, self.settings.recall
        text = text[:LONGEST_QUERY]
        language = language_of(text) if display.language == "auto" else display.language
        where, now = zone(display.timezone), self.clock.now()
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
                self.count_tokens,
                content_terms(text),
                now=now,
                where=where,
            ),
            without=self.without,
            now=now,
            where=where,
            eagerness=Eagerness(recall.eagerness),
            fusion=Fusion(recall.fusion),
        )
