"""Finds episodes of which learning overlooked much, and has them read once more."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial
from typing import ClassVar

from ...capture.citing import cited
from ...capture.dating import dated
from ...capture.known import rarity_in
from ...capture.learning import read
from ...capture.pipeline import Capture
from ...capture.reading import LEFT_OUT
from ...capture.settling import Settling
from ...forgetting.lifecycle import UNDONE, BinPolicy, to_bin
from ...model.conversation import Episode, Role, Turn
from ...model.errors import ReplyMalformed
from ...model.lesson import Candidate, Lesson
from ...model.memory import LEARNT, Extractor, Memory, Status
from ...model.sleeping import Decided, Decision, Deed, SleepCause, Undone
from ...model.times import local_date
from ...ports import Extraction, Journal, MemoryStore, Prompt
from ...prompts import learn
from ...prompts.reply import lesson_to_json
from ...records.evidence import (
    LONGEST_TURN,
    Compared,
    Rarity,
    compared,
    evidence_id,
    needs_rereading,
    overlooked,
    to_read_again,
)
from ...settings import LearningSettings
from ..memory_similarity import MemorySimilarity
from ..pipeline import FULL, StepRun

PAGE = 20
"""Episodes at a time."""

NEWEST = 1_000
"""Raw turns of a scope by which it is told how rare a term is."""

LIKE = 5
"""Memories like a turn among which those are looked for that rest on it too."""

MOST_TOLD = 40
"""Raw turns that a report names of an episode."""

OVERLOOKED = "overlooked"


@dataclass(frozen=True, slots=True)
class Heard:
    """An episode that was learnt from: what was said in it, and what was proposed then.

    `shown` are the ids of the memories that were known to who learnt: not proposed again.
    """

    episode: Episode
    turns: Sequence[Turn]
    learnt: Sequence[Memory]
    shown: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CoverageStep:
    """Each episode is looked at once; at most one call is made for it."""

    name: ClassVar[str] = "coverage"
    causes: ClassVar[frozenset[SleepCause]] = FULL

    store: MemoryStore
    journal: Journal
    capture: Capture
    similarity: MemorySimilarity
    where: tzinfo | None
    bin_policy: BinPolicy

    async def run(self, run: StepRun) -> None:
        """Look at what was learnt since, until the model can be asked no more tonight."""
        rarity: Rarity | None = None
        while episodes := await self.journal.uncompared(run.scope, limit=PAGE):
            rarity = rarity or await self.rarity(run.scope)
            for episode in episodes:
                if not await self._compare(run, episode, rarity):
                    return

    async def undo(self, decided: Decided, now: float) -> Undone:
        """What was read goes to the bin, what it had ended holds again."""
        if decided.decision.deed is Deed.OVERLOOKED:
            return Undone.DONE
        found = await self.store.find(decided.decision.memories)
        live = [memory for memory in found if memory.standing.status is Status.LIVE]
        if not live and not any(memory.standing.reason == UNDONE for memory in found):
            return Undone.GONE
        gone = [memory.id for memory in live]
        change = partial(to_bin, now=now, reason=UNDONE, policy=self.bin_policy)
        await self.store.amend(gone, change)
        await Settling(self.store, self.journal).settle(live, gone)
        return Undone.DONE

    async def rarity(self, scope: str) -> Rarity:
        """How much each term tells in the scope."""
        return await rarity_in(self.store, scope, newest=NEWEST)

    async def heard(self, episode: Episode) -> Heard | None:
        """The episode and what was learnt of it; None if nobody knows that any more."""
        extraction = await self.journal.extraction(episode.id)
        turns = await self.journal.turns_of(episode.id)
        if extraction is None or not turns:
            return None
        try:
            lesson = read(extraction)
        except ValueError:
            return None
        learnt = self.capture.proposed(extraction, lesson, episode, turns)
        return Heard(episode, turns, learnt, frozenset(extraction.known.values()))

    async def said(self, heard: Heard, rarity: Rarity) -> list[Compared]:
        """What people said, held against what was learnt of it and what it was shown.

        By what was learnt then, whatever became of it: the forgotten is not learnt once more.
        """
        learnt = [*heard.learnt, *await self._elsewhere(heard)]
        raw = [evidence_id(self.journal.id, turn.seq) for turn in heard.turns]
        compared_ones = [*await self.store.find(raw), *learnt]
        vectors = await self.similarity.by_kind(heard.episode.place.scope, compared_ones)
        return await asyncio.to_thread(
            compared, heard.turns, learnt, rarity, vectors, self.journal.id
        )

    async def _elsewhere(self, heard: Heard) -> list[Memory]:
        """What the episode was shown, and what rests on its turns too: it was said again there."""
        scope = frozenset({heard.episode.place.scope})
        hits = dict.fromkeys(heard.shown)
        for turn in heard.turns:
            if turn.role is not Role.ASSISTANT:
                text = turn.text[:LONGEST_TURN]
                found = await self.store.search_text(text, scope, limit=LIKE, kinds=LEARNT)
                hits |= dict.fromkeys(hit.id for hit in found)
        own, seqs = {memory.id for memory in heard.learnt}, {turn.seq for turn in heard.turns}
        found = await self.store.find([id for id in hits if id not in own], scope)
        return [m for m in found if m.id in heard.shown or not seqs.isdisjoint(m.origin.turns)]

    async def _compare(self, run: StepRun, episode: Episode, rarity: Rarity) -> bool:
        """Look at one episode; False if it is to be read again and that cannot be done tonight."""
        kept = await self.journal.rereading(episode.id)
        heard = await self.heard(episode) if kept is None else None
        if heard is not None:
            said = await self.said(heard, rarity)
            if needs_rereading(said) and not run.may_ask:
                await run.decide(self._found(said, episode))
            elif needs_rereading(said):
                kept = await self._read_again(run, heard, said)
                if kept is None:
                    return False
        if kept is not None:
            applied = await self.capture.apply(kept, episode, self.where)
            if ids := tuple(memory.id for memory in applied.fresh):
                await run.decide(Decision(f"again:{episode.id}", Deed.REREAD, ids, OVERLOOKED))
            else:
                run.count(Deed.REREAD)
        await self.journal.finish_rereading(episode.id)
        return True

    async def _read_again(
        self, run: StepRun, heard: Heard, said: Sequence[Compared]
    ) -> Extraction | None:
        missed = frozenset(turn.seq for turn in to_read_again(said))
        again = SecondReading(heard.episode.id, heard.turns, missed, run.asking.learning)
        reply = await run.ask(again.prompt(partial(local_date, where=self.where)))
        if reply is None:
            return None
        extraction = await asyncio.to_thread(again.extraction, reply, self.where)
        return await self.journal.save_rereading(extraction)

    def _found(self, said: Sequence[Compared], episode: Episode) -> Decision:
        missed = [evidence_id(self.journal.id, turn.seq) for turn in to_read_again(said)]
        key, kept = f"found:{episode.id}", {"share": round(overlooked(said), 2)}
        return Decision(key, Deed.OVERLOOKED, tuple(missed[:MOST_TOLD]), OVERLOOKED, kept)


@dataclass(frozen=True, slots=True)
class SecondReading:
    """The `overlooked` turns of an episode, and by which settings they are learnt from."""

    episode: str
    turns: Sequence[Turn]
    overlooked: frozenset[int]
    settings: LearningSettings

    @property
    def shown(self) -> list[int]:
        """Places in the episode of what is shown: each overlooked turn after the one before it."""
        missed = {n for n, turn in enumerate(self.turns) if turn.seq in self.overlooked}
        return sorted(missed | {place - 1 for place in missed if place})

    def prompt(self, show_time: Callable[[float], str]) -> Prompt:
        """The learning call, of these turns alone."""
        turns = [self.turns[place] for place in self.shown]
        shown = [replace(turn, text=LEFT_OUT) if turn.private_reply else turn for turn in turns]
        language = learn.language_in(shown)
        return learn.build(
            shown,
            shown_time=show_time,
            language=language,
            wishes=self.settings.instructions,
            instructions=self.settings.prompts,
        )

    def extraction(self, reply: str, where: tzinfo | None) -> Extraction:
        """What is kept of a model's reply: new memories that rest on an overlooked turn.

        Nothing is corrected or closed by it: what has been said since may be otherwise. A reply
        that does not fit teaches nothing.
        """
        try:
            told = learn.parse(reply)
        except ReplyMalformed:
            told = []
        shown = [self.turns[place] for place in self.shown]
        placed = [self._placed(candidate) for candidate in cited(told, shown, where)]
        missed = {n for n, turn in enumerate(self.turns, start=1) if turn.seq in self.overlooked}
        lesson = Lesson(candidates=tuple(each for each in placed if missed & {*each.turns}))
        body = lesson_to_json(dated(lesson, self.turns, where))
        return Extraction(self.episode, {}, body, Extractor.MODEL, again=True)

    def _placed(self, candidate: Candidate) -> Candidate:
        """With the numbers that its turns have in the episode."""
        shown = self.shown
        turns, causes = (
            tuple(shown[number - 1] + 1 for number in numbers)
            for numbers in (candidate.turns, candidate.causes)
        )
        return replace(candidate, turns=turns, causes=causes)
